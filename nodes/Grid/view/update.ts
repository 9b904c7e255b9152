import { z } from 'zod/v4';
import type { Client } from '../../../client';
import { InvalidInput } from '../../../client/errors';
import type { Grid } from '../../../client/resources/grids';
import { filterOf, sortingOf } from '../../../client/resources/views';
import { selectionOf } from '../../shared/inputs/selection/filters';
import { operation } from '../../shared/runner/operation';
import { nothingToChange, parameter as input } from '../../shared/inputs/parameter';
import { changeableView } from './chosenView';
import { changedSelection, columnsProperty, fieldIdsOf } from './viewContent';

const changes = input(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add property',
		default: {},
		description: 'The properties to change; all others stay unchanged',
		options: [
			columnsProperty,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Open Orders',
				description: 'At most 80 characters, unique among the grids and views of the space',
			},
		],
	},
	z.object({
		name: z
			.string()
			.trim()
			.max(80, 'it is longer than 80 characters')
			.nullish()
			.transform((text) => text || undefined),
		columns: z.array(z.string()).optional(),
	}),
);

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update view',
	description: 'Change the name, columns, filter or sort order of a view (virtual grid)',
	whenRejected:
		'If the name is in use by another grid or view of the space, choose another one. Otherwise check the columns and the filter.',
	on: changeableView,
	fields: [changes, ...changedSelection],
	async run({ client, grid, fields, view, parameter, timezone }) {
		const { name, columns } = parameter(changes);
		const { filter, sorting } = selectionOf(parameter, fields, timezone);
		if ([name, columns, filter, sorting].every((change) => change === undefined))
			throw nothingToChange('"Update Fields", "Conditions" or "Sort"');
		// §4.4: PUT replaces name, fields and filter together, so unchanged ones are sent again.
		const kept = filter ?? filterOf(view);
		if (kept === undefined)
			throw new InvalidInput(
				`The service does not return the filter of "${view.name}", so updating the view would remove it`,
				'Enter the filter, too. As JSON, {} means no filter.',
			);
		const order = sorting ?? sortingOf(view);
		const content = {
			name: name ?? view.name,
			fields: columns ? fieldIdsOf(columns, fields) : await shownFieldIds(client, view),
			filter: kept,
			...(order === undefined ? {} : { sorting: order }),
		};
		await client.views.replace(grid, view, content);
		return { id: view.id, gridId: grid.id, spaceId: grid.address.spaceId, ...content };
	},
});

const INTEGER = /^(0|[1-9]\d*)$/;

/**
 * Ids of the columns that a view shows, in its order.
 * @throws InvalidInput if the order is not known
 */
async function shownFieldIds(client: Client, view: Grid): Promise<string[]> {
	const ids = (await client.fields.of(view)).map(({ id }) => id);
	// JavaScript puts integer keys first, here those of the JSON schema.
	const isUnordered = !view.fields && !view.fieldIds && ids.length > 1 && ids.some((id) => INTEGER.test(id));
	if (!isUnordered) return ids;
	throw new InvalidInput(
		`The service does not return the order of the columns of "${view.name}", so updating the view could change it`,
		'Enter the columns, too, in their order.',
	);
}
