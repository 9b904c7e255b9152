import { z } from 'zod/v4';
import { allows } from '../../rules/access';
import * as responses from '../../http/responseSchemas';
import { expandPath } from '../../http/links';
import { parseInput } from '../../http/input';
import { collection, pageQuery, rangeOf } from '../../http/paging';
import type { Grid } from '../../store/structure/grids';
import { publicPath } from '../people/gridLinks';
import { inSpace, type SpaceCall } from '../scopes';

/** §4.3 */
const resourceTypes = [
	'block', 'entity', 'eventhook', 'externalHook', 'field', 'flow', 'flow activation', 'flow instance', 'flow node', 'form', 'formlink',
	'grid', 'linkedGrid', 'node view', 'share', 'space', 'user', 'view', 'virtualGrid',
] as const; // prettier-ignore
type ResourceType = (typeof resourceTypes)[number];

const resourcesQuery = z.object({
	...pageQuery().shape,
	types: z
		.string()
		.transform((text) => text.split(',').map((type) => type.trim()))
		.pipe(z.array(z.enum(resourceTypes)).min(1)),
});

/**
 * Part of the list: its total and a function for a range of addresses. Entities are never loaded as
 * a whole.
 */
interface Section {
	readonly type: ResourceType;
	readonly count: number;
	hrefs(offset: number, limit: number): readonly string[];
}

/** What the addresses of a space's resources are made from. */
interface Listing {
	readonly call: SpaceCall;
	readonly spacePath: string;
	/** The persistent grids. */
	readonly grids: readonly Grid[];
	readonly pathOf: (grid: Grid) => string;
}

/**
 * Addresses of the resources of each type. Types that this service lacks (blocks, flows, hooks) are
 * empty.
 */
const addresses: { readonly [Type in ResourceType]?: (listing: Listing) => readonly string[] } = {
	space: ({ spacePath }) => [spacePath],
	grid: ({ grids, pathOf }) => grids.map(pathOf),
	virtualGrid: ({ call: { store, space }, pathOf }) => store.grids.list(space.id, 'virtual').map(pathOf),
	field: ({ call: { store }, grids, pathOf }) =>
		grids.flatMap((grid) => store.fields.list(grid.no).map(({ id }) => `${pathOf(grid)}/fields/${id}`)),
	form: ({ call: { store }, grids, pathOf }) =>
		grids.flatMap((grid) => store.presentation.forms(grid.no).map(({ id }) => `${pathOf(grid)}/forms/${id}`)),
	view: ({ call: { store, space }, pathOf }) =>
		store.grids
			.list(space.id, undefined)
			.flatMap((grid) =>
				store.presentation.sviews(grid.no, false).map(({ id }) => `${pathOf(grid)}/sviews/${id}`),
			),
	formlink: ({ call: { store }, grids }) =>
		grids.flatMap((grid) => store.publicLinks.list(grid.no).map(publicPath)),
	share: ({ call: { store, space }, spacePath }) =>
		store.sharing.shares(space.id).map(({ id }) => `${spacePath}/shares/${id}`),
	// Other accounts are not readable.
	user: ({ call }) => [`/api/users/${call.identity.userId}`],
};

function entitiesOf({ call: { store }, pathOf }: Listing, grid: Grid): Section {
	return {
		type: 'entity',
		count: store.entities.positions.total(grid.no),
		hrefs: (offset, limit) =>
			store.selections.ids(grid.no, offset, limit).map((id) => `${pathOf(grid)}/entities/${id}`),
	};
}

/** Types that only an admin may list: knowing the address of a public link suffices to use it. */
const adminOnly: ReadonlySet<ResourceType> = new Set(['formlink', 'share']);

/** All visible resources of a type. */
function sectionsOf(call: SpaceCall, type: ResourceType): Section[] {
	if (adminOnly.has(type) && !allows(call.role, 'admin')) return [];
	const spacePath = expandPath('/api/users/:userId/spaces/:spaceId', call.params);
	const grids = call.store.grids.list(call.space.id, 'persistent');
	const listing = { call, spacePath, grids, pathOf: (grid: Grid) => `${spacePath}/grids/${grid.id}` };
	if (type === 'entity') return grids.map((grid) => entitiesOf(listing, grid));
	const all = addresses[type]?.(listing) ?? [];
	return [{ type, count: all.length, hrefs: (offset, limit) => all.slice(offset, offset + limit) }];
}

const space = inSpace('');

space.get(
	'/resources',
	'reader',
	{ on: { space: 'resources' }, query: resourcesQuery, response: responses.pageOf(responses.resource) },
	(call) => {
		const query = parseInput(resourcesQuery, call.query, 'Query');
		const sections = [...new Set(query.types)].flatMap((type) => sectionsOf(call, type));
		const items: Array<{ type: ResourceType; href: string }> = [];
		const { offset, limit } = rangeOf(query);
		let before = 0;
		for (const section of sections) {
			const from = Math.max(0, offset - before);
			const room = limit - items.length;
			if (room > 0 && from < section.count) {
				const hrefs = section.hrefs(from, room);
				items.push(...hrefs.map((href) => ({ type: section.type, href })));
			}
			before += section.count;
		}
		return collection(items, before, query, call.url);
	},
);

export const resourceRoutes = space.routes;
