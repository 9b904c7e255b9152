import { getLink, pageOf, spaceOf } from '../session/addresses';
import { all, create, messageOf, read } from '../session/api';
import * as schemas from '../session/schemas';
import {
	membersOf,
	textIn,
	type Column,
	type Grid,
	type GridSummary,
	type Link,
	type Row,
} from '../session/schemas';
import { button, counted, h, withValue } from '../elements/dom';
import { namesText, nameText } from '../../rules/nameList';

const TYPES = ['reference', 'references'];
/** Linked rows that are read one by one, because the first page of their grid lacks them. */
const MAX_SINGLE = 100;
const PAGE_SIZE = 1000;
const MAX_FOUND = 20;
/** The service returns at most so many rows that a form offers. */
const MAX_OFFERED = 200;
const TYPING_MS = 300;

export const isLink = ({ type }: Pick<Column, 'type'>) => TYPES.includes(type.name);

/** A link to a row; others may have stored further members. */
export interface RowLink {
	readonly uri: string;
}

const isRowLink = (value: unknown): value is RowLink => typeof membersOf(value).uri === 'string';

/** The links of a cell, which holds one or a list of them; undefined if it holds anything else. */
export function linksIn(value: unknown): RowLink[] | undefined {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	return values.every(isRowLink) ? values : undefined;
}

const isAddress = (uri: string) => URL.canParse(uri) || /^\/api\/users\/.+\/entities\/[^/\s]+$/.test(uri);

/**
 * The linked rows of a text: their addresses, one per line, or their JSON.
 * @throws Error that continues "“text” …"
 */
