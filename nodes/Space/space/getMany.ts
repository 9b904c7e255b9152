import { z } from 'zod/v4';
import { InvalidInput, type Matching } from '../../../client';
import { account } from '../../shared/inputs/target';
import { listOperation } from '../../shared/runner/listOperation';
import { collection, optionalInput, type ReadAdded, textInput } from '../../shared/inputs/parameter';

const propertyKey = optionalInput({
	displayName: 'Property Key',
	name: 'propertyKey',
	placeholder: 'e.g. department',
	description: 'List only spaces whose property with this key has the value in Property Value',
});
const propertyValue = textInput(
	{
		displayName: 'Property Value',
		name: 'propertyValue',
		placeholder: 'e.g. sales',
		description: 'The value that the property in Property Key must have',
	},
	z.union([z.string(), z.number(), z.boolean()], { error: 'it is not a text' }).transform(String),
);

const filters = collection(
	{ displayName: 'Filters', name: 'filters', placeholder: 'Add filter', description: 'Which spaces to list' },
	[propertyKey, propertyValue],
);

export const getMany = listOperation({
	action: 'Get many spaces',
	description:
		'List the spaces of the account and those shared with it, optionally only those with a property value',
	on: account,
	filters: [filters],
	list: ({ client, parameter }) => client.spaces.list(matchingOf(parameter(filters))),
});

function matchingOf(added: ReadAdded): Matching | undefined {
	const [key, value] = [added(propertyKey), added(propertyValue)];
	if (key) return { key, value: value ?? '' };
	if (!value) return undefined;
	throw new InvalidInput(
		'"Property Value" is set, but "Property Key" is not',
		'Add the filter "Property Key" with the key of the property that must have this value.',
	);
}
