import { entityPages, entitySchema, rowAfter, type Entity, type Values } from './entityRows';
import type { Fields } from './fields';
import type { Grid, Grids } from './grids';
import { endpoints } from '../endpoints/endpoints';
import { linkTo, partOfGrid, permits, permittedLink, type Target } from '../endpoints/permission';
import { BoundedMap } from '../formats/memory';
import { findLink, type Link } from '../hal/links';
import { listSource, mapped } from '../lists/listSource';
import { DEFAULT_PAGE_SIZE, readPage, type Page, type PageRequest } from '../lists/page';
import {
	readList,
	streamList,
	type Items,
	type ListSource,
	type StreamedRead,
	type ListLimits,
} from '../lists/readList';
import { withFieldNames } from './refusedValues';
import { Summaries } from './summaries';
import type { Created, Session } from '../session/session';

/** A value computed from an entity, with the id of the entity. */
export interface MappedEntity<Kept> {
	id: string;
	kept: Kept;
}

/** How much of a list to read. */
interface ReadLimits extends ListLimits {
	/** IDs of columns whose values decide what is written. */
	needs?: readonly string[] | undefined;
}

/** §2.7: what the values of an entity are keyed by. */
export type Layout = 'field' | 'indexed' | 'key' | 'keyAndField' | 'property';

/** §2.8: operators by field id; `$eq` is the only documented one. */
export type Filter = Record<string, unknown>;
/** §2.8: `{ $order: "ascending" }` by field id. */
export type Sorting = Record<string, { $order: string }>;

export interface EntitiesQuery {
	layout?: Layout | undefined;
	/** A virtual grid's id (§4.5). */
	viewId?: string | undefined;
	filter?: Filter | undefined;
	sorting?: Sorting | undefined;
	/** §4.5: false replaces the view's filter, true (default) combines with it. */
	compose?: boolean | undefined;
}

export { entitySchema, type Entity, type Values } from './entityRows';

const idOf = ({ _id }: Entity) => _id;

const asJson = (value: object | undefined) => (value === undefined ? undefined : JSON.stringify(value));

/** Maximum number of rows whose links are kept. */
const MAX_KNOWN_LINKS = 1000;

const keyOf = ({ address }: Grid, entityId: string) => JSON.stringify([address.gridId, entityId]);

type KnownLinks = Pick<Entity, '_links' | '_representation'>;
const WRITES = { update: endpoints.entityUpdate, remove: endpoints.entityDelete };

export class Entities {
	/** Links of rows that were read individually, for writes to the same rows by id. */
	private readonly known = new BoundedMap<string, KnownLinks>(MAX_KNOWN_LINKS);

	private readonly summaries: Summaries;

	constructor(
		private readonly session: Session,
		fields: Fields,
		grids: Pick<Grids, 'open'>,
	) {
		this.summaries = new Summaries(session.limiter, {
			columns: async (grid, viewId) => {
				const { spaceId } = grid.address;
				return await fields.of(viewId === undefined ? grid : await grids.open({ spaceId, gridId: viewId }));
			},
			open: async (grid, entity) => await this.open(grid, entity),
		});
	}

	/** The entities of a grid (§4.5), which may be summaries. @throws LinkMissing */
	list(grid: Grid, query: EntitiesQuery = {}): ListSource<Entity> {
		const { limiter } = this.session;
		return {
			fetchPage: async (request) => await this.page(grid, { ...query, ...request }),
			identity: idOf,
			limiter,
		};
	}

	/**
	 * The same with all values; those of a view without the columns that it hides.
	 * @param keep see `manyAs`
	 * @param needs ids of columns whose values decide what is written; not for the rows of a view
	 */
	listAs<Kept>(
		grid: Grid,
		keep: (entity: Entity) => Kept,
		query: EntitiesQuery,
		needs: readonly string[] = [],
	): ListSource<MappedEntity<Kept>> {
		const { viewId, layout = 'field' } = query;
		const complete = async (rows: Entity[]) => {
			if (layout !== 'field') return rows;
			return viewId === undefined
				? await this.summaries.completed(grid, rows, needs)
				: await this.summaries.completedInView(grid, viewId, rows);
		};
		const keepAll = async (rows: Entity[]) =>
			(await complete(rows)).map((entity) => ({ id: entity._id, kept: keep(entity) }));
		return mapped(this.list(grid, query), keepAll, ({ id }) => id);
	}

