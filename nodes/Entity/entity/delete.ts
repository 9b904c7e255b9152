import type { Entity, Grid } from '../../../client';
import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { dryRun } from '../../shared/inputs/options';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { removableEntityPicker } from '../../shared/inputs/pickers/entity';
import type { BulkWork } from '../../shared/runner/bulk';
import { batchOperation } from '../../shared/runner/operation';
import { RowsInDryRun, writeItems } from '../writing/dryRuns';
import { conflictsOf, keepOldValues, onlyIfUnchanged } from '../writing/expectedValues';
import { changeRow, type ChangeShape, type EntityChange, type Unwritten } from '../writing/rowChanges';
import type { Writing } from '../writing/unknownOptions';

/** One item, read and checked. */
interface Deletion extends Writing, ChangeShape {
	entityId: string;
	/** What the row must still hold. */
	expected: ReturnType<typeof onlyIfUnchanged.read>;
	/** Whether to output what the row held. */
	keepsOld: boolean;
}

export const deleteEntity = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete row',
	description: 'Delete a row of a grid permanently',
	fields: [...changeableGrid.fields, removableEntityPicker, dryRun],
	options: [keepOldValues, onlyIfUnchanged],
	async runAll(context) {
		const { client } = context;
		const readRow = async (grid: Grid, id: string) =>
			await pickedBy(removableEntityPicker, client.entities.get(grid, id));
		const held = new RowsInDryRun(readRow);
		const isDry = context.at(0).parameter(dryRun);
		const work: BulkWork<Deletion> = {
			async prepare(item) {
				const { grid, fields } = await changeableGrid.open(client, item.parameter);
				const shape = { row: item.rowWriter(fields), names: item.columnNames(fields) };
				const entityId = item.parameter(removableEntityPicker);
				const expected = item.option(onlyIfUnchanged);
				const keepsOld = item.option(keepOldValues);
				return { grid, fields, ...shape, entityId, values: {}, addsOptions: false, expected, keepsOld };
			},
			check: isDry
				? async ({ grid, entityId }) => {
						await client.entities.writeLink(grid, await held.get(grid, entityId), 'remove');
					}
				: undefined,
			serialKey: ({ entityId }) => entityId,
			async perform(deletion) {
				const { grid, entityId, expected, keepsOld } = deletion;
				const change =
					expected || keepsOld ? plannedDeletion(deletion, await readRow(grid, entityId)) : undefined;
				if (change?.kind === 'conflict') return changeRow(change, deletion, {});
				await pickedBy(removableEntityPicker, client.entities.remove(grid, entityId));
				if (!change) return { deleted: true, _id: entityId };
				return { deleted: true, ...changeRow(change, deletion, {}) };
			},
		};
		return await writeItems(context, work, async (deletion) => {
			const { grid, entityId } = deletion;
			const entity = await held.get(grid, entityId);
			const change = plannedDeletion(deletion, entity);
			if (change.kind === 'delete') held.set(grid, entityId, undefined);
			return [change];
		});
	},
});

/** The deletion of a row, unless it no longer holds what the item says. */
function plannedDeletion({ expected = [], fields }: Deletion, entity: Entity): EntityChange | Unwritten {
	const reasons = conflictsOf(expected, fields, entity);
	return reasons.length > 0
		? { kind: 'conflict', entity, values: {}, reasons }
		: { kind: 'delete', entity, values: {} };
}
