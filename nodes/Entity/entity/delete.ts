import { changeableGrid } from '../../shared/inputs/chosenGrid';
import { pickedBy } from '../../shared/inputs/locators';
import { requestsAtATime } from '../../shared/inputs/options';
import { removableEntityPicker } from '../../shared/inputs/pickers/entity';
import { concurrentOperation } from '../../shared/runner/operation';

export const deleteEntity = concurrentOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete row',
	description: 'Delete a row of a grid permanently',
	on: changeableGrid,
	fields: [removableEntityPicker],
	options: [requestsAtATime],
	prepare: ({ grid, parameter }) => ({ grid, entityId: parameter(removableEntityPicker) }),
	turnOf: ({ entityId }) => entityId,
	async perform({ grid, entityId }, client) {
		await pickedBy(removableEntityPicker, client.entities.remove(grid, entityId));
		return { deleted: true, _id: entityId };
	},
});
