import { chosenGrid, writableGridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { notice } from '../../shared/inputs/notice';

export const deleteGrid: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a grid',
	description:
		'Delete a grid with all its rows, columns, views and forms, permanently and without a further question',
	fields: [
		notice(
			'notice',
			'This deletes the grid with all its rows, columns, views and forms, at once and without a question. It cannot be undone.',
		),
		...writableGridFields,
	],
	async run({ client, parameter }) {
		const { grid } = await chosenGrid(client, parameter);
		await client.grids.remove(grid);
		return { deleted: true, id: grid.id, name: grid.name };
	},
};
