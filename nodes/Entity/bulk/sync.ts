import { InvalidInput } from '../../../client/errors';
import { isWritable, type Field } from '../../../client/resources/fields';
import { prepareAll, resultsOf, markNotTried } from '../../shared/runner/bulk';
import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper, columnMappers, keysOf } from '../../shared/inputs/columns/columnMapper';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming } from '../../shared/inputs/output/outputOptions';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { choice } from '../../shared/inputs/choice';
import { columnsToClear, keepOrder, requestsAtATime } from '../../shared/inputs/options';
import type { RowWriter } from '../../shared/rows/output';
import { inVersion } from '../../shared/inputs/version';
import { unstableListError } from '../../shared/rows/unstableListError';
import { excessiveShare, stopAt } from '../selection/changeLimits';
import { KeyedGrids, type KeyedRows } from '../keys/keyedRows';
import { addMissingOptionsOrThrow, unknownOptions } from '../writing/unknownOptions';
import { WriteReader, type Write } from '../writing/write';
import { carryOut, checkPermissions } from '../writing/rowChanges';
import { SyncPlan, type Desired } from './plan';
import { syncResults, type SyncShape } from './report';
import { deleteOthers, deletesOthers, deletionLimit, rowsWithoutKeyOf } from './syncSettings';
import { dryRun } from '../../shared/inputs/dryRun';

const columns = columnMapper('upsert');
/** The output of node version 1. */
const output = choice(
	'output',
	'Output',
	{
		changes: { name: 'Changes', description: 'One item per change' },
		report: { name: 'Report', description: 'One item with the number of changes of each kind' },
		both: { name: 'Report and Changes', description: 'The report, followed by one item per change' },
	},
	{ default: 'both', description: 'What to return after the sync' },
);
const result = choice(
	'result',
	'Output',
	{
		changes: { name: 'Changes', description: 'One item per change; a hint says how many there were' },
		changesWithReport: {
			name: 'Changes, with Report',
			description:
				'One item per change, each with the report in "_report"; without changes, one item with the report',
		},
		report: { name: 'Report', description: 'One item with the number of changes of each kind' },
	},
	{ default: 'changes', description: 'What to return after the sync' },
);

const rowsWithoutKey = rowsWithoutKeyOf('an item');

export const sync = batchOperation({
	value: 'sync',
	name: 'Sync',
	action: 'Sync rows',
	description:
		'Make a grid match the input items: create missing rows, update rows that differ and, optionally, delete all others. Key columns identify the rows.',
	hintsBeforeRun: [deletesOthers],
	fields: [
		...changeableGridFields,
		...columnMappers(columns),
		deleteOthers,
		dryRun,
		inVersion(1, output),
		inVersion(2, result),
		columnNaming,
	],
	options: [
		findLinkedRowsBy,
		columnsToClear,
		deletionLimit,
		keepOrder,
		requestsAtATime,
		rowsWithoutKey,
		unknownOptions,
	],
	async runAll(context) {
		const { client, node } = context;
		const { parameter, option, columnNames, rowWriter } = context.at(0);
		const reader = new WriteReader(context, columns);
		const keyed = new KeyedGrids(client);
		let first: SyncTarget | undefined;
		const prepared = await prepareAll(context, async (item): Promise<SyncWrite | undefined> => {
			const { grid, fields, mapping, values, addsOptions } = await reader.read(
				item,
				item.option(columnsToClear),
			);
			const rows = keyed.of(grid, keysOf(mapping, fields));
			const isSkipped = item.option(rowsWithoutKey) === 'skip' && rows.emptyKeyOf(values);
			if (isSkipped) return undefined;
			const key = rows.keyOf(values);
			first ??= { grid, fields, mapping, rows };
			return { grid, values, addsOptions, key, itemIndex: item.itemIndex };
		});
		reader.showHints(context);
		const writes = prepared.flatMap((outcome) =>
			outcome.state === 'done' && outcome.value ? [outcome.value] : [],
		);
		// Which rows to delete depends on the whole input, so one invalid item stops the run.
		if (prepared.some(({ state }) => state !== 'done')) return resultsOf(node, markNotTried(prepared));
		if (!first) throw noKeys();
		const skipped = prepared.length - writes.length;
		if (skipped > 0)
			context.hint(
				`${skipped} of ${prepared.length} items have no value in a key column and were skipped.`,
				'warning',
			);
		const shape: SyncShape = {
			names: columnNames(first.fields),
			row: context.version === 1 ? rowWriter(first.fields) : uniform(rowWriter(first.fields), first.fields),
			dryRun: parameter(dryRun),
			output: context.version === 1 ? parameter(output) : OUTPUTS[parameter(result)],
		};
		return await syncGrid(context, writes, first, {
			shape,
			deleteOthers: parameter(deleteOthers),
			deletionLimit: option(deletionLimit),
			inOrder: option(keepOrder),
		});
	},
});

