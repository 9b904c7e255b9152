import { showJoinLink } from './account.js';
import { all, create, send } from '../session/api.js';
import { ask } from '../elements/dialog.js';
import { button, h, told } from '../elements/dom.js';
import { listOf, panel, remover } from '../elements/records.js';

const ROLES = ['reader', 'writer', 'admin', 'creator'];

/** People with a role in a space, also those who have not joined yet. */
export const showShares = (space) =>
	panel(`People in “${space.name}”`, async (again) => {
		const shares = await all(space._links.shares);
		const share = () => {
			ask({
				title: `Share “${space.name}”`,
				fields: [
					{ name: 'email', label: 'Email address', type: 'email', required: true },
					{ name: 'role', label: 'Role', type: 'select', options: ROLES },
				],
				action: 'Share',
				run: async ({ email, role }, isOpen) => {
					const href = await create(space._links.invite, { body: { email, role } });
					const one = await send({ href, method: 'get' });
					await again();
					// A person who has an account logs in as ever.
					if (one.users.length === 0) await showJoinLink(one, isOpen);
				},
			});
		};
		return [
			listOf(shares, 'Nobody else has a role here.', (one) => [
				h('b', { textContent: `${one.emails.join(', ')}: ${one.role}` }),
				one.users.length === 0 ? h('small', { textContent: 'Has not joined yet' }) : undefined,
				one._links.joinLink && button(one.users.length === 0 ? 'Invitation link' : 'New password', told(() => showJoinLink(one)), { 'aria-label': `${one.users.length === 0 ? 'Invitation link' : 'New password'} for ${one.emails.join(', ')}` }),
				remover(one, { word: 'Remove', lost: `${one.emails.join(', ')} can no longer open “${space.name}”.`, again }),
			]),
			button('Share', share, { className: 'main' }),
		];
	}); // prettier-ignore
