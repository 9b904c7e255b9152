import { z } from 'zod/v4';
import { linkOf, pageSchema, resourceSchema } from '../hal/links';
import { createdBy } from '../session/created';
import { readPages, type Items } from '../session/paging';
import { paths } from '../endpoints/paths';
import { likelyLink } from '../endpoints/permission';
import { Session, type Created } from '../session/session';
import type { Space } from './spaces';
import type { Users } from './users';

/** §2.8: role, emails, users; of an open invitation (§4.3) no field is shown. */
export const shareSchema = resourceSchema.extend({
	id: z.string().optional().catch(undefined),
	role: z.string().optional().catch(undefined),
});
export type Share = z.infer<typeof shareSchema>;

const sharesPage = pageSchema(shareSchema);

/** The roles of §5. */
export const ROLES = ['admin', 'creator', 'reader', 'writer'] as const;

export interface NewShare {
	email: string;
	role: string;
}

/** Who may do what in a space (§4.3). All of it needs the link `shares`, which §2.3 names: whoever lacks it may not share. */
export class Shares {
	constructor(
		private readonly session: Session,
		private readonly users: Users,
	) {}

	/** The shares of a space, up to `limit` of them. @throws LinkMissing, Forbidden (§7) */
	async many(space: Space, limit?: number): Promise<Items<Share>> {
		return await this.list(linkOf(space, 'shares', `see with whom "${space.name}" is shared`).href, limit);
	}

	/**
	 * Gives somebody a role in a space. @returns where the share is, if the service tells (§4 Gaps)
	 * @throws LinkMissing, Forbidden, BadRequest where the address or the role are not accepted (§7)
	 */
	async create(space: Space, share: NewShare): Promise<Created | undefined> {
		const { href } = linkOf(space, 'shares', `share "${space.name}"`);
		const link = likelyLink(space, { rels: ['addShare', 'share'], method: 'POST', href });
		const answer = await this.session.send(Session.callOf(link, { body: share }));
		return await createdBy(this.session, answer, 'share');
	}

	/** The open invitations to a space, up to `limit` of them. @throws LinkMissing, Forbidden (§7) */
	async invitations(space: Space, limit?: number): Promise<Items<Share>> {
		linkOf(space, 'shares', `see who is invited to "${space.name}"`);
		const documented = paths.invitations(await this.users.id(), space.id);
		const link = likelyLink(space, { rels: ['invitations'], method: 'GET', href: documented });
		return await this.list(link.href, limit);
	}

	/** The same as `create`; the service also sends an invitation mail. */
	async invite(space: Space, share: NewShare): Promise<Created | undefined> {
		linkOf(space, 'shares', `invite people to "${space.name}"`);
		const documented = paths.invite(await this.users.id(), space.id);
		const link = likelyLink(space, { rels: ['invite', 'addInvitation'], method: 'POST', href: documented });
		const answer = await this.session.send(Session.callOf(link, { body: share }));
		return await createdBy(this.session, answer, 'share');
	}

	private async list(href: string, limit: number | undefined): Promise<Items<Share>> {
		return await readPages({
			fetchPage: async (pageIndex, pageSize) =>
				await this.session.read(sharesPage, { method: 'GET', href, query: { pageIndex, pageSize } }),
			identity: identityOf,
			limiter: this.session.limiter,
			limit,
		});
	}
}

/** §2.8 gives a share no id, so two shares without one are the same only where all of them is. */
function identityOf({ id, _links, ...share }: Share): string {
	return id ?? JSON.stringify([share, [..._links]]);
}