const OUTPUTS = { changes: 'changes', changesWithReport: 'inField', report: 'report' } as const;

/** Outputs all writable columns in every row, so that n8n's table has no gaps. */
function uniform(row: RowWriter, fields: readonly Field[]): RowWriter {
	const ids = fields.filter(isWritable).map(({ id }) => id);
	return (entity) =>
		row({ ...Object.fromEntries(ids.map((id) => [id, entity[id] ?? null])), _id: entity._id });
}

/** An empty or broken source must not look like a successful run. */
function noKeys(): InvalidInput {
	return new InvalidInput(
		'No item has a value in all key columns; nothing was written',
		'Check that the source returned its rows, and that "Columns" maps a value to each key column.',
	);
}

/** One input item, read and checked. */
interface SyncWrite extends Desired, Pick<Write, 'grid' | 'addsOptions'> {}

/** The grid of the first item. */
interface SyncTarget extends Pick<Write, 'grid' | 'fields' | 'mapping'> {
	rows: KeyedRows;
}

interface SyncSettings {
	shape: SyncShape;
	deleteOthers: boolean;
	deletionLimit: number;
	inOrder: boolean;
}

async function syncGrid(
	context: ItemsContext,
	writes: readonly SyncWrite[],
	{ grid, fields, mapping, rows: keyed }: SyncTarget,
	{ shape, ...settings }: SyncSettings,
): Promise<Array<Result | Error>> {
	const { client } = context;
	const other = writes.find((write) => write.grid.id !== grid.id);
	if (other)
		throw new InvalidInput(
			`Item ${other.itemIndex} selects a different grid from item 0`,
			'Sync works on one grid at a time. Choose a fixed grid, or split the items into one run per grid.',
		);
	const keys = keysOf(mapping, fields);
	const describe = (values: Record<string, unknown>) => keyed.describe(values);
	const { deleteOthers: deletes } = settings;
	const source = new SyncPlan({ desired: writes, keys, fields, deleteOthers: deletes, describe });
	const needs = keys.map(({ id }) => id);
	const { items: rows, unstable } = await client.entities.manyAs(grid, source.found, {}, { needs });
	if (unstable) throw unstableListError(grid);
	const plan = source.stepsFor(rows);
	// An empty or broken source would delete many rows.
	const excess = excessiveShare({
		grid,
		rows: plan.steps.filter(({ kind }) => kind === 'delete').length,
		all: rows.length,
		percent: settings.deletionLimit,
		verb: 'deleted',
		advice:
			'Check that the input is complete. To delete this many rows, raise "Deletion Limit (%)" under Options.',
	});
	stopAt(excess, { isDryRun: shape.dryRun, hint: context.hint });
	const steps = plan.steps.map((step) => ({ ...step, grid }));
	await checkPermissions(client, steps);
	const addsOptions = writes.some((write) => write.addsOptions);
	const writings = plan.steps.flatMap((step) =>
		step.kind === 'delete' ? [] : [{ grid, fields, values: step.values, addsOptions }],
	);
	await addMissingOptionsOrThrow(context, writings, shape.dryRun);
	if (shape.dryRun) return syncResults(context, plan, undefined, shape);
	const outcomes = await carryOut(client, steps, {
		create: async ({ values }) => await keyed.create(values),
		inOrder: settings.inOrder,
	});
	return syncResults(context, plan, outcomes, shape);
}
