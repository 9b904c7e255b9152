import { listOperation } from '../../shared/runner/listOperation';
import { chosenBoard } from '../board/chosenBoard';

export const getMany = listOperation({
	action: 'Get many shares of board or calendar',
	description: 'List the people a board or calendar is shared with, and their roles',
	on: chosenBoard,
	list: ({ client, grid, board }) => client.statefulViews.shareList(grid, board),
});
