import { z } from 'zod/v4';
import { allows } from '../../rules/access';
import * as answers from '../../http/responseSchemas';
import { fill } from '../../http/links';
import { collection, pageQuery, read, windowOf } from '../../http/paging';
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
	hrefs(offset: number, limit: number): string[];
}

const listed = (type: ResourceType, all: readonly string[]): Section => ({
	type,
	count: all.length,
	hrefs: (offset, limit) => all.slice(offset, offset + limit),
});

function entitiesOf({ store }: SpaceCall, grid: Grid, gridPath: string): Section {
	return {
		type: 'entity',
		count: store.entities.positions.total(grid.no),
		hrefs: (offset, limit) =>
			store.selections.ids(grid.no, offset, limit).map((id) => `${gridPath}/entities/${id}`),
	};
}

/** Types that only an admin may list: knowing the address of a public link suffices to use it. */
const adminOnly: ReadonlySet<ResourceType> = new Set(['formlink', 'share']);

/**
 * All visible resources of a type. Types that this service lacks (blocks, flows, hooks) are empty.
 */
function sectionsOf(call: SpaceCall, type: ResourceType): Section[] {
	if (adminOnly.has(type) && !allows(call.role, 'admin')) return [];
	const { store, space } = call;
	const spacePath = fill('/api/users/:userId/spaces/:spaceId', call.params);
	const pathOf = (grid: Grid) => `${spacePath}/grids/${grid.id}`;
	const persistent = store.grids.list(space.id, 'persistent');
	const perGrid = (hrefs: (grid: Grid) => string[]) => [listed(type, persistent.flatMap(hrefs))];
	switch (type) {
		case 'space':
			return [listed(type, [spacePath])];
		case 'grid':
			return perGrid((grid) => [pathOf(grid)]);
		case 'virtualGrid':
			return [listed(type, store.grids.list(space.id, 'virtual').map(pathOf))];
		case 'field':
			return perGrid((grid) =>
				store.fields.list(grid.no).map((field) => `${pathOf(grid)}/fields/${field.id}`),
			);
		case 'form':
			return perGrid((grid) =>
				store.presentation.forms(grid.no).map((form) => `${pathOf(grid)}/forms/${form.id}`),
			);
		case 'view':
			return [
				listed(
					type,
					store.grids
						.list(space.id, undefined)
						.flatMap((grid) =>
							store.presentation.sviews(grid.no, false).map((sview) => `${pathOf(grid)}/sviews/${sview.id}`),
						),
				),
			];
		case 'formlink':
			return perGrid((grid) => store.publicLinks.list(grid.no).map(publicPath));
		case 'share':
			return [
				listed(
					type,
					store.sharing.shares(space.id).map((share) => `${spacePath}/shares/${share.id}`),
				),
			];
		case 'user': {
			// Other accounts are not readable.
			return [listed(type, [`/api/users/${call.identity.userId}`])];
		}
		case 'entity':
			return persistent.map((grid) => entitiesOf(call, grid, pathOf(grid)));
		case 'block':
		case 'eventhook':
		case 'externalHook':
		case 'flow':
		case 'flow activation':
		case 'flow instance':
		case 'flow node':
		case 'linkedGrid':
		case 'node view':
			return [];
	}
}

const space = inSpace('');

space.get(
	'/resources',
	'reader',
	{ space: 'resources' },
	{ query: resourcesQuery, answer: answers.pageOf(answers.resource) },
	(call) => {
		const query = read(resourcesQuery, call.query, 'Query');
		const sections = [...new Set(query.types)].flatMap((type) => sectionsOf(call, type));
		const items: Array<{ type: ResourceType; href: string }> = [];
		const { offset, limit } = windowOf(query);
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
