import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import { entityPicker } from '../../shared/pickers/entity';
import type { Operation } from '../../shared/operation';

export const deleteEntity: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete an entity',
	description: 'Remove a row from a grid; it cannot be brought back',
	fields: [...gridFields, entityPicker],
	async run({ client, parameter }) {
		const { grid } = await chosenGrid(client, parameter);
		const entityId = parameter(entityPicker);
		await client.entities.remove(grid, entityId);
		return { deleted: true, _id: entityId };
	},
};
