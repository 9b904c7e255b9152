import { z } from 'zod/v4';
import type { ResponseTooLarge } from '../http/responseLimit';
import type { Grid } from './grids';
import { findLink, linkOf, linksIn, pageSchema, type Link, type Links, type Page } from '../hal/links';
import { jsonObject } from '../formats/json';
import { readPages, type Items } from '../session/paging';
import { paths } from '../endpoints/paths';
import { likelyLink } from '../endpoints/permission';
import { parseResponse, textOf } from '../session/responses';
import { Session, type Created } from '../session/session';

/** §2.7: what the values of an entity stand under. `indexed` is left to those who need it. */
export type Layout = 'field' | 'indexed' | 'key' | 'keyAndField' | 'property';

/**
 * §2.6: an entity's keys depend on the layout, so everything beyond `_id`, `_representation` and `_links` is a value. One check for each
 * of thousands of rows: a schema for each member takes longer than to read the JSON.
 */
export const entitySchema = jsonObject.transform((raw, context): Entity => {
	const { _id: id, _representation: representation } = raw;
	const hasId = typeof id === 'string' && id !== '';
	const isNamed = representation === undefined || typeof representation === 'string';
	if (hasId && isNamed) return { ...raw, _id: id, _links: linksIn(raw['_links']) };
	context.addIssue({
		code: 'custom',
		message: 'expected a text',
		path: [hasId ? '_representation' : '_id'],
	});
	return z.NEVER;
});
export interface Entity {
	[member: string]: unknown;
	_id: string;
	_representation?: string | undefined;
	_links: Links;
}

/** §2.8: operators by field id; `$eq` is the only documented one. */
export type Filter = Record<string, unknown>;
/** §2.8: `{ $order: "ascending" }` by field id. */
export type Sorting = Record<string, { $order: string }>;

/** §4.5: what a DELETE answers. */
const deletedSchema = z.string().regex(/^\W*deleted\W*$/i);

const entitiesPage = pageSchema(entitySchema);

export interface EntitiesQuery {
	/** 1-based (§4). */
	pageIndex?: number | undefined;
	pageSize?: number | undefined;
	layout?: Layout | undefined;
	/** A virtual grid's id (§4.5). */
	viewId?: string | undefined;
	filter?: Filter | undefined;
	sorting?: Sorting | undefined;
	/** §4.5: false replaces the view's filter, true (default) combines with it. */
	compose?: boolean | undefined;
}

/** Values by the layout's keys. */
export type Values = Record<string, unknown>;

const asJson = (value: object | undefined) => (value === undefined ? undefined : JSON.stringify(value));

/** What is held of each entity. */
type Keep<Kept> =
	| ((entity: Entity) => Kept)
	| {
			row: (entity: Entity) => Kept;
			/** Of one that is too large to be read, by its sequence number in the list; without it, that is an error. */
			unreadable?: (position: number, error: ResponseTooLarge) => Kept;
	  };

/** Rows whose links are kept at most. */
const MAX_IN_HAND = 1000;

const keyOf = ({ address }: Grid, entityId: string) => JSON.stringify([address.gridId, entityId]);

export class Entities {
	/** Links of rows that were read one by one, for writes to the same rows by their ids. */
	private readonly inHand = new Map<string, Pick<Entity, '_links' | '_representation'>>();

	constructor(private readonly session: Session) {}

	/** One page of a grid's entities (§4.5). @throws LinkMissing where this identity may not read them */
	async page(grid: Grid, query: EntitiesQuery = {}): Promise<Page<Entity>> {
		const link = linkOf(grid, 'entities', `read the entities of "${grid.name}"`);
		const { layout = 'field', filter, sorting, ...rest } = query;
		const call = { query: { ...rest, layout, filter: asJson(filter), sorting: asJson(sorting) } };
		return await this.session.read(entitiesPage, Session.callOf(link, call));
	}

	/**
	 * Entities of a grid in the service's order, each once, up to `limit` of them; pages are read in parallel.
	 * @throws what `page` throws; nothing is returned of a read that did not come to its end
	 */
	async many(grid: Grid, query: EntitiesQuery = {}, limit?: number): Promise<Items<Entity>> {
		return await this.manyAs(grid, (entity) => entity, query, limit);
	}

	/**
	 * The same, of which only what `keep` makes of each entity is held: it is called when a page is there, and the page is let go.
	 * @throws what `many` throws, and what `keep` throws
	 */
	async manyAs<Kept>(
		grid: Grid,
		keep: Keep<Kept>,
		query: EntitiesQuery = {},
		limit?: number,
	): Promise<Items<Kept>> {
		const { row, unreadable } = typeof keep === 'function' ? { row: keep } : keep;
		const { items, ...rest } = await readPages({
			fetchPage: async (pageIndex, pageSize) => {
				const page = await this.page(grid, { ...query, pageIndex, pageSize });
				return { ...page, items: page.items.map((entity) => ({ id: entity._id, kept: row(entity) })) };
			},
			unreadable:
				unreadable &&
				((position, error) => ({ id: `unreadable ${position}`, kept: unreadable(position, error) })),
			identity: ({ id }) => id,
			limiter: this.session.limiter,
			limit,
		});
		return { items: items.map(({ kept }) => kept), ...rest };
	}

