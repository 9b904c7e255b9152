import { getLink } from '../session/addresses';
import { messageOf, read, Refusal } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column } from '../session/schemas';
import { counted } from '../elements/dom';
import { nameIn, namesIn } from '../../rules/nameList';
import { valueOfText } from '../values/clipboard';
import { gridsOfSpace, isLink, linksIn, linkTo, type RowLink } from '../values/linkedRows';
import { rowsByKey } from './rowsByKey';

/** Converts a text to a value. @throws Error that continues "“text” …" */
export type TextReader = (field: Column, text: string) => unknown;

/** The address of a row, of this service or another one. */
const ADDRESS = /^\S*\/api\/users\/\S+\/entities\/[^/\s]+$/;

/** Returns the row of a name. @throws Error that continues "“name” …" */
type RowFinder = (name: string) => RowLink;

const isMany = ({ type }: Column) => type.name === 'references';

/** Whether a text holds links as they are copied within the page. */
export function holdsLinks(text: string) {
	try {
		return linksIn(JSON.parse(text)) !== undefined;
	} catch {
		return false;
	}
}

/** The names and addresses of rows in the text of a cell. */
function namesOf(field: Column, text: string) {
	if (!isLink(field) || holdsLinks(text)) return [];
	return isMany(field) ? namesIn(text) : [nameIn(text)].filter(Boolean);
}

/** The address of the grid or space that has the rows of a column. */
const placeOf = ({ linkedGrid, space = '' }: Column) => linkedGrid ?? space;

/** Reads the rows of a grid that have some names. @returns the links to those of a name */
async function namedRows(path: string, names: readonly string[]) {
	const grid = await read(getLink(path), schemas.grid);
	const { name: title, fields } = grid;
	const [first] = fields;
	if (!first) return { title, linksOf: () => [] };
	const valueOf = (name: string) => {
		try {
			return valueOfText(first, name);
		} catch {
			return undefined;
		}
	};
	const rowsOf = await rowsByKey(
		grid,
		first,
		names.map(valueOf).filter((value) => value !== undefined),
	);
	return { title, linksOf: (name: string) => rowsOf(valueOf(name)).map((row) => linkTo(row, fields)) };
}

async function finderIn(place: string, names: readonly string[]): Promise<RowFinder> {
	const isGrid = place.includes('/grids/');
	const paths = isGrid ? [place] : (await gridsOfSpace(place)).map(({ _links }) => _links.self.href);
	const grids = await Promise.all(paths.map((path) => namedRows(path, names)));
	const where = isGrid ? `“${grids[0]?.title ?? ''}”` : 'this space';
	return (name) => {
		const links = grids.flatMap(({ linksOf }) => linksOf(name));
		const [link] = links;
		if (!link) throw new Error(`is the name of no row of ${where}`);
		if (links.length === 1) return link;
		throw new Error(`is the name of ${counted(links.length, 'row')} of ${where}; choose one by hand`);
	};
}

/** @throws Error that continues "“text” …" and says which names have no row */
function linksOf(field: Column, text: string, find: RowFinder) {
	const reasons: string[] = [];
	const links = namesOf(field, text).flatMap((name) => {
		try {
			return [ADDRESS.test(name) ? { uri: name } : find(name)];
		} catch (error) {
			if (name === text) throw error;
			reasons.push(`“${name}” ${messageOf(error)}`);
			return [];
		}
	});
	if (reasons.length > 0) throw new Error(`is not linked: ${reasons.join('; ')}`);
	return isMany(field) ? links : links[0];
}

/** Looks up the rows that texts name, all of a grid together. @returns what reads the texts then */
export async function withNames(
	valueOf: TextReader,
	cells: ReadonlyArray<readonly [Column, string]>,
): Promise<TextReader> {
	const names = new Map<string, Set<string>>();
	for (const [field, text] of cells) {
		const place = placeOf(field);
		for (const name of namesOf(field, text)) names.set(place, (names.get(place) ?? new Set()).add(name));
	}
	const findIn = async (place: string, all: ReadonlySet<string>): Promise<readonly [string, RowFinder]> => {
		const wanted = [...all].filter((name) => !ADDRESS.test(name));
		try {
			return [place, await finderIn(place, wanted)];
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			// A person who may not read the linked rows writes the other cells.
			const refuse = () => {
				throw new Error(`cannot be looked up: ${messageOf(error)}`);
			};
			return [place, refuse];
		}
	};
	const finders = new Map(await Promise.all([...names].map(([place, all]) => findIn(place, all))));
	return (field, text) => {
		const find = finders.get(placeOf(field));
		return find && namesOf(field, text).length > 0 ? linksOf(field, text, find) : valueOf(field, text);
	};
}
