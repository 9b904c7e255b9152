import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { operation } from '../../shared/runner/operation';
import { chosenStatefulView } from './chosenStatefulView';

export const getShares = operation({
	value: 'getShares',
	name: 'Get Shares',
	action: 'Get shares of stateful view',
	description: 'List the people a stateful view is shared with, and their roles',
	on: chosenStatefulView,
	fields: [returnAll, limit, simplify],
	run: async ({ client, grid, statefulView, parameter, representAll }) =>
		representAll(await client.statefulViews.shares(grid, statefulView, resultLimit(parameter))),
});
