import { z } from 'zod/v4';
import { operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
import { parameter as input } from '../../shared/inputs/parameter';
import { gridOrView } from '../view/chosenView';

const nested = input(
	{
		displayName: 'Include Those of Views',
		name: 'nested',
		type: 'boolean',
		default: false,
		description: 'Whether to include the boards and calendars of the views of the grid',
	},
	z.boolean(),
);

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many boards and calendars',
	description: 'List the boards and calendars of a grid or view',
	on: gridOrView,
	fields: [nested, returnAll, limit, simplify],
	run: async ({ client, grid, parameter, representAll }) =>
		representAll(await client.statefulViews.many(grid, parameter(nested), resultLimit(parameter))),
});
