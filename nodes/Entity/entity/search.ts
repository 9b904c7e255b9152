import { z } from 'zod/v4';
import type { Client } from '../../../client';
import type { Entity } from '../../../client/resources/entities';
import { NotFound } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { expandLinkedRows } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, outputColumns, rowOutput } from '../../shared/inputs/output/outputOptions';
import { unstableHint } from '../../shared/rows/output';
import { expansionOf } from '../output/expandedRows';
import { operation } from '../../shared/runner/operation';
import { requestsAtATime } from '../../shared/inputs/options';
import { limit, returnAll } from '../../shared/inputs/selection/paging';
import { parameter as input, requiredText } from '../../shared/inputs/parameter';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';

const matching = input(
	{
		displayName: 'Text',
		name: 'matching',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Alder & Finch',
		description: 'The text to search for in the values of each row',
	},
	requiredText('it is empty'),
);

const fullEntities = input(
	{
		displayName: 'Full Entities',
		name: 'fullEntities',
		type: 'boolean',
		default: false,
		description:
			'Whether to read every found row in full, which takes one request per row. If off, each row has only the first four columns of the grid, because the search of the service returns no others.',
	},
	z.boolean(),
);

export const search = operation({
	value: 'search',
	name: 'Search',
	action: 'Search rows',
	description: 'Search the rows of a grid for a text; returns the first four columns of each row',
	on: chosenGrid,
	fields: [matching, optionalViewPicker, returnAll, limit, fullEntities, ...rowOutput, columnNaming],
	options: [expandLinkedRows, outputColumns, requestsAtATime],
	async run(context) {
		const { client, grid, fields, parameter, entityWriter, hint } = context;
		const expand = expansionOf(context, fields);
		const query = { matching: parameter(matching), viewId: parameter(optionalViewPicker) };
		const max = parameter(returnAll) ? undefined : parameter(limit);
		const { items, unstable } = await pickedBy(optionalViewPicker, client.entities.search(grid, query, max));
		if (unstable) hint(unstableHint(unstable, grid.name), 'warning');
		const entities = parameter(fullEntities) ? await inFull(client, grid, items) : items;
		if (entities.length < items.length)
			hint(
				`${items.length - entities.length} of ${items.length} rows were deleted before they could be read in full. They are missing from the output.`,
				'warning',
			);
		return await expand(entities.map(entityWriter(fields)));
	},
});

/**
 * §4.4: full entities are read through their own links. Rows deleted in the meantime are dropped.
 */
async function inFull(client: Client, grid: Grid, found: readonly Entity[]): Promise<Entity[]> {
	const open = (entity: Entity) => client.entities.open(grid, entity);
	const stopOn = (error: unknown) => !(error instanceof NotFound);
	const run = await client.session.limiter.run(found, open, { stopOn });
	if (run.stoppedBy) throw run.stoppedBy.error;
	return run.outcomes.flatMap((outcome) => (outcome.state === 'done' ? [outcome.value] : []));
}