	/**
	 * Entities that hold a text (§4.4 query). Their values are a preview: those of the first four fields of the schema.
	 * @param query.viewId the id of a virtual grid to search in
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
		const href = paths.query(grid.address);
		const link = likelyLink(grid, { rels: ['query', 'search'], method: 'GET', href });
		return await readPages({
			fetchPage: (pageIndex, pageSize) =>
				this.session.read(
					entitiesPage,
					Session.callOf(link, { query: { ...query, layout, pageIndex, pageSize } }),
				),
			identity: (entity) => entity._id,
			limiter: this.session.limiter,
			limit,
		});
	}

	/** The full representation of an entity that a list or a search gave, through its own link (§4.4 query). */
	async open(grid: Grid, summary: Entity, layout: Layout = 'field'): Promise<Entity> {
		const self = findLink(summary, 'self');
		if (!self) return await this.get(grid, summary._id, layout);
		const entity = await this.session.read(entitySchema, Session.callOf(self, { query: { layout } }));
		return this.kept(grid, entity);
	}

	/** Reads one entity. @param layout which key each value stands under (§2.7) @throws NotFound, Forbidden (§7) */
	async get(grid: Grid, entityId: string, layout: Layout = 'field'): Promise<Entity> {
		const href = paths.entity(grid.address, entityId);
		return this.kept(grid, await this.session.read(entitySchema, { method: 'GET', href, query: { layout } }));
	}

	/**
	 * Creates an entity (§4.5). An empty object creates one without values.
	 * @throws LinkMissing where this identity may not, BadRequest where a value does not fit its field (§7)
	 */
	async create(grid: Grid, values: Values, layout: Layout = 'field'): Promise<Created> {
		const link = linkOf(grid, 'addEntity', `add entities to "${grid.name}"`);
		return await this.session.create(
			Session.callOf(link, { query: { layout }, body: values }, 'POST'),
			'entity',
		);
	}

	/** Makes sure that this identity may create entities (§2.4 addEntity). Sends nothing. @throws LinkMissing */
	mayCreate(grid: Grid): void {
		linkOf(grid, 'addEntity', `add entities to "${grid.name}"`);
	}

	/**
	 * The link by which an entity is changed or deleted, before anything is sent to it. Its own link decides (§2.6). Of an entity
	 * of which only the id is known and which was not read before, the documented address is taken where the grid lists a right to write at all; where it does
	 * not, and where a list left the links out, the entity is read for its links.
	 * @throws LinkMissing, NotFound, Forbidden (§7)
	 */
	async writeLink(grid: Grid, entity: string | Entity, rel: 'update' | 'remove'): Promise<Link> {
		const what = `${rel === 'update' ? 'change' : 'delete'} entities of "${grid.name}"`;
		const id = typeof entity === 'string' ? entity : entity._id;
		const row = typeof entity === 'string' ? this.inHand.get(keyOf(grid, id)) : entity;
		const link = row && findLink(row, rel);
		if (link) return link;
		if (row?._representation === 'full') return linkOf(row, rel, what);
		// A list may leave all links out; then it says as little as an id does.
		const isSilent = typeof entity === 'string' || entity._links.size === 0;
		if (isSilent && findLink(grid, 'addEntity'))
			return { href: paths.entity(grid.address, id), method: rel === 'update' ? 'PUT' : 'DELETE' };
		return linkOf(await this.get(grid, id), rel, what);
	}

	/**
	 * Writes the named fields of an entity; the others keep their value, null clears one (§4.5: entities have no PATCH).
	 * @param entity its id, or its representation, whose `update` link is then followed
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
		const call = Session.callOf(link, { query: { layout }, body: values }, 'PUT');
		const answer = await this.session.send(call);
		if (textOf(answer.body).trim() !== '') return this.kept(grid, parseResponse(entitySchema, answer));
		// §4.5 promises the new state; a service that answers without content is asked for it.
		return typeof entity === 'string'
			? await this.get(grid, entity, layout)
			: await this.open(grid, entity, layout);
	}

	private kept(grid: Grid, entity: Entity): Entity {
		if (this.inHand.size >= MAX_IN_HAND) this.inHand.clear();
		const { _links, _representation } = entity;
		this.inHand.set(keyOf(grid, entity._id), { _links, _representation });
		return entity;
	}

	/**
	 * Deletes an entity (§4.5).
	 * @param entity its id, or its representation, whose `remove` link is then followed
	 * @throws LinkMissing, NotFound, Forbidden (§7)
	 */
	async remove(grid: Grid, entity: string | Entity): Promise<void> {
		const link = await this.writeLink(grid, entity, 'remove');
		await this.session.send(Session.callOf(link, { answers: deletedSchema }, 'DELETE'));
	}
}
