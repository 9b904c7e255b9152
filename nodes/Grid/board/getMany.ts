import { z } from 'zod/v4';
import { listOperation } from '../../shared/runner/listOperation';
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

export const getMany = listOperation({
	action: 'Get many boards and calendars',
	description: 'List the boards and calendars of a grid or view',
	on: gridOrView,
	fields: [nested],
	list: ({ client, grid, parameter }) => client.statefulViews.list(grid, parameter(nested)),
});
