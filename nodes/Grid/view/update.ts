import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
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
		description: 'The properties to change; all others stay as they are',
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
			fields: columns ? fieldIdsOf(columns, fields) : (await client.fields.of(view)).map(({ id }) => id),
			filter: kept,
			...(order === undefined ? {} : { sorting: order }),
		};
		await client.views.replace(grid, view, content);
		return { id: view.id, gridId: grid.id, spaceId: grid.address.spaceId, ...content };
	},
});