	/** One page of a grid's entities (§4.5), which may be summaries. @throws LinkMissing */
	async page(
		grid: Grid,
		{
			layout = 'field',
			filter,
			sorting,
			pageIndex = 1,
			pageSize = DEFAULT_PAGE_SIZE,
			...rest
		}: EntitiesQuery & Partial<PageRequest> = {},
	): Promise<Page<Entity>> {
		const request = { pageIndex, pageSize };
		const query = { ...rest, ...request, layout, filter: asJson(filter), sorting: asJson(sorting) };
		const answer = await this.session.follow(endpoints.entityList, grid, { query });
		return readPage(entityPages, answer, request);
	}

	/** The number of entities, from one small page. */
	async count(grid: Grid, query: EntitiesQuery = {}): Promise<number> {
		return (await this.page(grid, { ...query, pageSize: 1 })).numberOfItems;
	}

	/**
	 * Up to `limit` entities of a grid, each once, in the service's order, read in parallel.
	 * @throws what `readList` throws; an incomplete read returns nothing
	 */
	async many(
		grid: Grid,
		query: EntitiesQuery = {},
		bounds: number | ReadLimits = {},
	): Promise<Items<Entity>> {
		return await this.manyAs(grid, (entity) => entity, query, bounds);
	}

	/**
	 * Like `many`, but keeps only the result of `keep` for each entity: `keep` is called when a page
	 * arrives, then the page is released.
	 * @param bounds maximum number of entities, or further bounds
	 * @throws what `many` throws, and what `keep` throws
	 */
	async manyAs<Kept>(
		grid: Grid,
		keep: (entity: Entity) => Kept,
		query: EntitiesQuery = {},
		bounds: number | ReadLimits = {},
	): Promise<Items<Kept>> {
		const { needs, ...limits }: ReadLimits = typeof bounds === 'number' ? { limit: bounds } : bounds;
		const { items, ...rest } = await readList(this.listAs(grid, keep, query, needs), limits);
		return { items: items.map(({ kept }) => kept), ...rest };
	}

	/**
	 * Like `manyAs`, but page by page, so that a grid of any size fits into memory.
	 * @param use consumes all pages, in the service's order, each entity once; called again if the
	 *   grid changed in the meantime
	 */
	async stream<Kept, Result>(
		grid: Grid,
		keep: (entity: Entity) => Kept,
		query: EntitiesQuery,
		use: (pages: AsyncIterable<Array<MappedEntity<Kept>>>) => Promise<Result>,
		{ needs }: Pick<ReadLimits, 'needs'> = {},
	): Promise<StreamedRead<Result>> {
		return await streamList(this.listAs(grid, keep, query, needs), use);
	}

	/**
	 * Entities that contain a text (§4.4 query). They have values only for the first four fields of
	 * the schema.
	 * @param query.viewId id of a virtual grid to search in
	 * @throws Forbidden (§7)
	 */
	async search(
		grid: Grid,
		{
			layout = 'field',
			...query
		}: { matching: string; viewId?: string | undefined; layout?: Layout | undefined },
		limit?: number,
	): Promise<Items<Entity>> {
		const source = listSource(this.session, entityPages, [endpoints.entitySearch, grid], {
			query: { ...query, layout },
			identity: idOf,
		});
		return await readList(source, { limit });
	}

	/** The full representation of a listed or found entity, by its own link (§4.4 query). */
	async open(grid: Grid, summary: Entity, layout: Layout = 'field'): Promise<Entity> {
		return await this.read(grid, partOfGrid(grid, { entityId: summary._id }, summary), layout);
	}

