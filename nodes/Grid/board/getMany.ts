import { listOperation } from '../../shared/runner/listOperation';
import { toggle } from '../../shared/inputs/parameter';
import { gridOrView } from '../view/chosenView';

const nested = toggle({
	displayName: 'Include Those of Views',
	name: 'nested',
	description: 'Whether to include the boards and calendars of the views of the grid',
});

export const getMany = listOperation({
	action: 'Get many boards and calendars',
	description: 'List the boards and calendars of a grid or view',
	on: gridOrView,
	fields: [nested],
	list: ({ client, grid, parameter }) => client.statefulViews.list(grid, parameter(nested)),
});
