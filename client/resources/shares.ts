import { z } from 'zod/v4';
import { endpoints, type Endpoint } from '../endpoints/endpoints';
import { pageSchema, resourceSchema } from '../hal/links';
import { createdBy } from '../session/created';
import type { Items } from '../session/paging';
import type { Created, Session } from '../session/session';
import { spaceTarget, type Space } from './spaces';

/** §2.8: role, emails, users; of an open invitation (§4.3) no field is shown. */
const shareSchema = resourceSchema.extend({
	id: z.string().optional().catch(undefined),
	role: z.string().optional().catch(undefined),
});
export type Share = z.infer<typeof shareSchema>;

const sharesPage = pageSchema(shareSchema);

export interface NewShare {
	email: string;
	role: string;
}

/** Who has which role in a space (§4.3). */
export class Shares {
	constructor(private readonly session: Session) {}

	/** The shares of a space, up to `limit` of them. @throws LinkMissing, Forbidden (§7) */
	async many(space: Space, limit?: number): Promise<Items<Share>> {
		const target = spaceTarget(space);
		return await this.session.list(sharesPage, endpoints.shareList, target, { identity, limit });
	}

	/**
	 * Gives a person a role in a space.
	 * @returns address of the share, if the response tells (§4 Gaps)
	 * @throws LinkMissing, Forbidden, BadRequest if the email address or the role is refused (§7)
	 */
	async create(space: Space, share: NewShare): Promise<Created | undefined> {
		return await this.add(endpoints.shareCreate, space, share);
	}

	/** The open invitations to a space, up to `limit` of them. @throws LinkMissing, Forbidden (§7) */
	async invitations(space: Space, limit?: number): Promise<Items<Share>> {
		const target = spaceTarget(space);
		return await this.session.list(sharesPage, endpoints.invitationList, target, { identity, limit });
	}

	/** Like `create`; the service also sends an invitation mail. */
	async invite(space: Space, share: NewShare): Promise<Created | undefined> {
		return await this.add(endpoints.invitationCreate, space, share);
	}

	private async add(endpoint: Endpoint, space: Space, body: NewShare): Promise<Created | undefined> {
		const response = await this.session.follow(endpoint, spaceTarget(space), { body });
		return await createdBy(this.session, response, 'share');
	}
}

/** §2.8 gives a share no id: shares without one are the same if all their members are. */
function identity({ id, _links, ...share }: Share): string {
	return id ?? JSON.stringify([share, [..._links]]);
}
