import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { limit, returnAll } from '../../shared/inputs/paging';
import { readSoundly, wanted } from '../../shared/rows/representation';
import { gridRow } from '../representation';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many views',
	description: 'List the views (virtual grids) of a grid',
	fields: [...gridFields, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const { grid } = await chosenGrid(client, parameter);
		const views = readSoundly(await client.views.many(grid, wanted(parameter)), hint);
		return views.map((view) => ({ ...gridRow(view, parameter(simplify)), gridId: grid.id }));
	},
};
