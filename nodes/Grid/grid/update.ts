import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { nothingToChange } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';
import { changeOf, gridChanges } from './gridProperties';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update grid',
	description: 'Change the name, key, icon or properties of a grid; for its columns, use the resource Column',
	whenRejected: 'If the name or key is in use by another grid or view of the space, choose another one.',
	on: changeableGrid,
	fields: [gridChanges],
	async run({ client, grid, parameter }) {
		const change = changeOf(parameter(gridChanges), grid.icon);
		if (Object.keys(change).length === 0) throw nothingToChange();
		await client.grids.update(grid, change);
		return { id: grid.id, spaceId: grid.address.spaceId, ...change };
	},
});
