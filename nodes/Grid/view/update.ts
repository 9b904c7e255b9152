import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { filterOf, sortingOf } from '../../../client/views';
import type { Operation } from '../../shared/operation';
import { parameter as input } from '../../shared/parameter';
import { chosenView, viewFields } from '../chosenView';
import {
	byFieldId,
	columnsProperty,
	fieldIdsOf,
	filterProperty,
	filterSchema,
	sortingProperty,
	sortingSchema,
} from '../viewContent';

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
			filterProperty,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Open Orders',
				description: 'At most 80 characters, unique among the grids and views of the space',
			},
			sortingProperty,
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
		filter: filterSchema,
		sorting: sortingSchema,
	}),
);

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a view',
	description:
		'Change the name, columns, filter or sorting of a view (virtual grid); what is not given stays',
	fields: [...viewFields, changes],
	async run({ client, parameter }) {
		const { name, columns, filter, sorting } = parameter(changes);
		if ([name, columns, filter, sorting].every((change) => change === undefined))
			throw new InvalidInput('There is nothing to change', 'Add what to change under "Update Fields".');
		const { grid, view } = await chosenView(client, parameter);
		const fields = await client.fields.of(grid);
		// §4.4: PUT takes name, fields and filter at once, so what is not to change is read and sent again.
		const present = filterOf(view);
		if (filter === undefined && present === undefined)
			throw new InvalidInput(
				`The service does not tell the filter of "${view.name}", so it would be lost`,
				'Add "Filter (JSON)" under "Update Fields": {} for no filter.',
			);
		const shown = columns ?? (await client.fields.of(view)).map(({ id }) => id);
		const order = sorting === undefined ? sortingOf(view) : byFieldId(sorting, fields, grid);
		const content = {
			name: name ?? view.name,
			fields: columns === undefined ? shown : fieldIdsOf(columns, fields, grid),
			filter: filter === undefined ? (present ?? {}) : byFieldId(filter, fields, grid),
			...(order === undefined ? {} : { sorting: order }),
		};
		await client.views.replace(grid, view, content);
		client.grids.forget();
		return { id: view.id, gridId: grid.id, spaceId: grid.address.spaceId, ...content };
	},
};