	/** Reads one entity. @param layout key of each value (§2.7) @throws NotFound, Forbidden (§7) */
	async get(grid: Grid, entityId: string, layout: Layout = 'field'): Promise<Entity> {
		return await this.read(grid, partOfGrid(grid, { entityId }), layout);
	}

	/**
	 * Reads the entity at the address in a reference (§2.9 `uri`).
	 * @throws ForeignOrigin before anything is sent, NotFound, Forbidden (§7)
	 */
	async at(href: string): Promise<Entity> {
		const options = { link: { href, method: 'get' }, query: { layout: 'field' } };
		return await this.session.fetch(entitySchema, endpoints.entityGet, {}, options);
	}

	private async read(grid: Grid, target: Target, layout: Layout): Promise<Entity> {
		const options = { query: { layout } };
		return this.kept(grid, await this.session.fetch(entitySchema, endpoints.entityGet, target, options));
	}

	/**
	 * Creates an entity (§4.5). An empty object creates one without values.
	 * @throws LinkMissing, BadRequest if a value does not fit its field (§7)
	 */
	async create(grid: Grid, values: Values, layout: Layout = 'field'): Promise<Created> {
		const options = { query: { layout }, body: values };
		return await withFieldNames(grid.fields, this.session.createAt(endpoints.entityCreate, grid, options));
	}

	/** Checks the permission to create entities (§2.4). Sends nothing. @throws LinkMissing */
	mayCreate(grid: Grid): void {
		permittedLink(endpoints.entityCreate, grid);
	}

	/**
	 * The link that updates or deletes an entity: its own (§2.6), if known. For an entity that was
	 * not read, the documented address, if the grid permits writing. Otherwise the entity is read for
	 * its links. Writes nothing.
	 * @throws LinkMissing, NotFound, Forbidden (§7)
	 */
	async writeLink(grid: Grid, entity: string | Entity, write: keyof typeof WRITES): Promise<Link> {
		const endpoint = WRITES[write];
		const entityId = typeof entity === 'string' ? entity : entity._id;
		const known = typeof entity === 'string' ? this.known.get(keyOf(grid, entityId)) : entity;
		const isDecided = known && permits(known, write) !== undefined;
		if (isDecided) return linkTo(endpoint, partOfGrid(grid, { entityId }, known));
		const self = known && findLink(known, 'self');
		if (!self && permits(grid, 'addEntity')) return linkTo(endpoint, partOfGrid(grid, { entityId }));
		const read = await this.read(grid, partOfGrid(grid, { entityId }, known), 'field');
		return linkTo(endpoint, partOfGrid(grid, { entityId }, read));
	}

	/**
	 * Writes the given fields of an entity; the others keep their values, null clears a field (§4.5:
	 * entities have no PATCH).
	 * @param entity its id, or its representation, whose `update` link is followed
	 * @returns the entity in its new state
	 * @throws LinkMissing, NotFound, Forbidden, BadRequest (§7)
	 */
	async update(
		grid: Grid,
		entity: string | Entity,
		values: Values,
		layout: Layout = 'field',
	): Promise<Entity> {
		const link = await this.writeLink(grid, entity, 'update');
		const options = { link, query: { layout }, body: values };
		const writing = this.session.follow(endpoints.entityUpdate, grid, options);
		const answer = await withFieldNames(grid.fields, writing);
		const read = async () =>
			typeof entity === 'string'
				? await this.get(grid, entity, layout)
				: await this.open(grid, entity, layout);
		return this.kept(grid, await rowAfter(answer, read));
	}

	private kept(grid: Grid, entity: Entity): Entity {
		const { _links, _representation } = entity;
		this.known.set(keyOf(grid, entity._id), { _links, _representation });
		return entity;
	}

	/**
	 * Deletes an entity (§4.5).
	 * @param entity its id, or its representation, whose `remove` link is followed
	 * @throws LinkMissing, NotFound, Forbidden (§7)
	 */
	async remove(grid: Grid, entity: string | Entity): Promise<void> {
		const link = await this.writeLink(grid, entity, 'remove');
		await this.session.follow(endpoints.entityDelete, grid, { link });
	}
}
