import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper } from '../../shared/inputs/columns/columnMapper';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { columnsToClear, requestsAtATime } from '../../shared/inputs/options';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/output/outputOptions';
import { updatableEntityPicker } from '../../shared/inputs/pickers/entity';
import type { Entity } from '../../../client/resources/entities';
import { dryRun } from '../../shared/inputs/dryRun';
import type { BulkWork } from '../../shared/runner/bulk';
import { batchOperation } from '../../shared/runner/operation';
import { RowsInDryRun, writeItems } from '../writing/dryRuns';
import { updateOf, type ChangeShape } from '../writing/rowChanges';
import { unknownOptions } from '../writing/unknownOptions';
import { requireValues, WriteReader, type Write } from '../writing/write';

/** One item, read and checked. */
interface UpdateWrite extends Write, ChangeShape {
	entityId: string;
	represent: (entity: Entity) => object;
}

const columns = columnMapper('update');

const WITHOUT_VALUES =
	'Map a value to at least one column; with automatic mapping, name the fields of the item like the columns.';

function withoutValues(count: number, items: number): string {
	return `Items without a value for any column: ${count} of ${items}. Their rows stay as they are.`;
}

export const update = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update row',
	description: 'Change values of a row by its ID; columns without a mapped value stay as they are',
	fields: [...changeableGridFields, updatableEntityPicker, columns, simplify, columnNaming],
	options: [columnsToClear, dryRun, findLinkedRowsBy, outputColumns, requestsAtATime, unknownOptions],
	async runAll(context) {
		const { client } = context;
		const reader = new WriteReader(context, columns);
		let unchanged = 0;
		const held = new RowsInDryRun(
			async (grid, id) => await pickedBy(updatableEntityPicker, client.entities.get(grid, id)),
		);
		const isDry = context.at(0).option(dryRun);
		const work: BulkWork<UpdateWrite> = {
			async prepare(item) {
				const write = await reader.read(item, item.option(columnsToClear));
				if (Object.keys(write.values).length === 0) {
					if (write.unknown.length > 0) requireValues(write, WITHOUT_VALUES);
					unchanged++;
				}
				const entityId = item.parameter(updatableEntityPicker);
				const shape = { row: item.rowWriter(write.fields), names: item.columnNames(write.fields) };
				return { ...write, ...shape, entityId, represent: item.entityWriter(write.fields) };
			},
			check: isDry
				? async ({ grid, entityId }) => {
						await client.entities.writeLink(grid, await held.get(grid, entityId), 'update');
					}
				: undefined,
			serialKey: ({ entityId }) => entityId,
			async perform({ grid, entityId, values, represent }) {
				// §4.5: the response is the entity in its new state.
				return represent(
					await pickedBy(updatableEntityPicker, client.entities.update(grid, entityId, values)),
				);
			},
		};
		const results = await writeItems(context, work, async ({ grid, fields, entityId, values }) => {
			const entity = await held.get(grid, entityId);
			const change = updateOf(fields, entity, values);
			held.set(grid, entityId, { ...entity, ...change.values });
			return [change];
		});
		reader.showHints(context);
		if (unchanged > 0) context.hint(withoutValues(unchanged, context.items.length), 'warning');
		return results;
	},
});
