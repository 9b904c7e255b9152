import { z } from 'zod/v4';
import type { INodeParameters } from 'n8n-workflow';
import { holds, same } from '../difference';
import type { TrueRow } from '../truth';
import type { Trial } from '../trial';
import { entity, type Probe } from './probe';
import { sameRows, someRows } from './rows';

const size = ({ cells }: TrueRow): number => z.number().parse(cells['Size']);

/** A condition, in the inputs and as a plain comparison. */
interface Condition {
	parameters: INodeParameters;
	meets: (row: TrueRow) => boolean;
	/** Whether a service may refuse or ignore it (§4 Gaps). */
	isUncertain: boolean;
}

function conditionOf(trial: Trial, rows: readonly TrueRow[]): Condition {
	const bound = size(rows[trial.random.below(rows.length)] ?? { id: '', cells: { Size: 500 } });
	const operators: Array<[string, Condition['meets']]> = [
		['$eq', (row) => size(row) === bound],
		['$gt', (row) => size(row) > bound],
		['$lte', (row) => size(row) <= bound],
		['$ne', (row) => size(row) !== bound],
	];
	const [operator = '$eq', meets = () => false] = operators[trial.random.below(operators.length)] ?? [];
	const condition = [{ column: 'Size', operator, value: bound }];
	const isUncertain = operator !== '$eq' && trial.variant.filters.operators !== 'all';
	return { parameters: { ...trial.inGrid, conditions: { condition } }, meets, isUncertain };
}

/** Whether a run was refused; then nothing of the grid may be different. */
async function isRefused(
	trial: Trial,
	operation: string,
	{ parameters, isUncertain }: Pick<Condition, 'parameters' | 'isUncertain'>,
): Promise<boolean> {
	const { error } = await trial.run(entity(operation), parameters, [{}]);
	holds(`${operation}: refused although the service filters`, !error || isUncertain, error?.message);
	return error !== undefined;
}

async function updateMany(trial: Trial): Promise<void> {
	const before = await someRows(trial, 6);
	const { parameters, meets, isUncertain } = conditionOf(trial, before);
	const given = { ...parameters, ...trial.mapped({ Note: 'met' }) };
	const refused = await isRefused(trial, 'updateMany', { parameters: given, isUncertain });
	const after = (row: TrueRow) =>
		!refused && meets(row) ? { ...row, cells: { ...row.cells, Note: 'met' } } : row;
	await sameRows(trial, 'updateMany: rows of the grid', before.map(after));
}

async function deleteMany(trial: Trial): Promise<void> {
	const before = await someRows(trial, 6);
	const { parameters, meets, isUncertain } = conditionOf(trial, before);
	const given = { ...parameters, options: { limitPercent: 100 } };
	const refused = await isRefused(trial, 'deleteMany', { parameters: given, isUncertain });
	const after = before.filter((row) => refused || !meets(row));
	await sameRows(trial, 'deleteMany: rows of the grid', after);
}

async function count(trial: Trial): Promise<void> {
	const before = await someRows(trial, 6);
	const { parameters, meets, isUncertain } = conditionOf(trial, before);
	if (await isRefused(trial, 'count', { parameters, isUncertain })) return;
	const rows = await trial.rows(entity('count'), parameters, [{}]);
	same('count', rows, [{ count: before.filter(meets).length }]);
}

export const selectionProbes: Probe[] = [
	{ name: 'entity.updateMany', every: 2, run: updateMany },
	{ name: 'entity.deleteMany', every: 2, run: deleteMany },
	{ name: 'entity.count', every: 4, run: count },
];
