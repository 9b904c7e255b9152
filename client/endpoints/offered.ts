import type { Endpoint } from './endpoints';

/** An operation without a documented address: only links lead to it (§4 Gaps). */
export type LinkOnlyOperation = Pick<Endpoint, 'rels' | 'method' | 'action'>;

/** §4 Gaps: the removal of shares and the operations on public links. The names are guesses. */
export const offered = {
	shareRemove: { rels: ['remove', 'delete', 'revoke'], method: 'DELETE', action: 'remove the share' },
	invitationRemove: {
		rels: ['remove', 'delete', 'revoke'],
		method: 'DELETE',
		action: 'revoke the invitation',
	},
	linkList: { rels: ['links', 'publicLinks'], method: 'GET', action: 'list the public links of the grid' },
	linkCreate: {
		rels: ['addLink', 'addPublicLink', 'createLink'],
		method: 'POST',
		action: 'create public links to the grid',
	},
	linkRemove: { rels: ['remove', 'delete', 'revoke'], method: 'DELETE', action: 'delete the public link' },
} as const satisfies Record<string, LinkOnlyOperation>;
