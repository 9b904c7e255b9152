import { inBulk } from '../../shared/bulk';
import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import type { Operation } from '../../shared/operation';
import { optionsOf, requestsAtATime } from '../../shared/options';
import { entityPicker } from '../../shared/pickers/entity';

const options = optionsOf(requestsAtATime);

export const deleteEntity: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete an entity',
	description: 'Remove a row from a grid; it cannot be brought back',
	fields: [...gridFields, entityPicker, options],
	async runAll(context) {
		const client = context.client.limitedTo(context.parameter(options, 0)(requestsAtATime));
		return await inBulk(context, client, {
			async prepare({ parameter }) {
				const { grid } = await chosenGrid(client, parameter);
				return { grid, entityId: parameter(entityPicker) };
			},
			async perform({ grid, entityId }) {
				await client.entities.remove(grid, entityId);
				return { deleted: true, _id: entityId };
			},
		});
	},
};
