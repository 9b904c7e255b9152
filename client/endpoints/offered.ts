import type { Endpoint } from './endpoints';

/** An operation without a documented address: only links lead to it (§4 Gaps). */
export type LinkOnlyOperation = Pick<Endpoint, 'rels' | 'method' | 'action'>;

/** §4 Gaps: the removal of shares. The names are guesses. */
export const offered = {
	shareRemove: { rels: ['remove', 'delete', 'revoke'], method: 'DELETE', action: 'remove the share' },
	invitationRemove: {
		rels: ['remove', 'delete', 'revoke'],
		method: 'DELETE',
		action: 'revoke the invitation',
	},
} as const satisfies Record<string, LinkOnlyOperation>;
