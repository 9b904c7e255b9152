import { z } from 'zod/v4';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { parameter as input } from '../../shared/inputs/parameter';
import { listItems, representationRow } from '../../shared/rows/output';
import { chosenGridOrView, gridOrViewFields } from '../view/chosenView';

const nested = input(
	{
		displayName: 'Include Those of Views',
		name: 'nested',
		type: 'boolean',
		default: false,
		description: 'Whether to list the stateful views of the views (virtual grids) of the grid too',
	},
	z.boolean(),
);

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many stateful views',
	description: 'List the stateful views (kanban boards, calendars and the like) of a grid or view',
	fields: [...gridOrViewFields, nested, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const grid = await chosenGridOrView(client, parameter);
		const views = await client.statefulViews.many(grid, parameter(nested), resultLimit(parameter));
		return listItems(views, hint).map((view) => representationRow(view, parameter(simplify)));
	},
};
