import { all, base, open, send } from '../session/api.js';
import { ask, showPanel } from '../elements/dialog.js';
import { button, h } from '../elements/dom.js';
import { copyable, listOf, panel, remover } from '../elements/records.js';

const KINDS = [
	['form', 'A form that adds a row'],
	['view', 'The rows, to be read'],
];
const PROTECTIONS = [
	['none', 'None'],
	['link', 'User name and password'],
	['internal', 'Only people with an account'],
];

const urlOf = (href) => `${base.href}?link=${encodeURIComponent(href)}`;

/** Public links into a grid: forms and shared rows, and what edit links to rows there are. */
export const showLinks = (grid) =>
	panel(`Public links of “${grid.name}”`, async (again) => {
		const links = await all(grid._links.links);
		return [
			h('p', { textContent: 'Whoever has a link needs no account. A link that edits one row is made where the row is open.' }),
			listOf(links, 'There are no links yet.', (link) => [
				h('b', { textContent: `${link.kind}, ${link.role}, protection: ${link.protection}` }),
				h('a', { href: urlOf(link.href), target: '_blank', rel: 'noopener', textContent: 'Open' }),
				copyable(urlOf(link.href)),
				remover(link, { word: 'Revoke', lost: 'The link stops working at once, for everybody who has it.', again }),
			]),
			button('Make a link', () => makeLink(grid, again), { className: 'main' }),
		];
	}); // prettier-ignore

const shownFor = { name: 'protection', values: ['link'] };
const protectionInputs = [
	{ name: 'protection', label: 'Protection', type: 'select', options: PROTECTIONS },
	{ name: 'user', label: 'User name', autocomplete: 'off', shownFor },
	{ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters.', shownFor },
]; // prettier-ignore

const protectionOf = ({ protection, user, password }) =>
	protection === 'link' ? { protection, user, password } : { protection };

function makeLink(grid, again) {
	ask({
		title: 'Make a public link',
		fields: [{ name: 'kind', label: 'What it opens', type: 'select', options: KINDS }, ...protectionInputs],
		action: 'Make',
		run: async ({ kind, ...given }) => {
			await send(grid._links.addLink, { body: { kind, ...protectionOf(given) } });
			await again();
		},
	});
}

/** Makes a link with which somebody without an account changes one row. */
export function makeEditLink(grid, row) {
	ask({
		title: 'Make a link that edits this row',
		intro: 'Whoever has the link reads and changes this row, and no other.',
		fields: [
			{ name: 'role', label: 'It lets one', type: 'select', options: [['writer', 'read and change the row'], ['reader', 'read the row']] },
			...protectionInputs,
		],
		action: 'Make',
		run: async ({ role, ...given }) => {
			const body = { kind: 'edit', entityId: row._id, role, ...protectionOf(given) };
			const made = await open(grid._links.addLink, { body });
			showPanel(
				'The link to this row',
				h('p', {}, copyable(urlOf(made.headers.get('location')))),
				h('p', { textContent: 'It is revoked under “Public links” of the grid.' }),
			);
		},
	});
} // prettier-ignore
