import { z } from 'zod/v4';
import { idsInUrl } from '../../../client/paths';
import { RESOURCE_TYPES } from '../../../client/spaces';
import { chosenSpace } from '../../shared/chosenSpace';
import type { Operation } from '../../shared/operation';
import { limit, returnAll } from '../../shared/paging';
import { parameter as input } from '../../shared/parameter';
import { spacePicker } from '../../shared/pickers/space';
import { readSoundly, wanted } from '../../shared/record';

const label = (type: string) =>
	type
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.split(' ')
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');

const types = input(
	{
		displayName: 'Types',
		name: 'types',
		type: 'multiOptions',
		options: RESOURCE_TYPES.map((value) => ({ name: label(value), value })).sort((one, other) =>
			one.name < other.name ? -1 : 1,
		),
		default: ['grid'],
		required: true,
		description: 'Which kinds of resources to list; at least one',
	},
	z.array(z.enum(RESOURCE_TYPES)).min(1, 'choose at least one type'),
);

export const getResources: Operation = {
	value: 'getResources',
	name: 'Get Resources',
	action: 'Get the resources of a space',
	description: 'List what is in a space by type, e.g. its grids, forms or shares, each with its address',
	fields: [spacePicker, types, returnAll, limit],
	async run({ client, parameter, hint }) {
		const chosen = parameter(types);
		const space = await chosenSpace(client, parameter);
		const found = await client.spaces.resources(space, chosen, wanted(parameter));
		return readSoundly(found, hint).map((resource) => ({
			...resource,
			id: idsInUrl(resource.href).lastSegment,
		}));
	},
};
