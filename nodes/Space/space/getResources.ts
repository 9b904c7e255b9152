import { z } from 'zod/v4';
import type { ResourceType } from '../../../client/endpoints/endpoints';
import { idInPath, lastSegmentOf } from '../../../client/endpoints/paths';
import { RESOURCE_TYPES, type ResourceReference } from '../../../client/resources/spaces';
import { chosenSpace } from '../../shared/inputs/chosenSpace';
import type { Operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { parameter as input } from '../../shared/inputs/parameter';
import { spacePicker } from '../../shared/inputs/pickers/space';
import { listItems } from '../../shared/rows/output';

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

/** Types whose addresses §4 documents. */
const KINDS = new Map<string, ResourceType>(
	Object.entries({
		entity: 'entity',
		field: 'field',
		form: 'form',
		grid: 'grid',
		linkedGrid: 'grid',
		share: 'share',
		space: 'space',
		user: 'user',
		virtualGrid: 'grid',
	} as const),
);

/** The id in the address of a resource; null where the address is opaque (§2.8: a resource has type and address only). */
function idOf({ type, href, id }: ResourceReference): string | null {
	if (typeof id === 'string') return id;
	const path = href.replace(/[?#{].*$/, '');
	const kind = KINDS.get(type);
	if (kind) return idInPath(kind, path) ?? null;
	// §4 shows no addresses of the other types, and only the beginning of all.
	return /\/api\/(users|a|r)\//.test(path) ? lastSegmentOf(path) : null;
}

export const getResources: Operation = {
	value: 'getResources',
	name: 'Get Resources',
	action: 'Get the resources of a space',
	description: 'List what is in a space by type, e.g. its grids, forms or shares, each with its address',
	fields: [spacePicker, types, returnAll, limit],
	async run({ client, parameter, hint }) {
		const chosen = parameter(types);
		const space = await chosenSpace(client, parameter);
		const found = await client.spaces.resources(space, chosen, resultLimit(parameter));
		return listItems(found, hint).map((resource) => ({
			...resource,
			id: idOf(resource),
		}));
	},
};
