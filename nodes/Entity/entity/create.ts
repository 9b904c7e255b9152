import type { BulkWork } from '../../shared/runner/bulk';
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
import { unwritten, type ChangeShape } from '../writing/rowChanges';
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
		'Key columns. If the grid already has a row with the same values in them, no second one is created: that row is output with the outcome "existing". Lets you run the same items twice. Takes further requests: one per row, or as many as to read the grid.',
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
		const { client } = context;
		const reader = new WriteReader(context, columns, true);
		const keyed = new KeyedGrids(client);
		let existing = 0;
		const isDry = context.at(0).option(dryRun);
		const work: BulkWork<CreateWrite> = {
			async prepare(item) {
				const { option } = item;
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
			},
			begin: async (all) => {
				await readAllAhead(all, context.at(0).option(findRows));
			},
			check: isDry ? async ({ rows, values }) => void (await rows?.matching(values)) : undefined,
			async perform({ grid, values, layout, rows, row, full, represent }) {
				const made = rows
					? await rows.createOnce(values)
					: { outcome: 'created' as const, ...(await client.entities.create(grid, values, layout)) };
				const outcome = rows ? { _outcome: made.outcome } : {};
				if (made.outcome === 'existing') {
					existing++;
					return { ...represent(made.entity), ...outcome };
				}
				if (made.id === null) return addressedRow({ row, values }, made.href);
				const sent = { ...values, _id: made.id };
				const entity = full ? await readBack(context, client, grid, sent) : sent;
				return { ...represent(entity), ...outcome };
			},
			serialKey: ({ key }) => key,
			inOrder: context.at(0).option(keepOrder),
			unlocated: (write, error) => unlocatedRow(write, error),
		};
		const results = await writeItems(context, work, async ({ rows, values }) => {
			const [entity] = (await rows?.matching(values)) ?? [];
			if (entity) return [{ kind: 'unchanged', entity, values: {} }];
			rows?.remember(values, [unwritten(values)]);
			return [{ kind: 'create', values }];
		});
		reader.showHints(context);
		if (existing > 0)
			context.hint(`${existing} of ${results.length} rows already existed and were not created again.`);
		return results;
	},
});
