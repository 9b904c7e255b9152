import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { holds, same } from '../difference';
import type { Cells } from '../truth';
import type { Trial } from '../trial';
import { entity, SYNC, type Probe } from './probe';
import { asInput, newCells, sameRows, someRows, textIn } from './rows';

const fieldSchema = z.looseObject({ type: z.looseObject({ options: z.array(z.unknown()) }) });
const optionSchema = z.union([
	z.string(),
	z.looseObject({ value: z.string() }).transform(({ value }) => value),
]);

/** The options of the column Kind as the service holds them. */
async function optionsOf(trial: Trial): Promise<string[]> {
	const { truth } = trial.trials;
	const field = await truth.read(fieldSchema, `${trial.grid.path}/fields/${trial.grid.fieldId('Kind')}`);
	return field.type.options.map((option) => optionSchema.parse(option));
}

/** A value that is no option: refused, left empty, or added to the column before the first row. */
async function unknownOptions(trial: Trial): Promise<void> {
	const before = await someRows(trial, 2);
	const [first] = before;
	if (!first) throw new Error('No row');
	const how = ['refuse', 'leaveEmpty', 'addToColumn'][trial.random.below(3)] ?? 'refuse';
	const isSync = trial.random.chance(0.3);
	const operation = isSync ? SYNC : entity(trial.random.chance(0.5) ? 'upsert' : 'create');
	const isCreate = operation.operation === 'create';
	const kinds = trial.random.chance(0.5) ? ['lost'] : ['lost', 'found'];
	const fresh = kinds.map((Kind): Cells => ({ ...newCells(trial), Kind }));
	const known: Cells = { Article: isCreate ? trial.article() : textIn(first, 'Article'), Kind: 'done' };
	const parameters: INodeParameters = {
		...trial.inGrid,
		...(isCreate ? trial.auto() : trial.auto(['Article'])),
		options: { unknownOptions: how },
	};
	const { written } = trial.trials.service;
	const sent = written.length;
	const run = await trial.run(operation, parameters, [known, ...fresh].map(asInput));
	const writes = written.slice(sent).map(({ method }) => method);
	const what = `Unknown Options of ${operation.operation}, ${how}`;
	holds(`${what}: refused only where told so`, (run.error !== undefined) === (how === 'refuse'), run.error);
	same(`${what}: options`, await optionsOf(trial), ['new', 'done', ...(how === 'addToColumn' ? kinds : [])]);
	if (how === 'refuse') {
		same(`${what}: writes`, writes, []);
		await sameRows(trial, `${what}: rows`, before);
		return;
	}
	if (how === 'addToColumn') same(`${what}: the first write`, writes[0], 'PATCH');
	same(
		`${what}: changes of columns`,
		writes.filter((one) => one === 'PATCH').length,
		how === 'addToColumn' ? 1 : 0,
	);
	const rows = await trial.grid.rows();
	const held = (cells: Cells) => rows.find((row) => row.cells['Article'] === cells['Article'])?.cells['Kind'];
	same(
		`${what}: values`,
		fresh.map(held),
		kinds.map((kind) => (how === 'addToColumn' ? kind : undefined)),
	);
	same(`${what}: the value that is an option`, held(known), 'done');
}

export const optionProbes: Probe[] = [{ name: 'unknown options', every: 8, run: unknownOptions }];
