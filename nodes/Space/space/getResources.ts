import { z } from 'zod/v4';
import type { ResourceType } from '../../../client/endpoints/endpoints';
import { idInPath, lastSegmentOf } from '../../../client/endpoints/paths';
import { RESOURCE_TYPES, type ResourceReference } from '../../../client/resources/spaces';
import { chosenSpace } from '../../shared/inputs/pickers/chosenSpace';
import { operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/selection/paging';
import { parameter as input } from '../../shared/inputs/parameter';
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
		description: 'The types of resources to list; at least one',
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

/** The id in the address of a resource (§2.8); null if the address does not show it. */
function idOf({ type, href, id }: ResourceReference): string | null {
	if (typeof id === 'string') return id;
	const path = href.split(/[?#{]/, 1).join();
	const kind = KINDS.get(type);
	if (kind) return idInPath(kind, path) ?? null;
	// For other types, §4 only documents prefixes of addresses.
	return /\/api\/(users|a|r)\//.test(path) ? lastSegmentOf(path) : null;
}

export const getResources = operation({
	value: 'getResources',
	name: 'Get Resources',
	action: 'Get resources of space',
	description: 'List the contents of a space by type, such as grids, forms or shares, with their addresses',
	on: chosenSpace,
	fields: [types, returnAll, limit],
	async run({ client, space, parameter, hint }) {
		const found = await client.spaces.resources(space, parameter(types), resultLimit(parameter));
		return listItems(found, hint).map((resource) => ({ ...resource, id: idOf(resource) }));
	},
});
