import { columnMapper, keyColumns } from '../../shared/inputs/columns/columnMapper';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import {
	columnNaming,
	outputColumns,
	readRowsBack,
	simplify,
} from '../../shared/inputs/output/outputOptions';
import { dryRun, columnsOption, columnsToClear, keepOrder } from '../../shared/inputs/options';
import { allowEmptyRow, enteredValues } from '../../shared/inputs/columns/emptyRow';
import type { ItemContext } from '../../shared/runner/context';
import { compareAs, comparedFields } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { KeyedGrids } from '../keys/keyedRows';
import { RunTurns } from '../keys/turns';
import { writeItems, type ItemWrite } from '../writing/items';
import type { Rules } from '../writing/plan';
import {
	returnOf,
	type ReturnedRows,
	addressedRow,
	createdRow,
	requireValues,
	unlocatedRow,
	WriteReader,
} from '../writing/write';
import { writeOperation } from '../writing/runLog';
import { writing } from '../writing/settings';
import { duplicatesMadeMeanwhile, settled } from '../writing/settling';
import { changeRow } from '../writing/steps';
import { newRow, RowsByKey } from '../writing/targets';
import { unknownOptions } from '../writing/unknownOptions';
import type { Layout } from '../../../client';

const columns = columnMapper('add');
const avoidDuplicatesBy = columnsOption({
	displayName: 'Avoid Duplicates By',
	name: 'avoidDuplicatesBy',
	description:
		'Key columns. If the grid already has a row with the same values in them, no second one is created; the existing row is output with the outcome "existing". Makes it safe to run the same items twice. Takes additional requests: one per row, or as many as reading the grid takes.',
});

export const create = writeOperation({
	value: 'create',
	name: 'Create',
	action: 'Create row',
	description: 'Add a row to a grid for each item',
	fields: [columns],
	options: [
		findLinkedRowsBy,
		avoidDuplicatesBy,
		columnsToClear,
		compareAs,
		findRows,
		outputColumns,
		columnNaming,
		simplify,
		unknownOptions,
		writing(allowEmptyRow, duplicatesMadeMeanwhile, keepOrder, readRowsBack),
	],
	async runAll(context) {
		const reader = new WriteReader(context, columns, true);
		const keyed = new KeyedGrids(context.client, new RunTurns(context));
		const { option, parameter } = context.at(0);
		const isDry = parameter(dryRun);
		let existing = 0;
		const results = await writeItems<CreateWrite>(context, {
			prepare: async (item) => [await createWriteOf(item, reader, keyed)],
			how: option(findRows),
			inOrder: option(keepOrder) || context.client.session.limiter.isSequential,
			create: (write) => createdRow(context, write),
			output(write, change, done) {
				const { represent, target } = write;
				if (done?.href !== undefined) return addressedRow(write, done.href);
				if (done?.row)
					return target.key ? { ...represent(done.row), _outcome: 'created' } : represent(done.row);
				if (!change.entity) return changeRow(write, change, done);
				existing++;
				const shown = isDry ? changeRow(write, change, done) : represent(change.entity);
				return { ...shown, _outcome: 'existing' };
			},
			unlocated: (write, error) => unlocatedRow(write, error),
		});
		reader.showHints(context);
		if (isDry) return results;
		if (existing > 0)
			context.hint(`${existing} of ${results.length} rows already existed and were not created again.`);
		return await settled(context, results, keyed, { writesValues: false });
	},
});

/** One item, read and checked. */
interface CreateWrite extends ItemWrite, ReturnedRows {
	layout: Layout;
}

async function createWriteOf(
	item: ItemContext,
	reader: WriteReader,
	keyed: KeyedGrids,
): Promise<CreateWrite> {
	const { client, option } = item;
	const write = await reader.read(item, option(columnsToClear));
	const { grid, values, layout, addsOptions } = write;
	const fields = comparedFields(option(compareAs), write.fields);
	client.entities.mayCreate(grid);
	if (!option(allowEmptyRow))
		requireValues({ ...write, values: enteredValues(item.node, columns.property.name, write) });
	const keyNames = option(avoidDuplicatesBy);
	const rows =
		keyNames.length > 0
			? keyed.of(grid, keyColumns(keyNames, fields, 'Avoid Duplicates By'), fields)
			: undefined;
	const key = rows?.keys.keyOf(values);
	const names = item.columnNames(fields);
	const { full, row, represent } = returnOf(item, fields);
	const target = rows && key ? new RowsByKey(rows, key) : newRow;
	const rules: Rules = { fields, names, matched: 'keep', unmatched: 'create', several: 'first' };
	// One literal: copies made by spreading take several times as long for thousands of items.
	return { grid, fields, values, layout, addsOptions, row, names, full, represent, target, key, rules };
}
