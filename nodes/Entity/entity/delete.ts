import { inBulk } from '../../shared/runner/bulk';
import { chosenGrid, writableGridFields } from '../../shared/inputs/chosenGrid';
import { pickedBy } from '../../shared/inputs/locators';
import type { Operation } from '../../shared/runner/operation';
import { optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { removableEntityPicker } from '../../shared/inputs/pickers/entity';

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
