import { z } from 'zod/v4';
import * as responses from '../../http/responseSchemas';
import { allows, roles, type Role } from '../../rules/access';
import { notFound } from '../../rules/errors';
import { emailText } from '../../rules/text';
import { expandPath, type Links } from '../../http/links';
import { parseInput } from '../../http/input';
import { collectionOf, plainPage } from '../../http/paging';
import type { SpaceShare } from '../../store/people/sharing';
import { created } from '../../http/route';
import { inSpace, linksFor, type SpaceCall, type UserCall } from '../scopes';

/** Body of shares and invitations (§4.3). */
export const shareBody = z.strictObject({
	email: emailText,
	role: z.enum(roles),
});

/**
 * Only the owner of the service may let people join or set a new password: an account opens every
 * space that anybody has shared with its address.
 */
export const mayLetJoin = (call: UserCall): boolean =>
	call.identity.userId === call.store.accounts.owner()?.id;

/** The links of a share that the caller may use. */
export const usableLinks = (call: UserCall, { joinLink, ...links }: Links): Links =>
	joinLink && mayLetJoin(call) ? { ...links, joinLink } : links;

const linksOf = (call: SpaceCall, share: SpaceShare): Links =>
	usableLinks(call, linksFor(call, 'share', { shareId: share.id }));

/** A share (§2.8: role, emails, users). */
const shareView = (call: SpaceCall, share: SpaceShare) => ({
	id: share.id,
	role: share.role,
	emails: [share.email],
	users: share.userId === null ? [] : [share.userId],
	type: 'share',
	createdAt: new Date(share.createdAt).toISOString(),
	_links: linksOf(call, share),
});

/** An open invitation, which is a share of a person without an account. */
export const invitationView = ({ id, email, role, createdAt }: SpaceShare, _links: Links) => ({
	id,
	email,
	role,
	createdAt: new Date(createdAt).toISOString(),
	_links,
});

const space = inSpace('');

/** A page of a list of shares. */
function listOf<View>(call: SpaceCall, shares: readonly SpaceShare[], view: (share: SpaceShare) => View) {
	const list = collectionOf(shares, parseInput(plainPage, call.query, 'Query'), call.url);
	return { ...list, items: list.items.map(view) };
}

space.get(
	'/shares',
	'admin',
	{ on: { space: 'shares' }, query: plainPage, response: responses.pageOf(responses.share) },
	(call) => listOf(call, call.store.sharing.shares(call.space.id), (one) => shareView(call, one)),
);

/** A person of a space, for its other members: those who may not share it see no addresses. */
function personView(call: SpaceCall, { userId, email, role }: Pick<SpaceShare, 'userId' | 'email'> & { role: Role | 'owner' }, _links: Links) {
	const name = userId === null ? null : (call.store.accounts.user(userId)?.name ?? null);
	return { userId, name, email: allows(call.role, 'admin') ? email : null, role, _links };
} // prettier-ignore

// Not in the specification: shares have no names, and do not list the owner.
space.get(
	'/people',
	'reader',
	{ on: { space: 'people' }, query: plainPage, response: responses.pageOf(responses.person) },
	(call) => {
		const page = parseInput(plainPage, call.query, 'Query');
		const owner = call.store.accounts.user(call.space.ownerId);
		if (!owner) throw notFound('User');
		const shares = call.store.sharing
			.shares(call.space.id)
			.filter(({ userId }) => userId !== null || allows(call.role, 'admin'))
			.map((one) => personView(call, one, linksOf(call, one)));
		const people = [personView(call, { userId: owner.id, email: owner.email, role: 'owner' }, {}), ...shares];
		return collectionOf(people, page, call.url);
	},
);

function share(call: SpaceCall, invited: boolean) {
	const { email, role } = parseInput(shareBody, call.body, 'Body');
	const made = call.store.transaction(() => {
		const one = call.store.sharing.share(call.space.id, email, role, invited);
		if (invited) {
			const text = `You are invited to the space "${call.space.name}" as ${role}.`;
			call.store.sharing.post(one.email, `Invitation to ${call.space.name}`, text);
		}
		return one;
	});
	return created(
		expandPath('/api/users/:userId/spaces/:spaceId/shares/:shareId', { ...call.params, shareId: made.id }),
	);
}

space.post('/shares', 'admin', { on: { space: 'addShare' }, body: shareBody, response: 'created' }, (call) =>
	share(call, false),
);

space.post('/invite', 'admin', { on: { space: 'invite' }, body: shareBody, response: 'created' }, (call) =>
	share(call, true),
);

space.get(
	'/invitations',
	'admin',
	{ on: { space: 'invitations' }, query: plainPage, response: responses.pageOf(responses.invitation) },
	(call) =>
		listOf(call, call.store.sharing.invitations(call.space.id), (one) =>
			invitationView(one, linksOf(call, one)),
		),
);

function shareOf(call: SpaceCall): SpaceShare {
	const found = call.store.sharing.get(call.space.id, call.params['shareId'] ?? '');
	if (!found) throw notFound('Share');
	return found;
}

space.get('/shares/:shareId', 'admin', { on: { share: 'self' }, response: responses.share }, (call) =>
	shareView(call, shareOf(call)),
);

space.delete(
	'/shares/:shareId',
	'admin',
	{ on: { share: 'remove' }, response: responses.deleted },
	(call) => {
		call.store.sharing.remove(shareOf(call).id);
		return 'deleted';
	},
);

export const sharingRoutes = space.routes;
