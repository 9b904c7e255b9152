import { inBulk } from '../../shared/bulk';
import { chosenGrid, writableGridFields } from '../../shared/chosenGrid';
import { pickedBy } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { optionsOf, requestsAtATime } from '../../shared/options';
import { removableEntityPicker } from '../../shared/pickers/entity';

const options = optionsOf(requestsAtATime);

export const deleteEntity: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete an entity',
	description: 'Remove a row from a grid; it cannot be brought back',
	fields: [...writableGridFields, removableEntityPicker, options],
	async runAll(context) {
		const client = context.client.limitedTo(context.parameter(options, 0)(requestsAtATime));
		return await inBulk(context, client, {
			async prepare({ parameter }) {
				const { grid } = await chosenGrid(client, parameter);
				return { grid, entityId: parameter(removableEntityPicker) };
			},
			turnOf: ({ entityId }) => entityId,
			async perform({ grid, entityId }) {
				await pickedBy(removableEntityPicker, client.entities.remove(grid, entityId));
				return { deleted: true, _id: entityId };
			},
		});
	},
};
