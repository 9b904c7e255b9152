/** Characters that separate the names of a list. */
const SEPARATORS = /[,\r\n]/;
/** A name with quotes around it could begin so, JSON as well; spaces around a name are left out. */
const AMBIGUOUS = /^["[{\s]|\s$/;
const QUOTED = /^"([^"]*(?:""[^"]*)*)"$/;
/** A name in quotes, or one without separators. */
const PART = /(?<=^|[,\r\n])\s*(?:"[^"]*(?:""[^"]*)*"\s*(?=[,\r\n]|$)|[^,\r\n]*)/g;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The name of a linked row as the text of a cell. */
export const nameText = (name: string) => (AMBIGUOUS.test(name) ? quoted(name) : name);

/** The name in the text of a cell. */
export function nameIn(text: string): string {
	const bare = text.trim();
	return QUOTED.exec(bare)?.[1]?.replaceAll('""', '"') ?? bare;
}

/** The names of linked rows as the text of a cell: with commas, and quotes where they matter. */
export const namesText = (names: readonly string[]) =>
	names.map((name) => (SEPARATORS.test(name) ? quoted(name) : nameText(name))).join(', ');

/** The names in the text of a cell, which are separated by commas or line breaks. */
export const namesIn = (text: string) => (text.match(PART) ?? []).map(nameIn).filter(Boolean);
