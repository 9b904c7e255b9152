/** Characters between the cells of a CSV file, in the order of preference. */
const DELIMITERS = [',', ';', '\t', '|'];

/** A first line that declares the delimiter, as spreadsheets write it: `sep=;` */
const DECLARATION = /^("?)sep=([,;\t|])\1[ \t]*(?:\r*\n|\r|$)/i;

/** What the beginning of a CSV file tells. */
export interface CsvOpening {
	/** The declared one, otherwise the most frequent one outside quotation marks. */
	delimiter: string;
	/** Index of the first character after the declaration. */
	start: number;
	/** Number of the line at `start`. */
	line: number;
}

/** @returns undefined if the text ends within the header */
export function csvOpening(text: string): CsvOpening | undefined {
	const [declaration = '', , declared] = DECLARATION.exec(text) ?? [];
	const start = declaration.length;
	if (declared !== undefined) return { delimiter: declared, start, line: 2 };
	const counts = countDelimiters(text);
	if (!counts) return undefined;
	const delimiter = DELIMITERS.reduce((best, one) =>
		countOf(counts, one) > countOf(counts, best) ? one : best,
	);
	return { delimiter, start, line: 1 };
}

const countOf = (counts: ReadonlyMap<string, number>, delimiter: string) => counts.get(delimiter) ?? 0;

/** Counts in the first line that is not blank. @returns undefined if it does not end */
function countDelimiters(text: string): Map<string, number> | undefined {
	const counts = new Map<string, number>();
	const signs = /[,;\t|\r\n]/g;
	let at = text.search(/[^\r\n]/);
	while (at !== -1 && at < text.length) {
		if (text[at] === '"') at = closingQuote(text, at);
		signs.lastIndex = at;
		const sign = at === -1 ? null : signs.exec(text);
		if (!sign) return undefined;
		if (sign[0] === '\r' || sign[0] === '\n') return counts;
		counts.set(sign[0], countOf(counts, sign[0]) + 1);
		at = sign.index + 1;
	}
	return undefined;
}

/** Index of the quotation mark that closes a cell, or -1. */
export function closingQuote(text: string, opening: number): number {
	let quote = text.indexOf('"', opening + 1);
	while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
	return quote;
}

/** The name of a column as the header of a file has it. */
export const headerName = (cell: string | null) => (cell ?? '').trim().normalize('NFC');

/**
 * Distinct names for the columns of a file. A repeated name gets a number ("Name 2") that no other
 * column has, and so does a name that differs from a repeated one in case only. A nameless column
 * is called "Column 3".
 */
export function headerNames(names: readonly string[]): string[] {
	const lower = names.map((name) => name.toLowerCase());
	const isRepeated = new Set(lower.filter((_, index) => names.indexOf(names[index] ?? '') !== index));
	const used = new Set(lower);
	const free = (name: string, from: number): string => {
		const numbered = from === 1 ? name : `${name} ${from}`;
		if (used.has(numbered.toLowerCase())) return free(name, from + 1);
		used.add(numbered.toLowerCase());
		return numbered;
	};
	const seen = new Map<string, number>();
	return names.map((name, index) => {
		if (name === '') return free(`Column ${index + 1}`, 1);
		const folded = name.toLowerCase();
		const sequence = (seen.get(folded) ?? 0) + 1;
		seen.set(folded, sequence);
		return sequence > 1 && isRepeated.has(folded) ? free(name, sequence) : name;
	});
}
