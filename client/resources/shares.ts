import { z } from 'zod/v4';
import { endpoints, type Endpoint } from '../endpoints/endpoints';
import { idInPath } from '../endpoints/paths';
import { idSchema, resourceSchema, type Link, type Linked } from '../hal/links';
import { listSource } from '../lists/listSource';
import { listOf } from '../lists/page';
import type { ListSource } from '../lists/readList';
import { createdBy } from '../session/created';
import { Session, type Created } from '../session/session';
import { spaceTarget, type Space } from './spaces';
import { NotOffered } from '../errors';
import { parseResponse } from '../session/responses';

const text = z.string().optional().catch(undefined);

/** §2.8: role, emails, users. The members of an open invitation (§4.3) are not specified. */
export const shareSchema = resourceSchema.extend({
	id: idSchema.optional().catch(undefined),
	role: text,
	email: text,
	emails: z.array(z.string()).optional().catch(undefined),
});
export type Share = z.infer<typeof shareSchema>;

export const shareList = listOf(shareSchema);

export interface NewShare {
	email: string;
	role: string;
}

/** Who has which role in a space (§4.3). */
export class Shares {
	constructor(private readonly session: Session) {}

	/** The shares of a space. @throws LinkMissing, Forbidden (§7) */
	list(space: Space): ListSource<Share> {
		return listSource(this.session, shareList, [endpoints.shareList, spaceTarget(space)], { identity });
	}

	/**
	 * Gives a person a role in a space.
	 * @returns address of the share, if the response contains it (§4 Gaps)
	 * @throws LinkMissing, Forbidden, BadRequest if the email address or the role is refused (§7)
	 */
	async create(space: Space, share: NewShare): Promise<Created | undefined> {
		return await this.add(endpoints.shareCreate, space, share);
	}

	/**
	 * Removes a share of a space or of a stateful view.
	 * @throws NotOffered if the service has no link for it, NotFound, Forbidden (§7)
	 */
	async remove(share: Share): Promise<void> {
		await this.removeBy(share, 'remove the share');
	}

	/** The open invitations to a space. @throws LinkMissing, Forbidden (§7) */
	invitationList(space: Space): ListSource<Share> {
		return listSource(this.session, shareList, [endpoints.invitationList, spaceTarget(space)], { identity });
	}

	/** Like `create`; the service also sends an invitation by mail. */
	async invite(space: Space, share: NewShare): Promise<Created | undefined> {
		return await this.add(endpoints.invitationCreate, space, share);
	}

	/** Revokes an open invitation. @throws NotOffered without a link for it, NotFound, Forbidden */
	async revoke(invitation: Share): Promise<void> {
		await this.removeBy(invitation, 'revoke the invitation');
	}

	private async add(endpoint: Endpoint, space: Space, body: NewShare): Promise<Created | undefined> {
		const response = await this.session.follow(endpoint, spaceTarget(space), { body });
		return await createdBy(this.session, response, 'share');
	}

	/**
	 * Removes by a link: no address is documented (§4 Gaps). Entries of a list may omit links (§2.1),
	 * so the full representation is read if the entry lacks the link.
	 */
	private async removeBy(share: Share, action: string): Promise<void> {
		const self = share._representation === 'full' ? undefined : share._links.get('self');
		const link =
			deletionOf(share) ??
			(self &&
				deletionOf(
					parseResponse(resourceSchema, await this.session.send({ method: 'GET', href: self.href })),
				));
		if (!link) throw new NotOffered(action);
		await this.session.send(Session.callOf(link));
	}
}

/** The names are guesses, and may belong to other operations, so the method must match. */
const deletionOf = ({ _links }: Linked): Link | undefined =>
	['remove', 'delete', 'revoke']
		.map((rel) => _links.get(rel))
		.find((link) => link?.method.toUpperCase() === 'DELETE');

/** Email addresses of the people who have a share. */
export const emailsOf = ({ email, emails = [] }: Share): string[] =>
	email === undefined ? emails : [email, ...emails];

/** Identifies a share in lists: its id, otherwise the id in its address, otherwise the email. */
export function shareId(share: Share): string | undefined {
	const self = share._links.get('self')?.href.split(/[?#{]/, 1)[0] ?? '';
	return share.id ?? idInPath('share', self) ?? emailsOf(share)[0];
}

/** §2.8 specifies no id: shares without an id are the same if all their members are equal. */
function identity({ id, _links, ...share }: Share): string {
	return id ?? JSON.stringify([share, [..._links]]);
}
