import { inBulk } from '../../shared/runner/bulk';
import { writableGridFields } from '../../shared/inputs/chosenGrid';
import { columnMapper, keyColumns } from '../../shared/inputs/columnMapper';
import { columnNaming, outputColumns, returnFullEntity } from '../../shared/inputs/outputOptions';
import { rowWriter } from '../../shared/rows/output';
import { allowEmptyRow } from '../../shared/inputs/emptyRow';
import type { Operation } from '../../shared/runner/operation';
import {
	columnsOption,
	columnsToClear,
	keepOrder,
	optionsOf,
	requestsAtATime,
} from '../../shared/inputs/options';
import { KeyedGrids } from '../keyedRows';
import { addressedRow, readBack, refuseNothing, unlocatedRow, WriteReader } from '../write';

const columns = columnMapper('add');
const avoidDuplicatesBy = columnsOption({
	displayName: 'Avoid Duplicates By',
	name: 'avoidDuplicatesBy',
	description:
		'Key columns. A row whose values in them are there already is not created again, but output with the outcome "existing"; so the same items can be run twice. Costs one more request for each row.',
});
const options = optionsOf(
	allowEmptyRow,
	avoidDuplicatesBy,
	columnsToClear,
	keepOrder,
	outputColumns,
	requestsAtATime,
);

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create an entity',
	description: 'Add a row to a grid, for each item',
	fields: [...writableGridFields, columns, returnFullEntity, columnNaming, options],
	async runAll(context) {
		const { hint } = context;
		const ofAll = context.parameter(options, 0);
		const client = context.client.limitedTo(ofAll(requestsAtATime));
		const reader = new WriteReader(columns, true);
		const keyed = new KeyedGrids(client);
		let existing = 0;
		const results = await inBulk(context, client, {
			async prepare(item) {
				const option = item.parameter(options);
				const write = await reader.read(item, option(columnsToClear));
				client.entities.mayCreate(write.grid);
				const { grid, fields } = write;
				if (!option(allowEmptyRow)) refuseNothing(write);
				const names = option(avoidDuplicatesBy);
				const rows =
					names.length > 0 ? keyed.of(grid, keyColumns(names, fields, 'Avoid Duplicates By')) : undefined;
				const key = rows?.keyOf(write.values);
				const row = rowWriter(write.fields, {
					by: item.parameter(columnNaming),
					only: option(outputColumns),
					hint,
				});
				return { ...write, rows, key, row, full: item.parameter(returnFullEntity) };
			},
			async perform({ grid, values, layout, rows, row, full }) {
				const made = rows
					? await rows.createOnce(values)
					: { outcome: 'created' as const, ...(await client.entities.create(grid, values, layout)) };
				const outcome = rows ? { _outcome: made.outcome } : {};
				if (made.outcome === 'existing') {
					existing++;
					return { ...row(made.entity), ...outcome };
				}
				if (made.id === null) return addressedRow({ row, values }, made.href);
				const sent = { ...values, _id: made.id };
				const entity = full ? await readBack(context, client, grid, sent) : sent;
				return { ...row(entity), ...outcome };
			},
			turnOf: ({ key }) => key,
			inOrder: ofAll(keepOrder),
			unlocated: (write, error) => unlocatedRow(write, error),
		});
		reader.tell(context);
		if (existing > 0)
			context.hint(`Of ${results.length} rows ${existing} were there already: they were not created again.`);
		return results;
	},
};
