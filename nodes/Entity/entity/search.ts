import { z } from 'zod/v4';
import type { Client } from '../../../client';
import type { Entity } from '../../../client/resources/entities';
import { NotFound } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import { pickedBy } from '../../shared/inputs/locators';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/outputOptions';
import { rowWriter, driftHint, rawRow } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { limit, returnAll } from '../../shared/inputs/paging';
import { parameter as input, textWith } from '../../shared/inputs/parameter';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';

const matching = input(
	{
		displayName: 'Text',
		name: 'matching',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Alder & Finch',
		description: 'The text to look for in the values of the rows',
	},
	textWith('it is empty'),
);

const fullEntities = input(
	{
		displayName: 'Full Entities',
		name: 'fullEntities',
		type: 'boolean',
		default: false,
		description:
			'Whether to read each row found in full. If off, a row holds only the first four columns of the grid, which is all that a search of the service returns. Costs one more request for each row.',
	},
	z.boolean(),
);

const options = optionsOf(outputColumns, requestsAtATime);

export const search: Operation = {
	value: 'search',
	name: 'Search',
	action: 'Search entities',
	description: 'Find rows of a grid by a text in their values; shows the first four columns of each',
	fields: [
		...gridFields,
		matching,
		optionalViewPicker,
		returnAll,
		limit,
		fullEntities,
		simplify,
		columnNaming,
		options,
	],
	async run({ client: unlimited, parameter, hint }) {
		const option = parameter(options);
		const client = unlimited.limitedTo(option(requestsAtATime));
		const query = { matching: parameter(matching), viewId: parameter(optionalViewPicker) };
		const { grid, fields } = await chosenGrid(client, parameter);
		const wanted = parameter(returnAll) ? undefined : parameter(limit);
		const { items, drift } = await pickedBy(optionalViewPicker, client.entities.search(grid, query, wanted));
		if (drift) hint(driftHint(drift, grid.name));
		const entities = parameter(fullEntities) ? await inFull(client, grid, items) : items;
		if (entities.length < items.length)
			hint(
				`Of ${items.length} rows found ${items.length - entities.length} had been deleted before they could be read in full: they are left out.`,
			);
		if (!parameter(simplify)) return entities.map(rawRow);
		const by = parameter(columnNaming);
		return entities.map(rowWriter(fields, { by, only: option(outputColumns), hint }));
	},
};

/** §4.4 query: the full entity is fetched through its own link. A row that is gone by then is no row that was found. */
async function inFull(client: Client, grid: Grid, found: readonly Entity[]): Promise<Entity[]> {
	const open = (entity: Entity) => client.entities.open(grid, entity);
	const stopOn = (error: unknown) => !(error instanceof NotFound);
	const run = await client.session.limiter.run(found, open, { stopOn });
	if (run.stoppedBy) throw run.stoppedBy.error;
	return run.outcomes.flatMap((outcome) => (outcome.state === 'done' ? [outcome.value] : []));
}
