import { z } from 'zod/v4';
import type { Grid } from './grids';
import { linkOf, pageSchema, resourceSchema, type Page } from './hal';
import { paths } from './paths';
import { Session, type Created } from './session';

/** §2.7: what the values of an entity stand under. `indexed` is left to those who need it. */
export type Layout = 'field' | 'indexed' | 'key' | 'keyAndField' | 'property';

/** §2.6: an entity's keys depend on the layout, so everything beyond `_id` and `_links` is a value. */
export const entitySchema = resourceSchema.extend({ _id: z.string().min(1) });
export type Entity = z.infer<typeof entitySchema>;

/** §2.8: operators by field id; `$eq` is the only documented one. */
export type Filter = Record<string, unknown>;
/** §2.8: `{ $order: "ascending" }` by field id. */
export type Sorting = Record<string, { $order: string }>;

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

/** §8 names no largest page size: a service that caps it answers with fewer and says so. */
const LARGEST_PAGE = 1000;

const asJson = (value: object | undefined) => (value === undefined ? undefined : JSON.stringify(value));

export class Entities {
	constructor(private readonly session: Session) {}

	/** One page of a grid's entities (§4.5). @throws LinkMissing where this identity may not read them */
	async page(grid: Grid, query: EntitiesQuery = {}): Promise<Page<Entity>> {
		const link = linkOf(grid, 'entities', `read the entities of "${grid.name}"`);
		const call = { query: { ...query, filter: asJson(query.filter), sorting: asJson(query.sorting) } };
		return await this.session.read(entitiesPage, Session.callOf(link, call));
	}

	/**
	 * Entities of a grid, page after page, in the service's order and each once, up to `limit` of them.
	 * @throws what `page` throws; nothing is returned of a read that did not come to its end
	 */
	async many(grid: Grid, query: EntitiesQuery = {}, limit = Infinity): Promise<Entity[]> {
		const found = new Map<string, Entity>();
		const pageSize = Number.isFinite(limit) ? Math.min(limit, LARGEST_PAGE) : LARGEST_PAGE;
		for (let pageIndex = 1, pages = 1; pageIndex <= pages && found.size < limit; pageIndex++) {
			const page = await this.page(grid, { ...query, pageIndex, pageSize });
			for (const entity of page.items) if (found.size < limit) found.set(entity._id, entity);
			pages = page.items.length === 0 ? 0 : (page.numberOfPages ?? pageIndex);
		}
		return [...found.values()];
	}

	/** Reads one entity. @param layout which key each value stands under (§2.7) @throws NotFound, Forbidden (§7) */
	async get(grid: Grid, entityId: string, layout: Layout = 'field'): Promise<Entity> {
		const href = paths.entity(grid.address, entityId);
		return await this.session.read(entitySchema, { method: 'GET', href, query: { layout } });
	}

	/**
	 * Creates an entity (§4.5). An empty object creates one without values.
	 * @throws LinkMissing where this identity may not, BadRequest where a value does not fit its field (§7)
	 */
	async create(grid: Grid, values: Values, layout: Layout = 'field'): Promise<Created> {
		const link = linkOf(grid, 'addEntity', `add entities to "${grid.name}"`);
		return await this.session.create(Session.callOf(link, { query: { layout }, body: values }, 'POST'));
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
		const rest = { query: { layout }, body: values };
		if (typeof entity === 'string') {
			const href = paths.entity(grid.address, entity);
			return await this.session.read(entitySchema, { ...rest, method: 'PUT', href });
		}
		const link = linkOf(entity, 'update', `change entities of "${grid.name}"`);
		return await this.session.read(entitySchema, Session.callOf(link, rest, 'PUT'));
	}

	/**
	 * Deletes an entity (§4.5).
	 * @param entity its id, or its representation, whose `remove` link is then followed
	 * @throws LinkMissing, NotFound, Forbidden (§7)
	 */
	async remove(grid: Grid, entity: string | Entity): Promise<void> {
		if (typeof entity === 'string') {
			await this.session.send({ method: 'DELETE', href: paths.entity(grid.address, entity) });
			return;
		}
		const link = linkOf(entity, 'remove', `delete entities of "${grid.name}"`);
		await this.session.send(Session.callOf(link, {}, 'DELETE'));
	}
}
