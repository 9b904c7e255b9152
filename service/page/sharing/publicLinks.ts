import { all, base, create, send } from '../session/api';
import * as schemas from '../session/schemas';
import type { Grid, PublicLink, Row } from '../session/schemas';
import { ask, showPanel, type Asked, type Question } from '../elements/dialog';
import { button, h } from '../elements/dom';
import { isLink } from '../values/linkedRows';
import { copyable, listOf, panel, remover } from '../elements/records';

const KINDS: ReadonlyArray<readonly [string, string]> = [
	['form', 'A form that adds a row'],
	['view', 'The rows, read-only'],
];
const PROTECTIONS: ReadonlyArray<readonly [string, string]> = [
	['none', 'None'],
	['link', 'User name and password'],
	['internal', 'Only people with an account'],
];

/** What a link opens, and for whom. */
function described({ kind, role, protection, names }: PublicLink) {
	const edit = role === 'reader' ? 'One row, read-only' : 'One row, to read and change';
	const opened = kind === 'edit' ? edit : (new Map(KINDS).get(kind) ?? kind);
	const named = kind === 'form' ? 'with lists of rows to pick from' : 'with the names of linked rows';
	const what = names ? `${opened}, ${named}` : opened;
	return protection === 'none'
		? what
		: `${what}. Protection: ${new Map(PROTECTIONS).get(protection) ?? protection}`;
}

const urlOf = (href: string) => `${base.href}?link=${encodeURIComponent(href)}`;

/** The public links of a grid: to forms, shared rows and single rows. */
export const showLinks = (grid: Grid) =>
	panel(`Public links of “${grid.name}”`, async (again) => {
		const links = await all(grid._links.links, schemas.publicLink);
		return [
			h('p', { textContent: 'People with a link need no account. To create a link that edits one row, open the row.' }),
			listOf(links, 'There are no links yet.', (link) => [
				h('b', { textContent: described(link) }),
				h('a', { href: urlOf(link.href), target: '_blank', rel: 'noopener', textContent: 'Open' }),
				copyable(urlOf(link.href)),
				remover(link, { word: 'Revoke', lost: 'The link stops working at once, for everybody who has it.', again }),
			]),
			button('Create a link', () => { createLink(grid, again); }, { className: 'main' }),
		];
	}); // prettier-ignore

const shownFor = { name: 'protection', values: ['link'] };
type Protection = 'protection' | 'user' | 'password';
const protectionInputs: ReadonlyArray<Question<Protection>> = [
	{ name: 'protection', label: 'Protection', type: 'select', options: PROTECTIONS },
	{ name: 'user', label: 'User name', autocomplete: 'off', shownFor },
	{ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters.', shownFor },
]; // prettier-ignore

const protectionOf = ({ protection, user, password }: Record<Protection, string>) =>
	protection === 'link' ? { protection, user, password } : { protection };

type Names = 'names' | 'offers';

/** Asks whether the names of linked rows are shown; nothing if the grid links to none. */
const namesInput = ({ fields }: Grid, more: Partial<Question<Names>> = {}) =>
	fields.some(isLink) &&
	({
		name: 'names',
		label: 'Show the names of linked rows',
		type: 'checkbox',
		hint: 'Everybody with the link can then read the names of the rows that are linked here, also in grids that the link does not open. Otherwise they read “A linked row”.',
		...more,
	} as const);

/** The same for a form, which lists the rows of the columns that its design names. */
const OFFERS = {
	name: 'offers',
	label: 'Let people pick linked rows by their names',
	hint: 'Everybody with the link can then read the names of all rows of the grids to which the form offers to link; “Form” chooses these columns.',
	shownFor: { name: 'kind', values: ['form'] },
} as const;

const showsNames = (grid: Grid, name: Names, { isChecked }: Asked) =>
	grid.fields.some(isLink) && isChecked(name) ? { names: true } : {};

function createLink(grid: Grid, again: () => Promise<void>) {
	ask<'kind' | Names | Protection>({
		title: 'Create a public link',
		fields: [
			{ name: 'kind', label: 'What it opens', type: 'select', options: KINDS },
			namesInput(grid, { shownFor: { name: 'kind', values: ['view'] } }),
			namesInput(grid, OFFERS),
			...protectionInputs,
		],
		action: 'Create',
		run: async ({ kind, ...given }, window) => {
			const names = showsNames(grid, kind === 'view' ? 'names' : 'offers', window);
			await send(grid._links.addLink, { body: { kind, ...names, ...protectionOf(given) } });
			await again();
		},
	});
}

/** Creates a link with which people without an account read or change one row. */
export function makeEditLink(grid: Grid, row: Row) {
	ask<'role' | Names | Protection>({
		title: 'Create a link that edits this row',
		intro: 'Anyone with the link can open this row, and no other.',
		fields: [
			{ name: 'role', label: 'People can', type: 'select', options: [['writer', 'read and change the row'], ['reader', 'read the row']] },
			namesInput(grid),
			...protectionInputs,
		],
		action: 'Create',
		run: async ({ role, ...given }, window) => {
			const body = { kind: 'edit', entityId: row._id, role, ...showsNames(grid, 'names', window), ...protectionOf(given) };
			const href = await create(grid._links.addLink, { body });
			showPanel(
				'The link to this row',
				h('p', {}, copyable(urlOf(href))),
				h('p', { textContent: 'You can revoke it under “Public links” of the grid.' }),
			);
		},
	});
} // prettier-ignore
