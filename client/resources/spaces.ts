import { z } from 'zod/v4';
import { findLink, linkOf, pageSchema, resourceSchema, type Link, type Page } from '../hal/links';
import { createdBy } from '../session/created';
import { jsonObject } from '../formats/json';
import { readPages, type Items } from '../session/paging';
import { paths } from '../endpoints/paths';
import { changeLink, likelyLink, type UnnamedLink } from '../endpoints/permission';
import { Session, type Created } from '../session/session';
import type { Users } from './users';

/** §2.3. The summary form, in lists, lacks `properties`, `createdAt`, `plan` and `availableSeats`. */
export const spaceSchema = resourceSchema.extend({
	id: z.string().min(1),
	name: z.string().catch(''),
	key: z.string().nullish().catch(null),
});
export type Space = z.infer<typeof spaceSchema>;

const spacesPage = pageSchema(spaceSchema);

/** §2.8: a resource of a space, by its kind and address. */
const resourceReferenceSchema = z.looseObject({ type: z.string().catch(''), href: z.string() });
export type ResourceReference = z.infer<typeof resourceReferenceSchema>;

const resourcesPage = pageSchema(resourceReferenceSchema);

/** The kinds of resources that a space can be asked for (§4.3). */
export const RESOURCE_TYPES = [
	'block',
	'entity',
	'eventhook',
	'externalHook',
	'field',
	'flow',
	'flow activation',
	'flow instance',
	'flow node',
	'form',
	'formlink',
	'grid',
	'linkedGrid',
	'node view',
	'share',
	'space',
	'user',
	'view',
	'virtualGrid',
] as const;

/** §4.3: only spaces whose property `key` has this value. */
export interface Matching {
	key: string;
	value: string;
}

export interface SpacesQuery {
	/** 1-based (§4). */
	pageIndex?: number;
	pageSize?: number;
	matching?: Matching | undefined;
}

/** §2.8: all strings. */
export type Symbol = Partial<Record<'name' | 'iconset' | 'color', string>>;

/** What can be said of a space (§4.3); the name has at most 80 characters, the key at most 25, both unique in the account (§8). */
export interface SpaceChange {
	name?: string | undefined;
	key?: string | undefined;
	/** An organisation, or null for none. */
	belongsTo?: string | null | undefined;
	spaceIcon?: Symbol | undefined;
	properties?: Record<string, unknown> | undefined;
}

export class Spaces {
	constructor(
		private readonly session: Session,
		private readonly users: Users,
	) {}

	/** One page of the spaces that this identity sees (§4.3), in summary form. */
	async page(query: SpacesQuery = {}): Promise<Page<Space>> {
		const me = await this.users.me();
		const link = findLink(me, 'spaces');
		const { matching, ...rest } = query;
		return await this.session.read(spacesPage, {
			method: 'GET',
			href: link?.href ?? paths.spaces(me.id),
			// §4.3: "pair of property key and value"; how the two are joined is not shown.
			query: { ...rest, ...(matching ? { matching: `${matching.key},${matching.value}` } : {}) },
		});
	}

	/** The spaces that this identity sees, up to `limit` of them, in summary form. @throws EndlessPages, and what `page` throws */
	async many(matching?: Matching, limit?: number): Promise<Items<Space>> {
		return await readPages({
			fetchPage: async (pageIndex, pageSize) => await this.page({ pageIndex, pageSize, matching }),
			identity: ({ id }) => id,
			limiter: this.session.limiter,
			limit,
		});
	}

	/** One space in full (§4.3). @throws NotFound, Forbidden (§7) */
	async get(spaceId: string): Promise<Space> {
		const me = await this.users.me();
		return await this.session.read(spaceSchema, { method: 'GET', href: paths.space(me.id, spaceId) });
	}

	/** The full representation of a space that a list gave. */
	async open(summary: Space): Promise<Space> {
		const self = findLink(summary, 'self');
		return self ? await this.session.read(spaceSchema, Session.callOf(self)) : await this.get(summary.id);
	}

	/** Creates a space (§4.3), named Space where no name is given. @throws Forbidden, BadRequest where name or key are taken or too long */
	async create({ spaceIcon, ...given }: Omit<SpaceChange, 'properties'> = {}): Promise<Created> {
		const me = await this.users.me();
		const link = likelyLink(me, {
			rels: ['addSpace', 'createSpace'],
			method: 'POST',
			href: findLink(me, 'spaces')?.href ?? paths.spaces(me.id),
		});
		// §4.3: what a change calls spaceIcon, the creation calls icon.
		const body = { ...given, ...(spaceIcon === undefined ? {} : { icon: spaceIcon }) };
		return await this.session.create(Session.callOf(link, { body }), 'space');
	}

	/** Changes what is named; the rest stays (§4.3). @throws LinkMissing, Forbidden, BadRequest (§7) */
	async update(space: Space, change: SpaceChange): Promise<void> {
		const link = this.changing(space, 'PATCH', ['update', 'edit', 'patch'], 'change');
		const call = { body: change, repeatable: true, answers: jsonObject };
		await this.session.send(Session.callOf(link, call));
	}

	/** Deletes a space and everything in it (§4.3), without asking. @throws LinkMissing, Forbidden (§7) */
	async remove(space: Space): Promise<void> {
		const link = this.changing(space, 'DELETE', ['remove', 'delete'], 'delete');
		await this.session.send(Session.callOf(link));
	}

	/**
	 * Copies a space (§4.3). @param options.includeEntities false: structure only
	 * @returns where the copy is, if the service tells (§4 Gaps)
	 * @throws Forbidden, BadRequest where the name is taken
	 */
	async copy(
		space: Space,
		options: { name?: string | undefined; includeEntities: boolean },
	): Promise<Created | undefined> {
		const href = paths.spaceCopy(await this.users.id(), space.id);
		const link = likelyLink(space, { rels: ['copy', 'duplicate'], method: 'POST', href });
		const answer = await this.session.send(Session.callOf(link, { body: options }));
		return await createdBy(this.session, answer, 'space');
	}

	/** The resources of some kinds in a space (§4.3), up to `limit` of them. @param types at least one, else 400 */
	async resources(space: Space, types: readonly string[], limit?: number): Promise<Items<ResourceReference>> {
		const href = paths.spaceResources(await this.users.id(), space.id);
		const link = likelyLink(space, { rels: ['resources'], method: 'GET', href });
		return await readPages({
			fetchPage: async (pageIndex, pageSize) =>
				await this.session.read(
					resourcesPage,
					Session.callOf(link, { query: { types: types.join(','), pageIndex, pageSize } }),
				),
			identity: ({ type, href: address }) => `${type} ${address}`,
			limiter: this.session.limiter,
			limit,
		});
	}

	/** What is done to a space itself stands at its own address, which `self` tells (§2.3). */
	private changing(
		space: Space,
		method: UnnamedLink['method'],
		rels: UnnamedLink['rels'],
		verb: string,
	): Link {
		const { href } = linkOf(space, 'self', `read the space "${space.name}"`);
		const what = `${verb} the space "${space.name}"`;
		return changeLink(space, findLink(space, 'addGrid'), { rels, method, href }, what);
	}
}
