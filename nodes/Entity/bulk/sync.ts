import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { isWritable, type Field } from '../../../client/resources/fields';
import { prepareAll, resultsOf, withheld } from '../../shared/runner/bulk';
import { changeableGridFields } from '../../shared/inputs/chosenGrid';
import { columnMapper, keysOf } from '../../shared/inputs/columnMapper';
import { findLinkedRowsBy } from '../../shared/inputs/linkedRows';
import { columnNaming } from '../../shared/inputs/outputOptions';
import type { ItemsContext, Result } from '../../shared/runner/context';
import { batchOperation } from '../../shared/runner/operation';
import { choice } from '../../shared/inputs/choice';
import { columnsToClear, keepOrder, requestsAtATime } from '../../shared/inputs/options';
import type { RowWriter } from '../../shared/rows/output';
import { inVersion } from '../../shared/inputs/version';
import { numeric, parameter as input } from '../../shared/inputs/parameter';
import { keepsChanging } from '../../shared/rows/keepsChanging';
import { refuseShare } from '../changeLimits';
import { KeyedGrids, type KeyedRows } from '../keyedRows';
import { settleOptions, unknownOptions } from '../unknownOptions';
import { WriteReader, type Write } from '../write';
import { carryOut, checkPermissions } from '../rowChanges';
import { planOf } from './plan';
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
			'Whether to delete rows whose key is not in the input. If that would delete more than 20 % of the rows, nothing is written; to change this limit, add the option Deletion Limit (%).',
	},
	z.boolean(),
);
/** Of version 1. */
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
const deletionLimit = input(
	{
		displayName: 'Deletion Limit (%)',
		name: 'deletionLimit',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 20,
		description:
			'The largest share of the rows that one run may delete. If more would be deleted, nothing is written. Protects against an empty or broken source.',
	},
	numeric.pipe(z.number().min(0).max(100)),
);

const rowsWithoutKey = choice(
	'rowsWithoutKey',
	'Rows Without Key',
	{
		fail: { name: 'Fail', description: 'Nothing is written, and the error names the item' },
		skip: { name: 'Skip', description: 'The item is left out; a hint tells how many were' },
	},
	{
		default: 'skip',
		description:
			'What to do with an item that has no value in a key column, such as an empty line of a file. With "Delete Other Rows" on, a row of the grid whose item has lost its key is deleted like any other that is not in the input.',
	},
);

export const sync = batchOperation({
	value: 'sync',
	name: 'Sync',
	action: 'Sync rows',
	description:
		'Make a grid match the input items: create missing rows, update rows that differ and, optionally, delete all others. Key columns identify the rows.',
	hintsBeforeRun: [
		{
			type: 'danger',
			when: '$parameter.deleteOthers === true && !$parameter.dryRun',
			message:
				'"Delete Other Rows" is on: this run deletes every row whose key is not in the input. Switch on "Dry Run" to see them first.',
		},
	],
	fields: [
		...changeableGridFields,
		columns,
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
		const prepared = await prepareAll(context, async (item) => {
			const write = await reader.read(item, item.option(columnsToClear));
			const rows = keyed.of(write.grid, keysOf(write.mapping, write.fields));
			const isSkipped = item.option(rowsWithoutKey) === 'skip' && rows.emptyKeyOf(write.values);
			if (isSkipped) return undefined;
			return { ...write, rows, key: rows.keyOf(write.values), itemIndex: item.itemIndex };
		});
		reader.showHints(context);
		const writes = prepared.flatMap((outcome) =>
			outcome.state === 'done' && outcome.value ? [outcome.value] : [],
		);
		const [first] = writes;
		// Which rows to delete depends on the whole input, so one invalid item stops the run.
		if (prepared.some(({ state }) => state !== 'done')) return resultsOf(node, withheld(prepared));
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
		return await syncGrid(context, writes, first, shape, {
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
interface SyncWrite extends Write {
	itemIndex: number;
	rows: KeyedRows;
	key: string;
}

async function syncGrid(
	context: ItemsContext,
	writes: readonly SyncWrite[],
	{ grid, fields, mapping, rows: keyed }: SyncWrite,
	shape: SyncShape,
	settings: { deleteOthers: boolean; deletionLimit: number; inOrder: boolean },
): Promise<Array<Result | Error>> {
	const { client } = context;
	const keys = keysOf(mapping, fields);
	const desired = writes.map(({ values, itemIndex, key, grid: own }) => {
		if (own.id !== grid.id)
			throw new InvalidInput(
				`Item ${itemIndex} selects a different grid from item 0`,
				'Sync works on one grid at a time. Choose a fixed grid, or split the items into one run per grid.',
			);
		return { values, itemIndex, key };
	});
	const { items: rows, unstable } = await client.entities.many(grid);
	if (unstable) throw keepsChanging(grid);
	const describe = (values: Record<string, unknown>) => keyed.describe(values);
	const plan = planOf({ desired, rows, keys, fields, deleteOthers: settings.deleteOthers, describe });
	// An empty or broken source would delete many rows.
	refuseShare({
		grid,
		rows: plan.steps.filter(({ kind }) => kind === 'delete').length,
		all: rows.length,
		percent: settings.deletionLimit,
		verb: 'deleted',
		advice: 'Check that the input is complete. To delete this many rows, raise "Deletion Limit (%)".',
	});
	const steps = plan.steps.map((step) => ({ ...step, grid }));
	await checkPermissions(client, steps);
	const addsOptions = writes.some((write) => write.addsOptions);
	const writings = plan.steps.flatMap((step) =>
		step.kind === 'delete' ? [] : [{ grid, fields, values: step.values, addsOptions }],
	);
	await settleOptions(context, writings, shape.dryRun);
	if (shape.dryRun) return syncResults(context, plan, undefined, shape);
	const outcomes = await carryOut(client, steps, {
		create: async ({ values }) => await keyed.create(values),
		inOrder: settings.inOrder,
	});
	return syncResults(context, plan, outcomes, shape);
}
