import { z } from 'zod/v4';
import { InvalidInput, type Matching } from '../../../client';
import { account } from '../../shared/inputs/target';
import { listOperation } from '../../shared/runner/listOperation';
import { parameter as input } from '../../shared/inputs/parameter';

const filterValues = z.object({
	propertyKey: z.string().trim().optional(),
	propertyValue: z
		.union([z.string(), z.number(), z.boolean()], { error: 'it is not a text' })
		.transform(String)
		.optional(),
});

const filters = input(
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		description: 'Which spaces to list',
		options: [
			{
				displayName: 'Property Key',
				name: 'propertyKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. department',
				description: 'List only spaces whose property with this key has the value in Property Value',
			},
			{
				displayName: 'Property Value',
				name: 'propertyValue',
				type: 'string',
				default: '',
				placeholder: 'e.g. sales',
				description: 'The value that the property in Property Key must have',
			},
		],
	},
	filterValues,
);

export const getMany = listOperation({
	action: 'Get many spaces',
	description:
		'List the spaces of the account and those shared with it, optionally only those with a property value',
	on: account,
	filters: [filters],
	list: ({ client, parameter }) => client.spaces.list(matchingOf(parameter(filters))),
});

function matchingOf({ propertyKey, propertyValue }: z.infer<typeof filterValues>): Matching | undefined {
	if (propertyKey) return { key: propertyKey, value: propertyValue ?? '' };
	if (!propertyValue) return undefined;
	throw new InvalidInput(
		'"Property Value" is set, but "Property Key" is not',
		'Add the filter "Property Key" with the key of the property that must have this value.',
	);
}
