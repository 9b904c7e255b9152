import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { Operation } from '../../shared/runner/operation';
import { parameter as input } from '../../shared/inputs/parameter';
import { chosenStatefulView, changeableStatefulViewFields } from './chosenStatefulView';
import {
	propertiesProperty,
	propertiesSchema,
	slotPropertiesProperty,
	typeProperty,
	typeSchema,
} from './statefulViewContent';

const changes = input(
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'What to change; what is not added here stays as it is',
		options: [propertiesProperty, slotPropertiesProperty, typeProperty],
	},
	z.object({
		type: typeSchema.optional(),
		properties: propertiesSchema,
		slotProperties: propertiesSchema,
	}),
);

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a stateful view',
	description: 'Change the type or the properties of a stateful view; what is not given stays',
	fields: [...changeableStatefulViewFields, changes],
	async run({ client, parameter }) {
		const entries = Object.entries(parameter(changes)).filter(([, value]) => value !== undefined);
		if (entries.length === 0)
			throw new InvalidInput('There is nothing to change', 'Add what to change under "Update Fields".');
		const { grid, statefulView } = await chosenStatefulView(client, parameter);
		const change = Object.fromEntries(entries);
		await client.statefulViews.update(grid, statefulView, change);
		return { id: statefulView.id, gridId: grid.id, ...change };
	},
};
