import { notice } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';
import { changeableBoard } from './chosenBoard';

export const deleteBoard = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete board or calendar',
	description: 'Delete a board or calendar; the rows of the grid remain',
	on: changeableBoard,
	notice: notice(
		'notice',
		'Deletes the board or calendar for everyone who uses it. The rows of the grid remain.',
	),
	fields: [],
	async run({ client, grid, board }) {
		await client.statefulViews.remove(grid, board);
		return { deleted: true, id: board.id, gridId: grid.id };
	},
});
