import type { Created, Entity } from '../../../client';
import type { BulkWork } from '../../shared/runner/bulk';
import type { ItemContext, ItemsContext } from '../../shared/runner/context';
import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper, keyColumns } from '../../shared/inputs/columns/columnMapper';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import {
	columnNaming,
	outputColumns,
	readRowsBack,
	simplify,
} from '../../shared/inputs/output/outputOptions';
import { dryRun, columnsOption, columnsToClear, keepOrder } from '../../shared/inputs/options';
import { allowEmptyRow } from '../../shared/inputs/columns/emptyRow';
import { batchOperation } from '../../shared/runner/operation';
import { writeItems } from '../writing/dryRuns';
import { compareAs, comparedFields } from '../keys/compareAs';
import { findRows } from '../keys/findRows';
import { KeyedGrids, readAllAhead, type KeyedRows, type RowKey } from '../keys/keyedRows';
import { duplicatesMadeMeanwhile, settled } from '../writing/settling';
import { RunTurns } from '../keys/turns';
import { plannedRow, type ChangeShape, type RowChange } from '../writing/steps';
import { returnOf, type ReturnedRows } from '../writing/returnedRows';
import { unknownOptions } from '../writing/unknownOptions';
import {
	addressedRow,
	readBack,
	requireValues,
	unlocatedRow,
	WriteReader,
	type Write,
} from '../writing/write';

/** One item, read and checked. */
interface CreateWrite extends Write, ChangeShape, ReturnedRows {
	/** Undefined if duplicates are not avoided. */
	rows: KeyedRows | undefined;
	key: RowKey | undefined;
}

const columns = columnMapper('add');
const avoidDuplicatesBy = columnsOption({
	displayName: 'Avoid Duplicates By',
	name: 'avoidDuplicatesBy',
	description:
		'Key columns. If the grid already has a row with the same values in them, no second one is created; the existing row is output with the outcome "existing". Makes it safe to run the same items twice. Takes additional requests: one per row, or as many as reading the grid takes.',
});

export const create = batchOperation({
	value: 'create',
	name: 'Create',
	action: 'Create row',
	description: 'Add a row to a grid for each item',
	fields: [...changeableGridFields, columns, dryRun],
	options: [
		findLinkedRowsBy,
		allowEmptyRow,
		avoidDuplicatesBy,
		columnsToClear,
		compareAs,
		duplicatesMadeMeanwhile,
		findRows,
		keepOrder,
		outputColumns,
		columnNaming,
		readRowsBack,
		simplify,
		unknownOptions,
	],
	async runAll(context) {
		const reader = new WriteReader(context, columns, true);
		const keyed = new KeyedGrids(context.client, new RunTurns(context));
		const { option, parameter } = context.at(0);
		let existing = 0;
		const existingRow = ({ represent }: CreateWrite, entity: Entity) => {
			existing++;
			return { ...represent(entity), _outcome: 'existing' };
		};
		const work: BulkWork<CreateWrite> = {
			prepare: async (item) => await createWriteOf(item, reader, keyed),
			begin: async (all) => {
				await readAllAhead(all, option(findRows));
			},
			check: parameter(dryRun)
				? async ({ rows, key }) => void (key && (await rows?.matching(key)))
				: undefined,
			resultWithoutRequest(write) {
				const { rows, key } = write;
				const [entity] = (key && rows?.known(key)) ?? [];
				return entity && existingRow(write, entity);
			},
			async perform(write) {
				const { grid, values, layout, rows, key } = write;
				if (!rows || !key)
					return await createdRow(context, write, await context.client.entities.create(grid, values, layout));
				return await rows.inTurn(key, async () => {
					const [entity] = await rows.matchingBeforeCreation(key);
					if (entity) return existingRow(write, entity);
					return await createdRow(context, write, { id: await rows.createOnce(key, values), href: '' });
				});
			},
			serialKey: ({ key }) => key?.text,
			inOrder: option(keepOrder) || context.client.session.limiter.isSequential,
			unlocated: (write, error) => unlocatedRow(write, error),
		};
		const results = await writeItems(context, work, planned);
		reader.showHints(context);
		if (existing > 0)
			context.hint(`${existing} of ${results.length} rows already existed and were not created again.`);
		const doubles = option(duplicatesMadeMeanwhile);
		return await settled(context, results, keyed, { doubles, writesValues: false });
	},
});

async function createWriteOf(
	item: ItemContext,
	reader: WriteReader,
	keyed: KeyedGrids,
): Promise<CreateWrite> {
	const { client, option } = item;
	const write = await reader.read(item, option(columnsToClear));
	const { grid, mapping, values, layout, unknown, addsOptions } = write;
	const fields = comparedFields(option(compareAs), write.fields);
	client.entities.mayCreate(grid);
	if (!option(allowEmptyRow)) requireValues(write);
	const keyNames = option(avoidDuplicatesBy);
	const rows =
		keyNames.length > 0
			? keyed.of(grid, keyColumns(keyNames, fields, 'Avoid Duplicates By'), fields)
			: undefined;
	const key = rows?.keyOf(values);
	const names = item.columnNames(fields);
	const { full, row, represent } = returnOf(item, fields);
	// One literal: copies made by spreading take several times as long for thousands of items.
	return {
		grid,
		fields,
		mapping,
		values,
		layout,
		unknown,
		addsOptions,
		row,
		names,
		full,
		represent,
		rows,
		key,
	};
}

/** The row of output for a created row; read back if the user wants it. */
async function createdRow(
	context: ItemsContext,
	{ grid, values, rows, row, full, represent }: CreateWrite,
	{ id, href }: Created,
): Promise<object> {
	if (id === null) return addressedRow({ row, values }, href);
	// A copy of a wide row takes time; only those that are looked for again are needed as sent.
	const sent = rows ? { ...values, _id: id } : Object.assign(values, { _id: id });
	const entity = full ? await readBack(context, context.client, grid, sent) : sent;
	return rows ? { ...represent(entity), _outcome: 'created' } : represent(entity);
}

/** The change of an item in a dry run. */
async function planned({ rows, key, values }: CreateWrite): Promise<RowChange[]> {
	const [entity] = (key && (await rows?.matching(key))) ?? [];
	if (entity) return [{ kind: 'unchanged', entity, values: {} }];
	if (key) rows?.remember(key, [plannedRow(values)]);
	return [{ kind: 'create', values }];
}