export function linksFrom(text: string, isMany: boolean) {
	const lines = text.split('\n').map((line) => line.trim()).filter(Boolean); // prettier-ignore
	const isJson = /^\s*[[{]/.test(text);
	const links = isJson ? linksIn(parsed(text)) : lines.map((uri) => ({ uri }));
	if (!links?.every(({ uri }) => isAddress(uri)))
		throw new Error('is no address of a row; open the row that is meant and copy the address of its page');
	if (!isMany && links.length > 1) throw new Error('names several rows; the column links to one');
	return isMany ? links : (links[0] ?? null);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new Error('is not valid JSON');
	}
}

/** The address of a row in the API, in one form: those of other clients may name the host. */
const pathOf = (uri: string) => /\/api\/users\/.*/.exec(uri)?.[0] ?? uri;
const gridOf = (path: string) => path.replace(/\/entities\/.*$/, '');

/** The visible names of linked rows, by the address of the row. */
const names = new Map<string, string>();

/** Names may have changed when a grid is opened again. */
export const forgetNames = () => {
	names.clear();
};

const NAMELESS = 'Row without a name';

export function linkText({ uri }: RowLink) {
	const name = names.get(pathOf(uri)) ?? `row …${uri.slice(-6)}`;
	return name || NAMELESS;
}

/**
 * The names of the rows in a cell as a text that can be pasted; of a row without one its address.
 * @returns undefined if the cell holds no links
 */
export function linkNames(field: Column, value: unknown) {
	const links = isLink(field) ? linksIn(value) : undefined;
	const texts = links?.map(({ uri }) => names.get(pathOf(uri)) || uri);
	return texts && (Array.isArray(value) ? namesText(texts) : texts.map(nameText).join(''));
}

/** The class of the names that open their rows on the page. */
export const ROW_LINK = 'row-link';

/** The name of a row, which opens it. */
export function rowLink(link: RowLink) {
	const href = pageOf(getLink(pathOf(link.uri)));
	const anchor = h('a', { href, className: ROW_LINK, tabIndex: -1, textContent: linkText(link) });
	// A drag selects cells.
	anchor.draggable = false;
	return anchor;
}

/** The names in a cell, which open their rows; undefined if the cell holds no links to rows. */
export function linkNodes(field: Column, value: unknown) {
	const links = isLink(field) ? linksIn(value) : undefined;
	if (!links?.every(({ uri }) => pathOf(uri).includes('/entities/'))) return undefined;
	const nodes = links.slice(0, MAX_FOUND).flatMap((link, index) => [...(index > 0 ? [', '] : []), rowLink(link)]); // prettier-ignore
	return links.length > MAX_FOUND ? [...nodes, ', …'] : nodes;
}

/** Keeps the names of linked rows that a public link shows. @param byId names by the ids of rows */
export function nameLinks(
	rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
	fields: readonly Column[],
	byId: Readonly<Record<string, string>>,
) {
	const values = fields.filter(isLink).flatMap(({ id }) => rows.flatMap((row) => linksIn(row[id]) ?? []));
	for (const { uri } of values) {
		names.set(pathOf(uri), byId[uri.replace(/^.*\/entities\//, '')] ?? 'A linked row');
	}
}

/** The name of a row: the value of the first column of its grid. */
const titleOf = (row: Row, [first]: readonly Column[]) => textIn(first && row[first.id]);

/** Reads rows of a grid and keeps their names. @returns links to them, and the number of all */
async function readLinks({ fields, _links }: Grid, query: Readonly<Record<string, string | number>>) {
	const { items, numberOfItems } = await read(_links.entities, schemas.pageOf(schemas.row), { query });
	return { links: items.map((row) => linkTo(row, fields)), numberOfItems };
}

const readGrid = (path: string) => read(getLink(path), schemas.grid);

async function readName(path: string) {
	const [row, grid] = await Promise.all([read(getLink(path), schemas.row), readGrid(gridOf(path))]);
	names.set(path, titleOf(row, grid.fields));
}

/** Reads the names of rows that are linked from others. Those that cannot be read keep their id. */
export async function learnNames(
	rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
	fields: readonly Column[],
) {
	const values = fields.filter(isLink).flatMap(({ id }) => rows.flatMap((row) => linksIn(row[id]) ?? []));
	const unknown = () => [...new Set(values.map(({ uri }) => pathOf(uri)))].filter((path) => !names.has(path) && path.includes('/entities/')); // prettier-ignore
	const grids = new Set(unknown().map(gridOf));
	await Promise.allSettled(
		[...grids].map(async (path) => readLinks(await readGrid(path), { pageSize: PAGE_SIZE })),
	);
	await Promise.allSettled(unknown().slice(0, MAX_SINGLE).map(readName));
}

/** The grid whose rows a column links to, as its grid keeps it; undefined if it says nothing. */
export const linkedGrid = ({ properties }: Pick<Grid, 'properties'>, { id }: Pick<Column, 'id'>) => {
	const path = membersOf(properties.linkedGrids)[id];
	return typeof path === 'string' ? path : undefined;
};

/** Keeps the name of a row that was read. @returns the link to it */
export function linkTo(row: Row, fields: readonly Column[]): RowLink {
	const uri = pathOf(row._links.self.href);
	names.set(uri, titleOf(row, fields));
	return { uri };
}

/** The grids beside a grid: their addresses and names. */
export async function gridsBeside(grid: GridSummary) {
	const grids = await all(getLink(`${spaceOf(grid)}/grids`), schemas.gridSummary);
	return grids.map(({ name, _links }) => [pathOf(_links.self.href), name] as const);
}

/** Rows up to this number are looked for in one request. */
const MAX_COUNTED = 20;

/** The grids of a space, without views. */
export const gridsOfSpace = async (space: string) =>
	(await all(getLink(`${space}/grids`), schemas.gridSummary)).filter(({ type }) => type !== 'virtual');

/** The rows of a grid that link to some rows. @param ids of these rows */
async function rowsLinking({ _links }: GridSummary, ids: readonly string[], pageSize: number) {
	const grid = await readGrid(_links.self.href);
	const fields = grid.fields.filter(isLink).map(({ id }) => id);
	if (fields.length === 0) return { links: [], numberOfItems: 0 };
	const filter = { $or: ids.map((id) => ({ $search: { text: `/entities/${id}`, fields } })) };
	return readLinks(grid, { filter: JSON.stringify(filter), pageSize });
}

/** The rows that link to a row, by their grids, in which at least one does. */
export async function linkingRows(grid: GridSummary, { _id }: Row) {
	const beside = await gridsOfSpace(spaceOf(grid));
	const found = await Promise.all(beside.map((one) => rowsLinking(one, [_id], MAX_FOUND)));
	return found.flatMap(({ links, numberOfItems }, index) =>
		links.length > 0 ? [{ name: beside[index]?.name ?? '', links, count: numberOfItems }] : [],
	);
}

/** What happens to links when rows of a grid are deleted. @param rows the rows */
export async function describeLinks(grid: GridSummary, rows: readonly Row[]) {
	const them = rows.length === 1 ? 'it' : 'them';
	if (rows.length > MAX_COUNTED) return 'Links of other rows to them lead nowhere until then.';
	const beside = await gridsOfSpace(spaceOf(grid));
	const ids = rows.map(({ _id }) => _id);
	const found = await Promise.all(beside.map((one) => rowsLinking(one, ids, 1)));
	const count = found.reduce((sum, { numberOfItems }) => sum + numberOfItems, 0);
	if (count === 0) return `No row of this space links to ${them}.`;
	return `${counted(count, 'row')} ${count === 1 ? 'links' : 'link'} to ${them}, and ${count === 1 ? 'its link leads' : 'their links lead'} nowhere until then.`;
}

/** What a search for rows found. */
interface Found {
	readonly addresses: readonly string[];
	/** Whether there are more rows than it returns. */
	readonly isCut: boolean;
	/** Adds a row of the name that no row has. */
	readonly missing?: { readonly label: string; readonly add: () => Promise<string> };
}

/** Rows to pick from. */
interface RowSource {
	readonly search: (text: string) => Promise<Found>;
	/** Shows a picked row. */
	readonly show: (link: RowLink) => HTMLElement;
}

/** The rows of a grid, which are searched by parts of their names. @param path of the grid */
export const rowsOfGrid = (path: string): RowSource => ({
	search: (text) => search(path, text),
	show: (link) => Object.assign(rowLink(link), { tabIndex: 0 }),
});

/**
 * Rows that a public form offers, by the beginnings of their names. Their addresses are their ids.
 */
export const offeredRows = (list: Link): RowSource => ({
	search: async (matching) => {
		const { rows } = await read(list, schemas.offeredRows, { query: { matching } });
		for (const { id, name } of rows) names.set(id, name);
		return { addresses: rows.map(({ id }) => id), isCut: rows.length === MAX_OFFERED };
	},
	show: (link) => h('span', { textContent: linkText(link) }),
});

/** The rows of a grid whose name contains a text. */
async function search(path: string, text: string): Promise<Found> {
	const grid = await readGrid(path);
	const { name, _links } = grid;
	const [first] = grid.fields;
	if (!first) return { addresses: [], isCut: false };
	const filter = { [first.id]: text ? { $contains: text } : { $empty: false } };
	const { links } = await readLinks(grid, { filter: JSON.stringify(filter), pageSize: MAX_FOUND });
	const addresses = links.map(({ uri }) => uri);
	const isCut = links.length === MAX_FOUND;
	// A full page may lack a row that has just this name.
	const isThere = text === '' || isCut || links.some(({ uri }) => names.get(uri) === text);
	if (isThere || !_links.addEntity || first.type.name !== 'string') return { addresses, isCut };
	const add = async () => {
		const body = { [first.id]: text };
		const uri = pathOf(await create(_links.addEntity, { query: { layout: 'field' }, body }));
		names.set(uri, text);
		return uri;
	};
	return { addresses, isCut, missing: { label: `Add “${text}” to ${name}`, add } };
}

/**
 * An editor that picks linked rows by their names. Its `value` are their addresses, one per line.
 * The arrow keys open and walk through the list, and Enter takes its first row.
 */
export function linkPicker({ name, type }: Column, value: readonly RowLink[], rows: RowSource) {
	const isMany = type.name === 'references';
	let chosen = value.map(({ uri }) => uri);
	const list = h('ul', { className: 'lines' });
	const found = h('ul', { className: 'lines found' });
	const status = h('small', { role: 'status' });
	const input = h('input', {
		type: 'search',
		placeholder: 'Search',
		'aria-label': `Search rows for ${name}`,
	});
	const group = h('div', { role: 'group' }, list, input, status, found);
	const show = () => {
		const remove = (uri: string) => () => {
			chosen = chosen.filter((one) => one !== uri);
			change();
			input.focus();
		};
		const lines = chosen.map(
			(uri) =>
			h('li', {}, rows.show({ uri }), button('✕', remove(uri), { 'aria-label': `Remove ${linkText({ uri })}` })), // prettier-ignore
		);
		list.replaceChildren(...lines);
	};
	const change = () => {
		show();
		// As a text that is typed.
		group.dispatchEvent(new Event('input', { bubbles: true }));
	};
	const take = (uri: string) => () => {
		chosen = isMany ? [...new Set([...chosen, uri])] : [uri];
		input.value = '';
		close();
		change();
		input.focus();
	};
	let searches = 0;
	let typing: number | undefined;
	const close = () => {
		searches += 1;
		clearTimeout(typing);
		found.replaceChildren();
		status.textContent = '';
	};
	const find = async () => {
		searches += 1;
		const number = searches;
		const { addresses, isCut, missing } = await rows.search(input.value.trim());
		if (number !== searches) return;
		const lines = addresses.map((uri) => h('li', {}, button(linkText({ uri }), take(uri))));
		const count = counted(addresses.length, 'row');
		status.textContent = lines.length === 0 ? 'No row has this name.' : isCut ? `The first ${count}; type to find others` : count; // prettier-ignore
		if (missing) {
			const add = button(missing.label, () => {
				// Two clicks would add two rows.
				add.disabled = true;
				void missing.add().then((uri) => { take(uri)(); }, fail); // prettier-ignore
			});
			lines.push(h('li', { className: 'missing' }, add));
		}
		found.replaceChildren(...lines);
	};
	const fail = (error: unknown) => {
		close();
		found.replaceChildren(h('li', { role: 'alert', textContent: messageOf(error) }));
	};
	const findNow = () => void find().catch(fail);
	input.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(findNow, TYPING_MS);
	});
	input.addEventListener('click', () => {
		if (found.children.length === 0) findNow();
	});
	group.addEventListener('keydown', (event) => {
		const steps = new Map([['ArrowDown', 1], ['ArrowUp', -1]]); // prettier-ignore
		const step = steps.get(event.key);
		const buttons = [...found.querySelectorAll('button')];
		if (event.key === 'Enter' && event.target === input) {
			// It would save the row.
			event.preventDefault();
			found.querySelector<HTMLElement>('li:not(.missing) button')?.click();
		}
		if (step === undefined) return;
		event.preventDefault();
		if (buttons.length === 0) findNow();
		const place = buttons.findIndex((one) => one === document.activeElement) + step;
		(place < 0 ? input : buttons[place])?.focus();
	});
	show();
	return withValue(group, () => chosen.join('\n'));
}
