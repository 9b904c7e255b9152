import { InvalidInput } from '../../../client/errors';
import { chosenGrid, writableGridFields } from '../../shared/inputs/chosenGrid';
import { iconOf } from '../../shared/inputs/symbolObject';
import type { Operation } from '../../shared/runner/operation';
import { given, gridChanges } from './gridProperties';

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a grid',
	description: 'Change the name, key, icon or properties of a grid; its columns have operations of their own',
	fields: [...writableGridFields, gridChanges],
	async run({ client, parameter }) {
		const { name, key, properties, ...icon } = parameter(gridChanges);
		const { grid } = await chosenGrid(client, parameter);
		const change = given({ name, key, icon: iconOf(icon, grid.icon), properties });
		if (Object.keys(change).length === 0)
			throw new InvalidInput('There is nothing to change', 'Add what to change under "Update Fields".');
		await client.grids.update(grid, change);
		return { id: grid.id, spaceId: grid.address.spaceId, ...change };
	},
};
