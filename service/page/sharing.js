import { all, base, send } from './api.js';
import { ask, confirmLoss, showPanel } from './dialog.js';
import { button, h } from './dom.js';

const ROLES = ['reader', 'writer', 'admin', 'creator'];

const copied = (text) => {
	const copy = button('Copy', async () => {
		await navigator.clipboard.writeText(text);
		copy.textContent = 'Copied';
	});
	return copy;
};

/** A list of records with what can be done with each. */
function listOf(records, none, describe) {
	if (records.length === 0) return h('p', { textContent: none });
	return h('ul', { className: 'records' }, ...records.map((record) => h('li', {}, ...describe(record))));
}

/** A button that deletes a record after a question, and shows the list again. */
const remover = (record, { word, lost, again }) =>
	record._links?.remove &&
	button(word, () => {
		confirmLoss({
			title: `${word}?`,
			lost,
			action: word,
			run: async () => {
				await send(record._links.remove);
				await again();
			},
		});
	}, { className: 'danger' }); // prettier-ignore

/** Shows a panel that can be shown again when its records change. */
function panel(title, content) {
	let close = () => undefined;
	const again = async () => {
		const nodes = await content(again);
		close();
		close = showPanel(title, ...nodes.filter(Boolean));
	};
	return again();
}

/** What a client takes as the service's address. */
const baseUrl = base.href.replace(/\/$/, '');
const urlOf = (href) => `${base.href}?link=${encodeURIComponent(href)}`;

/** Public links into a grid: forms and shared rows. */
export const showLinks = (grid) =>
	panel(`Public links of “${grid.name}”`, async (again) => {
		const links = await all(grid._links.links);
		return [
			h('p', { textContent: 'Whoever has a link needs no account.' }),
			listOf(links, 'There are no links yet.', (link) => [
				h('b', { textContent: `${link.kind}, ${link.role}, protection: ${link.protection}` }),
				h('a', { href: urlOf(link.href), target: '_blank', rel: 'noopener', textContent: 'Open' }),
				copied(urlOf(link.href)),
				remover(link, { word: 'Revoke', lost: 'The link stops working at once, for everybody who has it.', again }),
			]),
			button('Make a link', () => {
				makeLink(grid, again);
			}, { className: 'main' }),
		];
	}); // prettier-ignore

function makeLink(grid, again) {
	ask({
		title: 'Make a public link',
		fields: [
			{ name: 'kind', label: 'What it opens', type: 'select', options: [['form', 'A form that adds a row'], ['view', 'The rows, to be read']] }, // prettier-ignore
			{ name: 'protection', label: 'Protection', type: 'select', options: [['none', 'None'], ['link', 'User name and password'], ['internal', 'Only people with an account']] }, // prettier-ignore
			{
				name: 'user',
				label: 'User name',
				autocomplete: 'off',
				hint: 'For the protection by user name and password.',
			},
			{
				name: 'password',
				label: 'Password',
				type: 'password',
				autocomplete: 'new-password',
				hint: 'At least 8 characters.',
			},
		],
		action: 'Make',
		run: async ({ kind, protection, user, password }) => {
			const login = protection === 'link' ? { user, password } : {};
			await send(grid._links.addLink, { body: { kind, protection, ...login } });
			await again();
		},
	});
}

/** People with a role in a space. */
export const showShares = (space) =>
	panel(`People in “${space.name}”`, async (again) => {
		const shares = await all(space._links.shares);
		return [
			listOf(shares, 'Nobody else has a role here.', (share) => [
				h('b', { textContent: `${share.emails.join(', ')}: ${share.role}` }),
				remover(share, { word: 'Remove', lost: `${share.emails.join(', ')} can no longer open “${space.name}”.`, again }),
			]),
			button('Share', () => {
				ask({
					title: `Share “${space.name}”`,
					fields: [
						{ name: 'email', label: 'E-mail address', type: 'email', required: true },
						{ name: 'role', label: 'Role', type: 'select', options: ROLES },
						{ name: 'isInvited', label: 'Also send an invitation', type: 'checkbox', hint: 'Mails wait in the outbox of the service.' },
					],
					action: 'Share',
					run: async ({ email, role, isInvited }) => {
						await send(isInvited ? space._links.invite : space._links.addShare, { body: { email, role } });
						await again();
					},
				});
			}, { className: 'main' }),
		];
	}); // prettier-ignore

/** Access keys of the account. */
export const showKeys = (user) =>
	panel('Access keys', async (again) => {
		const keys = await all(user._links.accessKeys);
		return [
			h('p', { textContent: 'In n8n, make a credential "Data Grid API": base URL, key and secret.' }),
			h('p', {}, 'Base URL ', h('code', { textContent: baseUrl }), ' ', copied(baseUrl)),
			listOf(keys, 'There are no keys.', (key) => [
				h('b', { textContent: `${key.name}: ${key.role}` }),
				h('code', { textContent: key.key }),
				remover(key, { word: 'Delete', lost: `Everything that uses the key “${key.name}” stops working.`, again }),
			]),
			user._links.addAccessKey &&
				button('Make a key', () => {
					ask({
						title: 'Make an access key',
						fields: [
							{ name: 'name', label: 'Name', required: true },
							{ name: 'role', label: 'Role', type: 'select', options: ['reader', 'admin'] },
						],
						action: 'Make',
						run: async (body) => {
							const made = await send(user._links.addAccessKey, { body });
							await again();
							showSecret(made);
						},
					});
				}, { className: 'main' }),
		];
	}); // prettier-ignore

function showSecret({ name, key, secret }) {
	showPanel(
		`The key “${name}”`,
		h('p', { textContent: 'The secret is shown only now. Copy it into the credential in n8n.' }),
		h('p', {}, 'Key ', h('code', { textContent: key }), ' ', copied(key)),
		h('p', {}, 'Secret ', h('code', { textContent: secret }), ' ', copied(secret)),
	);
}
