import { z } from 'zod/v4';
import { endpoints } from '../endpoints/endpoints';
import type { Target } from '../endpoints/permission';
import { idSchema, resourceSchema, type Query } from '../hal/links';
import { listSource } from '../lists/listSource';
import { listOf, pagesOf } from '../lists/page';
import { readList, type Items, type ListSource } from '../lists/readList';
import { createdBy } from '../session/created';
import type { Created, Session } from '../session/session';

/** §2.3. In lists, it lacks `properties`, `createdAt`, `plan` and `availableSeats`. */
export const spaceSchema = resourceSchema.extend({
	id: idSchema,
	name: z.string().catch(''),
	key: z.string().nullish().catch(null),
});
export type Space = z.infer<typeof spaceSchema>;

const spacePages = pagesOf(spaceSchema);

/** §2.8: a resource of a space, by its type and address. */
const resourceReferenceSchema = z.looseObject({ type: z.string().catch(''), href: z.string() });
export type ResourceReference = z.infer<typeof resourceReferenceSchema>;

const resourceList = listOf(resourceReferenceSchema);

/** The types of resources of a space (§4.3). */
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

/** §2.8: all strings. */
export type SymbolObject = Partial<Record<'name' | 'iconset' | 'color', string>>;

/**
 * Changeable properties of a space (§4.3). The name has at most 80 characters, the key at most 25;
 * both are unique in the account (§8).
 */
export interface SpaceChange {
	name?: string | undefined;
	key?: string | undefined;
	/** An organization, or null for none. */
	belongsTo?: string | null | undefined;
	spaceIcon?: SymbolObject | undefined;
	properties?: Record<string, unknown> | undefined;
}

export function spaceTarget({ id, name, _links, _representation }: Space): Target {
	return { _links, _representation, name, address: { spaceId: id } };
}

export class Spaces {
	constructor(private readonly session: Session) {}

	/** The spaces that this identity can see (§4.3), in summary form. */
	list(matching?: Matching): ListSource<Space> {
		return listSource(this.session, spacePages, [endpoints.spaceList, async () => await this.owner()], {
			query: queryOf(matching),
			identity: ({ id }) => id,
		});
	}

	/** One space in full (§4.3). @throws NotFound, Forbidden (§7) */
	async get(spaceId: string): Promise<Space> {
		return await this.session.fetch(spaceSchema, endpoints.spaceGet, { address: { spaceId } });
	}

	/** The full representation of a space in a list. */
	async open(summary: Space): Promise<Space> {
		return await this.session.fetch(spaceSchema, endpoints.spaceGet, spaceTarget(summary));
	}

	/**
	 * Creates a space (§4.3). Its default name is Space.
	 * @throws Forbidden, BadRequest if name or key is in use or too long (§8)
	 */
	async create({ spaceIcon, ...given }: Omit<SpaceChange, 'properties'> = {}): Promise<Created> {
		// §4.3: the member is `spaceIcon` in a change and `icon` in a creation.
		const body = { ...given, ...(spaceIcon === undefined ? {} : { icon: spaceIcon }) };
		return await this.session.createAt(endpoints.spaceCreate, await this.owner(), { body });
	}

	/** Changes the given members (§4.3). @throws LinkMissing, Forbidden, BadRequest (§7) */
	async update(space: Space, change: SpaceChange): Promise<void> {
		const options = { body: change, repeatable: true };
		await this.session.follow(endpoints.spaceUpdate, spaceTarget(space), options);
	}

	/** Deletes a space and all in it (§4.3) at once. @throws LinkMissing, Forbidden (§7) */
	async remove(space: Space): Promise<void> {
		await this.session.follow(endpoints.spaceDelete, spaceTarget(space));
	}

	/**
	 * Copies a space (§4.3).
	 * @param options.includeEntities false: structure only
	 * @returns address of the copy, if the response contains it (§4 Gaps)
	 * @throws Forbidden, BadRequest if the name is in use
	 */
	async copy(
		space: Space,
		options: { name?: string | undefined; includeEntities: boolean },
	): Promise<Created | undefined> {
		const response = await this.session.follow(endpoints.spaceCopy, spaceTarget(space), { body: options });
		return await createdBy(this.session, response, 'space');
	}

	/** Up to `limit` resources of some types in a space (§4.3). @param types at least one */
	async resources(space: Space, types: readonly string[], limit?: number): Promise<Items<ResourceReference>> {
		const source = listSource(this.session, resourceList, [endpoints.resourceList, spaceTarget(space)], {
			query: { types: types.join(',') },
			identity: ({ type, href }) => `${type} ${href}`,
		});
		return await readList(source, { limit });
	}

	private async owner(): Promise<Target> {
		const { id, _links } = await this.session.currentUser.me();
		return { _links, address: { userId: id } };
	}
}

/** §4.3: "pair of property key and value"; the separator is not specified. */
function queryOf(matching: Matching | undefined): Query {
	return matching ? { matching: `${matching.key},${matching.value}` } : {};
}
