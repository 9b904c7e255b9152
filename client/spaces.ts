import { z } from 'zod/v4';
import { findLink, pageSchema, resourceSchema, type Page } from './hal';
import { paths } from './paths';
import { Session } from './session';
import type { Users } from './users';

/** §2.3. The summary form, in lists, lacks `properties`, `createdAt`, `plan` and `availableSeats`. */
export const spaceSchema = resourceSchema.extend({
	id: z.string().min(1),
	name: z.string().catch(''),
	key: z.string().nullish().catch(null),
});
export type Space = z.infer<typeof spaceSchema>;

const spacesPage = pageSchema(spaceSchema);

export interface SpacesQuery {
	/** 1-based (§4). */
	pageIndex?: number;
	pageSize?: number;
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
		return await this.session.read(spacesPage, {
			method: 'GET',
			href: link?.href ?? paths.spaces(me.id),
			query: { ...query },
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
}
