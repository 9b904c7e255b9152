import { base, read } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, Link, Row } from '../session/schemas';
import { isLink, nameLinks } from '../values/linkedRows';

/** What names need to be read through a public link. */
interface Named {
	readonly rows: readonly Row[];
	readonly fields: readonly Column[];
	/** The link to the names of the representation that a public link opens. */
	readonly names: Link | undefined;
	/** The link to the page of rows. */
	readonly page?: Link | undefined;
}

/** Reads the names of the rows that these link to, as far as the public link shows them. */
export async function learnGuestNames({ rows, fields, names, page }: Named) {
	if (!names || !fields.some(isLink)) return;
	const query = page && Object.fromEntries(new URL(page.href, base).searchParams);
	nameLinks(rows, fields, (await read(names, schemas.linkedNames, query ? { query } : {})).names);
}
