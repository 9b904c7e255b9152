import { z } from 'zod/v4';
import {
	idInPath,
	lastSegmentOf,
	RESOURCE_TYPES,
	type ResourceReference,
	type ResourceType,
} from '../../../client';
import { parameter } from '../../shared/inputs/parameter';

const label = (type: string) =>
	type
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.split(' ')
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');

/** Words that people know the types of §4.3 by. */
const LABELS = new Map<string, string>([
	['entity', 'Row'],
	['eventhook', 'Event Hook'],
	['field', 'Column'],
	['formlink', 'Form Link'],
	['view', 'Board or Calendar'],
	['virtualGrid', 'View'],
]);

/** The kinds of contents to list (§4.3); none by default. */
export const includeContents = parameter(
	{
		displayName: 'Include Contents',
		name: 'includeContents',
		type: 'multiOptions',
		options: RESOURCE_TYPES.map((value) => ({ name: LABELS.get(value) ?? label(value), value })).sort(
			(one, other) => (one.name < other.name ? -1 : 1),
		),
		default: [],
		description: 'The kinds of contents to list with their addresses and IDs, such as grids, forms or shares',
	},
	z.array(z.enum(RESOURCE_TYPES)),
);

/** Types whose addresses §4 documents. */
const TYPES_BY_KIND = new Map<string, ResourceType>(
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

/** A resource with the id in its address (§2.8), or null if the address does not show it. */
export const withId = (resource: ResourceReference) => ({ ...resource, id: idOf(resource) });

function idOf({ type, href, id }: ResourceReference): string | null {
	if (typeof id === 'string') return id;
	const path = href.split(/[?#{]/, 1).join();
	const kind = TYPES_BY_KIND.get(type);
	if (kind) return idInPath(kind, path) ?? null;
	// For other types, §4 only documents prefixes of addresses.
	return /\/api\/(users|a|r)\//.test(path) ? lastSegmentOf(path) : null;
}
