import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { listItems } from '../../shared/rows/output';
import { gridRow } from '../grid/gridRow';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many views',
	description: 'List the views (virtual grids) of a grid',
	fields: [...gridFields, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const { grid } = await chosenGrid(client, parameter);
		const views = listItems(await client.views.many(grid, resultLimit(parameter)), hint);
		return views.map((view) => ({ ...gridRow(view, parameter(simplify)), gridId: grid.id }));
	},
};
