import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { dryRun } from '../../shared/inputs/dryRun';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { requestsAtATime } from '../../shared/inputs/options';
import { removableEntityPicker } from '../../shared/inputs/pickers/entity';
import type { BulkWork } from '../../shared/runner/bulk';
import { batchOperation } from '../../shared/runner/operation';
import { RowsInDryRun, writeItems } from '../writing/dryRuns';
import type { ChangeShape } from '../writing/rowChanges';
import type { Writing } from '../writing/unknownOptions';

/** One item, read and checked. */
interface Deletion extends Writing, ChangeShape {
	entityId: string;
}

export const deleteEntity = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete row',
	description: 'Delete a row of a grid permanently',
	fields: [...changeableGrid.fields, removableEntityPicker],
	options: [dryRun, requestsAtATime],
	async runAll(context) {
		const { client } = context;
		const held = new RowsInDryRun(
			async (grid, id) => await pickedBy(removableEntityPicker, client.entities.get(grid, id)),
		);
		const isDry = context.at(0).option(dryRun);
		const work: BulkWork<Deletion> = {
			async prepare(item) {
				const { grid, fields } = await changeableGrid.open(client, item.parameter);
				const shape = { row: item.rowWriter(fields), names: item.columnNames(fields) };
				const entityId = item.parameter(removableEntityPicker);
				return { grid, fields, ...shape, entityId, values: {}, addsOptions: false };
			},
			check: isDry
				? async ({ grid, entityId }) => {
						await client.entities.writeLink(grid, await held.get(grid, entityId), 'remove');
					}
				: undefined,
			serialKey: ({ entityId }) => entityId,
			async perform({ grid, entityId }) {
				await pickedBy(removableEntityPicker, client.entities.remove(grid, entityId));
				return { deleted: true, _id: entityId };
			},
		};
		return await writeItems(context, work, async ({ grid, entityId }) => {
			const entity = await held.get(grid, entityId);
			held.set(grid, entityId, undefined);
			return [{ kind: 'delete', entity, values: {} }];
		});
	},
});
