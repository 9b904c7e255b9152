import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { filterOf, sortingOf } from '../../../client/resources/views';
import { chosenGrid } from '../../shared/inputs/chosenGrid';
import { selectionOf } from '../../shared/inputs/filters';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { chosenView, changeableViewFields } from './chosenView';
import { changedSelection, columnsProperty, fieldIdsOf } from './viewContent';

const changes = input(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What to change; what is not added here stays as it is',
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

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a view',
	description:
		'Change the name, columns, filter or sorting of a view (virtual grid); what is not given stays',
	fields: [...changeableViewFields, changes, ...changedSelection],
	async run({ client, parameter, node }) {
		const { name, columns } = parameter(changes);
		const { grid, fields } = await chosenGrid(client, parameter);
		const { filter, sorting } = selectionOf(parameter, fields, node.getTimezone());
		if ([name, columns, filter, sorting].every((change) => change === undefined))
			throw new InvalidInput(
				'There is nothing to change',
				'Add what to change under "Update Fields", "Conditions" or "Sort".',
			);
		const { view } = await chosenView(client, parameter);
		// §4.4: PUT takes name, fields and filter at once, so what is not to change is read and sent again.
		const kept = filter ?? filterOf(view);
		if (kept === undefined)
			throw new InvalidInput(
				`The service does not tell the filter of "${view.name}", so it would be lost`,
				'Enter the filter too: as JSON, {} is no filter.',
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
};
