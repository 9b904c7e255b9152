import { chosenGrid, gridFields } from '../../shared/chosenGrid';
import { filterJson, sortingJson } from '../../shared/filters';
import { columnNaming, rowOf } from '../../shared/naming';
import type { Operation } from '../../shared/operation';
import { limit, returnAll } from '../../shared/paging';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many entities',
	description: 'Read rows of a grid, filtered and sorted',
	fields: [...gridFields, returnAll, limit, filterJson, sortingJson, columnNaming],
	async run({ client, parameter }) {
		const { grid, fields } = await chosenGrid(client, parameter);
		const query = {
			filter: parameter(filterJson) ?? undefined,
			sorting: parameter(sortingJson) ?? undefined,
		};
		const entities = await client.entities.many(
			grid,
			query,
			parameter(returnAll) ? Infinity : parameter(limit),
		);
		return entities.map((entity) => rowOf(entity, fields, parameter(columnNaming)));
	},
};
