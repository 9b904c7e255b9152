import { dryRun, columnsToClear, keepOrder, optionGroup } from '../../shared/inputs/options';
import { columnMapper, columnMappers, keysOf } from '../../shared/inputs/columns/columnMapper';
import { formats } from '../../shared/inputs/formats';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import {
	columnNaming,
	outputColumns,
	readRowsBack,
	simplify,
} from '../../shared/inputs/output/outputOptions';
import type { ItemContext } from '../../shared/runner/context';
import { choice } from '../../shared/inputs/choice';
import { compareAs, comparedFields } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { CLEAN_UP, KeyedGrids } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { RunTurns } from '../keys/turns';
import { columnRules, rulesById } from '../writing/columnRules';
import { emptiedValuesLimit } from '../writing/emptiedValues';
import { changesOf } from '../writing/differences';
import { writeItems, type ItemWrite } from '../writing/items';
import type { Rules } from '../writing/plan';
import { returnOf, type ReturnedRows, createdRow, unlocatedRow, WriteReader } from '../writing/write';
import { writeOperation } from '../writing/runLog';
import {
	creationLimit,
	limits,
	PlannedRows,
	refuseLimitsOneByOne,
	updateLimit,
	writing,
} from '../writing/settings';
import { duplicatesMadeMeanwhile, settled } from '../writing/settling';
import { changeRow } from '../writing/steps';
import { RowsByKey } from '../writing/targets';
import { unknownOptions } from '../writing/unknownOptions';

const columns = columnMapper('upsert');
const whenSeveral = choice(
	'whenSeveral',
	'When Several Rows Match',
	{
		fail: { name: 'Fail', description: 'Write nothing for the item; the error lists the rows' },
		all: { name: 'Update All', description: 'Output one item per row' },
		first: { name: 'Update First', description: 'The first row in the order of the grid' },
	},
	{
		default: 'fail',
		description: 'What to do if the key columns of an item match more than one row',
	},
);

const whenUnmatched = choice(
	'whenUnmatched',
	'When No Row Matches',
	{
		create: { name: 'Create', description: 'Add a row with the values of the item' },
		fail: { name: 'Fail', description: 'The item goes to the error output, if the node has one' },
		skip: { name: 'Skip', description: 'Write nothing; the outcome is "notFound"' },
	},
	{
		default: 'create',
		description: 'What to do with an item if no row has its key. Change it to update only what exists.',
	},
);

const matching = optionGroup(
	{
		displayName: 'Matching Rows',
		name: 'matching',
		description: 'How the row of an item is found, and what to do if there is none, or several',
	},
	findRows,
	whenUnmatched,
	whenSeveral,
);

const emptiedValues = emptiedValuesLimit(100);

export const upsert = writeOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update row',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: columnMappers(columns),
	options: [
		columnRules,
		columnsToClear,
		compareAs,
		findLinkedRowsBy,
		formats,
		limits(creationLimit, emptiedValues, updateLimit),
		matching,
		outputColumns,
		columnNaming,
		simplify,
		unknownOptions,
		writing(duplicatesMadeMeanwhile, keepOrder, readRowsBack),
	],
	async runAll(context) {
		const reader = new WriteReader(context, columns, false, formats);
		const keyed = new KeyedGrids(context.client, new RunTurns(context));
		const { option, parameter } = context.at(0);
		refuseLimitsOneByOne(option, [creationLimit, emptiedValues, updateLimit]);
		const planned = new PlannedRows();
		const results = await writeItems<UpsertWrite>(context, {
			prepare: async (item) => [await upsertWriteOf(item, reader, keyed)],
			planned: (write, steps) => {
				planned.add(write, steps);
			},
			refuse: () => {
				planned.refuse(context.at(0), emptiedValues);
			},
			how: option(findRows),
			isCounted: true,
			inOrder: option(keepOrder) || context.client.session.limiter.isSequential,
			create: (write) => createdRow(context, write),
			output: ({ represent, names }, change, done) =>
				done?.row
					? {
							...represent(done.row),
							_outcome: 'created',
							_changes: changesOf(names, undefined, change.values),
						}
					: changeRow({ row: represent, names }, change, done),
			unlocated: (write, error) => ({ ...unlocatedRow(write, error), _changes: [] }),
		});
		reader.showHints(context);
		return parameter(dryRun) ? results : await settled(context, results, keyed, { writesValues: true });
	},
});

/** One item, read and checked. */
interface UpsertWrite extends ItemWrite, ReturnedRows {
	target: RowsByKey;
	key: RowKey;
}

async function upsertWriteOf(
	item: ItemContext,
	reader: WriteReader,
	keyed: KeyedGrids,
): Promise<UpsertWrite> {
	const { client, option } = item;
	const { grid, mapping, values, addsOptions, ...write } = await reader.read(item, option(columnsToClear));
	const fields = comparedFields(option(compareAs), write.fields);
	const unmatched = option(whenUnmatched);
	const several = option(whenSeveral);
	if (unmatched === 'create') client.entities.mayCreate(grid);
	const rows = keyed.of(grid, keysOf(mapping, fields), fields);
	rows.search.need(Object.keys(values));
	const key = rows.keys.keyOf(values);
	const names = item.columnNames(fields);
	const { full, row, represent } = returnOf(item, fields);
	const rules: Rules = {
		fields,
		names,
		matched: 'update',
		unmatched: unmatched === 'fail' ? { advice: 'Add the row, or change "When No Row Matches".' } : unmatched,
		several: several === 'fail' ? { advice: AMBIGUOUS } : several,
		columns: rulesById(option(columnRules), fields),
		keys: rows.keys,
	};
	const target = new RowsByKey(rows, key);
	// There are thousands: a copy made by spreading takes several times as much memory.
	return { grid, fields, values, addsOptions, target, key, row, names, full, represent, rules };
}

const AMBIGUOUS = `${CLEAN_UP} Or change "When Several Rows Match".`;
