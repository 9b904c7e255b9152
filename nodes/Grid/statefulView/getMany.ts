import { z } from 'zod/v4';
import { operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
import { parameter as input } from '../../shared/inputs/parameter';
import { gridOrView } from '../view/chosenView';

const nested = input(
	{
		displayName: 'Include Stateful Views of Views',
		name: 'nested',
		type: 'boolean',
		default: false,
		description: 'Whether to include the stateful views of the views (virtual grids) of the grid',
	},
	z.boolean(),
);

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many stateful views',
	description: 'List the stateful views of a grid or view, such as kanban boards and calendars',
	on: gridOrView,
	fields: [nested, returnAll, limit, simplify],
	run: async ({ client, grid, parameter, representAll }) =>
		representAll(await client.statefulViews.many(grid, parameter(nested), resultLimit(parameter))),
});
