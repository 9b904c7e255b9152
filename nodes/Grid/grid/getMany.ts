import { Forbidden, outcomeOf, readList } from '../../../client';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
import { choice } from '../../shared/inputs/choice';
import { account } from '../../shared/inputs/target';
import { gridSpacePicker } from '../../shared/inputs/pickers/space';
import { listItems } from '../../shared/rows/output';
import { gridRow } from './gridRow';

const kind = choice(
	'kind',
	'Kind',
	{
		all: { name: 'All', description: 'Grids and views' },
		persistent: { name: 'Grids', description: 'Grids that contain rows' },
		virtual: { name: 'Views', description: 'Saved selections of rows and columns of a grid' },
	},
	{ default: 'persistent', description: 'Whether to list grids, views or both' },
);

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many grids',
	description: 'List the grids of a space, or of all spaces if none is chosen',
	on: account,
	fields: [gridSpacePicker, kind, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const chosen = parameter(kind);
		const query = chosen === 'all' ? {} : { type: chosen };
		const spaceId = parameter(gridSpacePicker);
		const spaces =
			spaceId === undefined
				? listItems(await readList(client.spaces.list()), hint)
				: [await pickedBy(gridSpacePicker, client.spaces.get(spaceId))];
		const rows: object[] = [];
		const closed: string[] = [];
		for (const space of spaces) {
			const left = resultLimit(parameter) - rows.length;
			if (left <= 0) break;
			const reading = await outcomeOf(readList(client.grids.list(space, query), { limit: left }));
			if (reading.state === 'failed') {
				if (spaceId !== undefined || !(reading.error instanceof Forbidden)) throw reading.error;
				closed.push(`"${space.name}"`);
				continue;
			}
			const grids = listItems(reading.value, hint);
			for (const grid of grids) rows.push({ ...gridRow(grid, parameter(simplify)), spaceName: space.name });
		}
		if (closed.length > 0) hint(`The grids of these spaces may not be read: ${closed.join(', ')}`, 'warning');
		return rows;
	},
});
