import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { operation } from '../../shared/runner/operation';
import { chosenBoard } from '../board/chosenBoard';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many shares of board or calendar',
	description: 'List the people a board or calendar is shared with, and their roles',
	on: chosenBoard,
	fields: [returnAll, limit, simplify],
	run: async ({ client, grid, board, parameter, representAll }) =>
		representAll(await client.statefulViews.shares(grid, board, resultLimit(parameter))),
});
