import { all } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, Grid, Row } from '../session/schemas';

/** Characters of the values by which rows are looked for in one request. */
const MAX_QUERY = 3000;
const PAGE_SIZE = 1000;

/** Parts of a list of which none is longer than a request takes. */
function chunks(values: readonly unknown[]) {
	let last: unknown[] = [];
	let length = 0;
	const parts = [last];
	for (const value of values) {
		const added = JSON.stringify(value).length + 1;
		if (last.length > 0 && length + added > MAX_QUERY) {
			parts.push((last = []));
			length = 0;
		}
		last.push(value);
		length += added;
	}
	return parts;
}

/** A text that equal values have in common; the service ignores how letters are composed. */
export const formOf = (value: unknown) => JSON.stringify(value).normalize();

/** Reads the rows of a grid that have some values in a column. @returns the rows of a value */
export async function rowsByKey({ _links }: Grid, { id }: Column, values: readonly unknown[]) {
	const rows = new Map<string, Row[]>();
	const distinct = new Map(values.map((value) => [formOf(value), value]));
	for (const part of chunks([...distinct.values()])) {
		if (part.length === 0) continue;
		const query = { filter: JSON.stringify({ [id]: { $in: part } }), pageSize: PAGE_SIZE };
		for (const row of await all(_links.entities, schemas.row, { query })) {
			const form = formOf(row[id]);
			rows.set(form, [...(rows.get(form) ?? []), row]);
		}
	}
	return (value: unknown): readonly Row[] => rows.get(formOf(value)) ?? [];
}
