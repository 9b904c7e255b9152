import { z } from 'zod/v4';
import { operation } from '../../shared/runner/operation';
import { nothingToChange, parameter as input } from '../../shared/inputs/parameter';
import { changeableStatefulView } from './chosenStatefulView';
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
		placeholder: 'Add property',
		default: {},
		description: 'The properties to change; all others stay unchanged',
		options: [propertiesProperty, slotPropertiesProperty, typeProperty],
	},
	z.object({
		type: typeSchema.optional(),
		properties: propertiesSchema,
		slotProperties: propertiesSchema,
	}),
);

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update stateful view',
	description: 'Change the type or properties of a stateful view',
	on: changeableStatefulView,
	fields: [changes],
	async run({ client, grid, statefulView, parameter }) {
		const entries = Object.entries(parameter(changes)).filter(([, value]) => value !== undefined);
		if (entries.length === 0) throw nothingToChange();
		const change = Object.fromEntries(entries);
		await client.statefulViews.update(grid, statefulView, change);
		return { id: statefulView.id, gridId: grid.id, ...change };
	},
});
