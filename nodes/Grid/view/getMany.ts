import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import type { Operation } from '../../shared/operation';
import { simplify } from '../../shared/output';
import { limit, returnAll } from '../../shared/paging';
import { readSoundly, wanted } from '../../shared/record';
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
