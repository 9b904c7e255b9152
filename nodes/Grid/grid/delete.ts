import { changeableGrid } from '../../shared/inputs/pickers/chosenGrid';
import { notice } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';

export const deleteGrid = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete grid',
	description: 'Delete a grid permanently, with all its rows, columns, views and forms',
	on: changeableGrid,
	notice: notice(
		'notice',
		'Deletes the grid with all its rows, columns, views and forms at once. This cannot be undone.',
	),
	fields: [],
	async run({ client, grid }) {
		await client.grids.remove(grid);
		return { deleted: true, id: grid.id, name: grid.name };
	},
});
