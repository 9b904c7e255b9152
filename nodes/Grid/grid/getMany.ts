import { z } from 'zod/v4';
import { pickedBy } from '../../shared/inputs/locators';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { parameter as input } from '../../shared/inputs/parameter';
import { gridSpacePicker } from '../../shared/inputs/pickers/space';
import { listItems } from '../../shared/rows/output';
import { gridRow } from './gridRow';

const kind = input(
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		options: [
			{ name: 'All', value: 'all', description: 'Grids and views' },
			{ name: 'Grids', value: 'persistent', description: 'Real grids, which hold the entities' },
			{ name: 'Views', value: 'virtual', description: 'Virtual grids: saved cuts of a grid' },
		],
		default: 'persistent',
		description: 'Which kind to list',
	},
	z.enum(['all', 'persistent', 'virtual']),
);

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many grids',
	description: 'List the grids of a space, or of all spaces where none is chosen',
	fields: [gridSpacePicker, kind, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const chosen = parameter(kind);
		const query = chosen === 'all' ? {} : { type: chosen };
		const spaceId = parameter(gridSpacePicker);
		const spaces =
			spaceId === undefined
				? (await client.spaces.many()).items
				: [await pickedBy(gridSpacePicker, client.spaces.get(spaceId))];
		const rows: object[] = [];
		for (const space of spaces) {
			const left = resultLimit(parameter) - rows.length;
			if (left <= 0) break;
			const grids = listItems(await client.grids.many(space, query, left), hint);
			for (const grid of grids) rows.push({ ...gridRow(grid, parameter(simplify)), spaceName: space.name });
		}
		return rows;
	},
};
