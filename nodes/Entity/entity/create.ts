import type { Entity } from '../../../client/resources/entities';
import type { Created } from '../../../client/session/created';
import type { BulkWork } from '../../shared/runner/bulk';
import type { ItemContext, ItemsContext } from '../../shared/runner/context';
import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper, keyColumns } from '../../shared/inputs/columns/columnMapper';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import {
	columnNaming,
	outputColumns,
	readRowsBack,
	returnFullEntity,
	simplifySince2,
} from '../../shared/inputs/output/outputOptions';
import { dryRun } from '../../shared/inputs/dryRun';
import { allowEmptyRow } from '../../shared/inputs/columns/emptyRow';
import { batchOperation } from '../../shared/runner/operation';
import { columnsOption, columnsToClear, keepOrder, requestsAtATime } from '../../shared/inputs/options';
import { writeItems } from '../writing/dryRuns';
import { findRows } from '../keys/findRows';
import { KeyedGrids, readAllAhead, type KeyedRows } from '../keys/keyedRows';
import { plannedRow, type ChangeShape, type RowChange } from '../writing/rowChanges';
import { returnOf, type ReturnedRows } from '../output/returnedRows';
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
	key: string | undefined;
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
	fields: [...changeableGridFields, columns, returnFullEntity, simplifySince2, columnNaming],
	options: [
		findLinkedRowsBy,
		allowEmptyRow,
		avoidDuplicatesBy,
		columnsToClear,
		dryRun,
		findRows,
		keepOrder,
		outputColumns,
		readRowsBack,
		requestsAtATime,
		unknownOptions,
	],
	async runAll(context) {
		const reader = new WriteReader(context, columns, true);
		const keyed = new KeyedGrids(context.client);
		const { option } = context.at(0);
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
			check: option(dryRun) ? async ({ rows, values }) => void (await rows?.matching(values)) : undefined,
			resultWithoutRequest(write) {
				const { rows, key } = write;
				const [entity] = (key === undefined ? undefined : rows?.held(key)) ?? [];
				return entity && existingRow(write, entity);
			},
			async perform(write) {
				const { grid, values, layout, rows } = write;
				const made = rows
					? await rows.createOnce(values)
					: { outcome: 'created' as const, ...(await context.client.entities.create(grid, values, layout)) };
				if (made.outcome === 'created') return await createdRow(context, write, made);
				return existingRow(write, made.entity);
			},
			serialKey: ({ key }) => key,
			inOrder: option(keepOrder),
			unlocated: (write, error) => unlocatedRow(write, error),
		};
		const results = await writeItems(context, work, planned);
		reader.showHints(context);
		if (existing > 0)
			context.hint(`${existing} of ${results.length} rows already existed and were not created again.`);
		return results;
	},
});

async function createWriteOf(
	item: ItemContext,
	reader: WriteReader,
	keyed: KeyedGrids,
): Promise<CreateWrite> {
	const { client, option } = item;
	const write = await reader.read(item, option(columnsToClear));
	client.entities.mayCreate(write.grid);
	const { grid, fields } = write;
	if (!option(allowEmptyRow)) requireValues(write);
	const names = option(avoidDuplicatesBy);
	const rows =
		names.length > 0 ? keyed.of(grid, keyColumns(names, fields, 'Avoid Duplicates By')) : undefined;
	const key = rows?.keyOf(write.values);
	const shape = { row: item.rowWriter(fields), names: item.columnNames(fields) };
	return { ...write, ...shape, ...returnOf(item, fields), rows, key };
}

/** The row of output for a created row; read back if the user wants it. */
async function createdRow(
	context: ItemsContext,
	{ grid, values, rows, row, full, represent }: CreateWrite,
	{ id, href }: Created,
): Promise<object> {
	if (id === null) return addressedRow({ row, values }, href);
	const sent = { ...values, _id: id };
	const entity = full ? await readBack(context, context.client, grid, sent) : sent;
	return rows ? { ...represent(entity), _outcome: 'created' } : represent(entity);
}

/** The change of an item in a dry run. */
async function planned({ rows, values }: CreateWrite): Promise<RowChange[]> {
	const [entity] = (await rows?.matching(values)) ?? [];
	if (entity) return [{ kind: 'unchanged', entity, values: {} }];
	rows?.remember(values, [plannedRow(values)]);
	return [{ kind: 'create', values }];
}
