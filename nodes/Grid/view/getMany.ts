import { readList } from '../../../client';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { listItems } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { gridRow } from '../grid/gridRow';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many views',
	description: 'List the views of a grid',
	on: chosenGrid,
	fields: [returnAll, limit, simplify],
	async run({ client, grid, parameter, hint }) {
		const views = listItems(await readList(client.views.list(grid), { limit: resultLimit(parameter) }), hint);
		return views.map((view) => ({ ...gridRow(view, parameter(simplify)), gridId: grid.id }));
	},
});
