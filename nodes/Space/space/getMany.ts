import { z } from 'zod/v4';
import { InvalidInput, type Matching } from '../../../client';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
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

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many spaces',
	description:
		'List the spaces of the account and those shared with it, optionally only those with a property value',
	on: account,
	fields: [returnAll, limit, filters, simplify],
	run: async ({ client, parameter, representAll }) =>
		representAll(await client.spaces.many(matchingOf(parameter(filters)), resultLimit(parameter))),
});

function matchingOf({ propertyKey, propertyValue }: z.infer<typeof filterValues>): Matching | undefined {
	if (propertyKey) return { key: propertyKey, value: propertyValue ?? '' };
	if (!propertyValue) return undefined;
	throw new InvalidInput(
		'"Property Value" is set, but "Property Key" is not',
		'Add the filter "Property Key" with the key of the property that must have this value.',
	);
}
