import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import type { Matching } from '../../../client/resources/spaces';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { parameter as input } from '../../shared/inputs/parameter';
import { listItems, representationRow } from '../../shared/rows/output';

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
		placeholder: 'Add Filter',
		default: {},
		description: 'Which spaces to list',
		options: [
			{
				displayName: 'Property Key',
				name: 'propertyKey',
				type: 'string',
				default: '',
				placeholder: 'e.g. department',
				description: 'Only spaces that have this property with the value given as Property Value',
			},
			{
				displayName: 'Property Value',
				name: 'propertyValue',
				type: 'string',
				default: '',
				placeholder: 'e.g. sales',
				description: 'The value that the property given as Property Key must have',
			},
		],
	},
	filterValues,
);

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many spaces',
	description:
		'List the spaces of the account and those shared with it, all or those with a certain property',
	fields: [returnAll, limit, filters, simplify],
	async run({ client, parameter, hint }) {
		const found = await client.spaces.many(matchingOf(parameter(filters)), resultLimit(parameter));
		return listItems(found, hint).map((space) => representationRow(space, parameter(simplify)));
	},
};

function matchingOf({ propertyKey, propertyValue }: z.infer<typeof filterValues>): Matching | undefined {
	if (propertyKey) return { key: propertyKey, value: propertyValue ?? '' };
	if (!propertyValue) return undefined;
	throw new InvalidInput(
		'"Property Value" is given without "Property Key"',
		'Add the filter "Property Key": the name of the property that must have the value.',
	);
}
