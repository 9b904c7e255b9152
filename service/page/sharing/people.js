import { all, base, send } from '../session/api.js';
import { ask } from '../elements/dialog.js';
import { button, h } from '../elements/dom.js';
import { copyable, listOf, panel, remover } from '../elements/records.js';

const ROLES = ['reader', 'writer', 'admin', 'creator'];

/** An invitation for the owner's own mail program, because the service has no mail server. */
function mailTo(space, { email, role }) {
	const subject = `Invitation to ${space.name}`;
	const text = `You are invited to the space "${space.name}" as ${role}.\n\n${base.href}`;
	return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
}

/** Invitations that wait for an account. */
function invitationList(space, invitations) {
	if (invitations.length === 0) return [];
	return [
		h('h3', { textContent: 'Open invitations' }),
		listOf(invitations, '', (invitation) => [
			h('b', { textContent: `${invitation.email}: ${invitation.role}` }),
			h('time', { dateTime: invitation.createdAt, textContent: new Date(invitation.createdAt).toLocaleString() }),
			h('a', { href: mailTo(space, invitation), textContent: 'Write the email' }),
		]),
		h('p', {}, 'The service sends no emails. They are in its outbox, which its operator reads with ', copyable('npm run service -- outbox')),
	]; // prettier-ignore
}

/** People with a role in a space, and open invitations. */
export const showShares = (space) =>
	panel(`People in “${space.name}”`, async (again) => {
		const shares = await all(space._links.shares);
		const invitations = space._links.invitations ? await all(space._links.invitations) : [];
		const share = () => {
			ask({
				title: `Share “${space.name}”`,
				fields: [
					{ name: 'email', label: 'Email address', type: 'email', required: true },
					{ name: 'role', label: 'Role', type: 'select', options: ROLES },
					{ name: 'isInvited', label: 'Also send an invitation', type: 'checkbox', hint: 'The email is put into the outbox of the service.' },
				],
				action: 'Share',
				run: async ({ email, role, isInvited }) => {
					await send(isInvited ? space._links.invite : space._links.addShare, { body: { email, role } });
					await again();
				},
			});
		};
		return [
			listOf(shares, 'Nobody else has a role here.', (one) => [
				h('b', { textContent: `${one.emails.join(', ')}: ${one.role}` }),
				remover(one, { word: 'Remove', lost: `${one.emails.join(', ')} can no longer open “${space.name}”.`, again }),
			]),
			button('Share', share, { className: 'main' }),
			...invitationList(space, invitations),
		];
	}); // prettier-ignore
