import { z } from 'zod/v4';
import type { Client } from '../../../client';
import { InvalidInput } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import { prepareAll, resultsOf } from '../../shared/runner/bulk';
import { writableGridFields } from '../../shared/inputs/chosenGrid';
import { columnMapper, keysOf } from '../../shared/inputs/columnMapper';
import { columnNaming } from '../../shared/inputs/outputOptions';
import { namesOf, rowWriter } from '../../shared/rows/output';
import type { ItemsContext, Operation, Result } from '../../shared/runner/operation';
import { columnsToClear, keepOrder, optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { numeric, parameter as input } from '../../shared/inputs/parameter';
import { Turns } from '../../shared/runner/turns';
import { keepsChanging } from '../keyIndex';
import { KeyedGrids, type KeyedRows } from '../keyedRows';
import { WriteReader, type Write } from '../write';
import { planOf, refuseTooManyDeletions, type Step } from './plan';
import { syncResults, type SyncShape } from './report';
import { dryRun } from '../../shared/inputs/dryRun';

const columns = columnMapper('upsert');
const deleteOthers = input(
	{
		displayName: 'Delete Other Rows',
		name: 'deleteOthers',
		type: 'boolean',
		default: false,
		description:
			'Whether to delete rows of the grid whose key is not in the input. Where these are more than 20 % of its rows, nothing is written: see Deletion Limit under Options.',
	},
	z.boolean(),
);
const output = input(
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{ name: 'Changes', value: 'changes', description: 'A row for each change' },
			{ name: 'Report', value: 'report', description: 'One row with the numbers' },
			{ name: 'Report and Changes', value: 'both', description: 'The numbers, and a row for each change' },
		],
		default: 'both',
		description: 'What to output of the synchronisation',
	},
	z.enum(['changes', 'report', 'both']),
);
const deletionLimit = input(
	{
		displayName: 'Deletion Limit (%)',
		name: 'deletionLimit',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 20,
		description:
			'Writes nothing when more than this share of the rows of the grid would be deleted: protects against an empty or broken source',
	},
	numeric.pipe(z.number().min(0).max(100)),
);
const options = optionsOf(columnsToClear, deletionLimit, keepOrder, requestsAtATime);

export const sync: Operation = {
	value: 'sync',
	name: 'Sync',
	action: 'Mirror the input into a grid',
	description:
		'Make a grid hold what the input items hold: create missing rows, change those that differ, and delete others if asked. Key columns say which row is which.',
	fields: [...writableGridFields, columns, deleteOthers, dryRun, output, columnNaming, options],
	async runAll(context) {
		const { node, parameter, hint } = context;
		const option = parameter(options, 0);
		const client = context.client.limitedTo(option(requestsAtATime));
		const reader = new WriteReader(columns);
		const keyed = new KeyedGrids(client);
		const prepared = await prepareAll(context, client, async (item) => {
			const write = await reader.read(item, item.parameter(options)(columnsToClear));
			const rows = keyed.of(write.grid, keysOf(write.mapping, write.fields));
			return { ...write, rows, key: rows.keyOf(write.values), itemIndex: item.itemIndex };
		});
		reader.tell(context);
		const writes = prepared.flatMap((outcome) => (outcome.state === 'done' ? [outcome.value] : []));
		const [first] = writes;
		// Without all of the input nobody knows which rows are to go, so one bad item stops everything.
		if (writes.length < prepared.length || !first)
			return resultsOf(
				node,
				prepared.map((outcome) => (outcome.state === 'done' ? { state: 'untried' } : outcome)),
			);
		const by = parameter(columnNaming, 0);
		const shape: SyncShape = {
			names: namesOf(first.fields, by),
			row: rowWriter(first.fields, { by, hint }),
			dryRun: parameter(dryRun, 0),
			output: parameter(output, 0),
		};
		return await mirror(context, client, writes, first, shape, {
			deleteOthers: parameter(deleteOthers, 0),
			deletionLimit: option(deletionLimit),
			inOrder: option(keepOrder),
		});
	},
};

/** One row of the input, read and checked. */
interface SyncWrite extends Write {
	itemIndex: number;
	rows: KeyedRows;
	key: string;
}

async function mirror(
	context: ItemsContext,
	client: Client,
	writes: readonly SyncWrite[],
	{ grid, fields, mapping, rows: keyed }: SyncWrite,
	shape: SyncShape,
	how: { deleteOthers: boolean; deletionLimit: number; inOrder: boolean },
): Promise<Array<Result | Error>> {
	const keys = keysOf(mapping, fields);
	const desired = writes.map(({ values, itemIndex, key, grid: own }) => {
		if (own.id !== grid.id)
			throw new InvalidInput(
				`Item ${itemIndex} names another grid than item 0`,
				'Sync fills one grid at a time: choose a fixed grid, or split the items before.',
			);
		return { values, itemIndex, key };
	});
	const { items: rows, drift } = await client.entities.many(grid);
	if (drift) throw keepsChanging(grid);
	const describe = (values: Record<string, unknown>) => keyed.describe(values);
	const plan = planOf({ desired, rows, keys, fields, deleteOthers: how.deleteOthers, describe });
	refuseTooManyDeletions(plan, rows.length, how.deletionLimit);
	await permit(client, grid, plan.steps);
	if (shape.dryRun) return syncResults(context, plan, undefined, shape);
	const turns = new Turns();
	const run = await client.session.limiter.run(plan.steps, async (step) => {
		const work = () => carryOut(client, grid, keyed, step);
		return await (how.inOrder && step.kind === 'create' ? turns.take('create', work) : work());
	});
	return syncResults(context, plan, run.outcomes, shape);
}

/** Makes sure of every kind of write that the plan has, before the first. @throws LinkMissing */
async function permit(client: Client, grid: Grid, steps: readonly Step[]): Promise<void> {
	if (steps.some(({ kind }) => kind === 'create')) client.entities.mayCreate(grid);
	const update = steps.find((step) => step.kind === 'update');
	if (update) await client.entities.writeLink(grid, update.entity, 'update');
	const removal = steps.find((step) => step.kind === 'delete');
	if (removal) await client.entities.writeLink(grid, removal.entity, 'remove');
}

/** @returns the id of the row */
async function carryOut(client: Client, grid: Grid, keyed: KeyedRows, step: Step): Promise<string> {
	if (step.kind === 'create') return await keyed.create(step.values);
	if (step.kind === 'update') await client.entities.update(grid, step.entity, step.values);
	else await client.entities.remove(grid, step.entity);
	return step.entity._id;
}
