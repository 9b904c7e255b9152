import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod/v4';
import { badRequest } from './errors';
import { cellText } from './csvTypes';
import type { Field } from './fieldTypes';
import type { Values } from './layouts';

/** Some readers treat a lone carriage return as a line end, so cells with one are quoted. */
const writing = { quoted_match: /\r/ };

/** Header line of an export: the names of the fields. */
export const csvHeader = (fields: readonly Field[]): string =>
	stringify([fields.map((field) => field.name)], writing);

/** Lines of an export, one per entity. */
export const csvLines = (fields: readonly Field[], rows: readonly Values[]): string =>
	stringify(
		rows.map((values) => fields.map((field) => cellText(values[field.id] ?? null))),
		writing,
	);

/** A table of texts: header and rows of the same length. */
export interface CsvTable {
	readonly separator: Separator;
	readonly header: readonly string[];
	readonly rows: ReadonlyArray<readonly string[]>;
}

const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

const recordOfCells = z.array(z.string());

/** Characters parsed in one step, which takes some milliseconds. */
const PIECE_LENGTH = 64 * 1024;

/** Separator declaration in the first line, as spreadsheets write it: `sep=;` */
const declaration = /^sep=([,;\t])(?:\r\n|\r|\n)/i;

const isSeparator = (character: string | undefined): character is Separator =>
	SEPARATORS.some((separator) => separator === character);

/** In UTF-16 units: more than 1,000 names of 1,000 characters need, even if all are quotes. */
const MAX_HEADER_LENGTH = 4 * 1024 * 1024;

/**
 * Number of occurrences of each separator in the first record, outside quotes, and the line ends of
 * the file. Concatenated files mix LF and CRLF. A lone carriage return is a line end only if the
 * first record ends with it; otherwise it is part of a cell.
 * @throws ServiceError 400 if the record is longer than any header
 */
function scanHeader(text: string): { counts: Record<Separator, number>; lineEnds: string[] } {
	const counts = { ',': 0, ';': 0, '\t': 0 };
	let quoted = false;
	let end = 0;
	for (; end < text.length; end++) {
		if (end >= MAX_HEADER_LENGTH)
			throw badRequest('The CSV file cannot be read: its first line, which names the columns, does not end');
		const character = text.charAt(end);
		if (character === '"') quoted = !quoted;
		else if (quoted) continue;
		else if (character === '\n' || character === '\r') break;
		else if (isSeparator(character)) counts[character] += 1;
	}
	const isOldMac = text.charAt(end) === '\r' && text.charAt(end + 1) !== '\n';
	return { counts, lineEnds: isOldMac ? ['\r'] : ['\r\n', '\n'] };
}

/**
 * Refuses a line with more cells than the header before it is parsed: the parser would collect
 * millions of them and copy them into its error.
 */
class ColumnLimit {
	private quoted = false;
	private line = 1;
	private cells = 1;

	constructor(
		private readonly separator: Separator,
		private readonly lineEnd: string,
		private readonly columns: number,
	) {}

	/** @param piece next part of the file @throws ServiceError 400 */
	check(piece: string): void {
		for (const character of piece) {
			if (character === '"') this.quoted = !this.quoted;
			if (character === this.lineEnd) this.line += 1;
			if (this.quoted) continue;
			if (character === this.lineEnd) this.cells = 1;
			if (character === this.separator && ++this.cells > this.columns)
				throw badRequest(
					`The CSV file cannot be read: line ${this.line} has more cells than the header (${this.columns})`,
				);
		}
	}
}

/** Yields the text in pieces, each in its own turn. */
async function* pieces(text: string, limit: ColumnLimit, turn: () => Promise<void>): AsyncGenerator<string> {
	for (let from = 0; from < text.length; ) {
		await turn();
		// Do not split a surrogate pair.
		const last = text.charCodeAt(from + PIECE_LENGTH - 1);
		const to = from + PIECE_LENGTH - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
		const piece = text.slice(from, to);
		limit.check(piece);
		yield piece;
		from = to;
	}
}

/**
 * Parses a CSV file with commas, semicolons or tabs.
 * @param turn waits until the next piece may be read (see Slices)
 * @param checkCount refuses a number of columns by an error
 * @throws ServiceError 400
 */
export async function readCsv(
	file: string,
	turn: () => Promise<void>,
	checkCount: (columns: number) => void,
): Promise<CsvTable> {
	const content = file.replace(/^\ufeff/, '');
	const declared = declaration.exec(content);
	// No group, because repeating one overflows the stack after millions of line breaks.
	const text = content.slice(declared?.[0].length ?? 0).replace(/^[\r\n]+/, '');
	const { counts, lineEnds } = scanHeader(text);
	const found = SEPARATORS.reduce((best, one) => (counts[one] > counts[best] ? one : best));
	const separator = isSeparator(declared?.[1]) ? declared[1] : found;
	checkCount(counts[separator] + 1);
	try {
		// In a table with one column, an empty line is a row with an empty cell.
		const skip = counts[separator] > 0;
		const limit = new ColumnLimit(separator, lineEnds.at(-1) ?? '', counts[separator] + 1);
		const rows: string[][] = [];
		const parser = parse({ delimiter: separator, record_delimiter: lineEnds, skip_empty_lines: skip });
		await pipeline(pieces(text, limit, turn), parser, async (records: AsyncIterable<unknown>) => {
			for await (const record of records) rows.push(recordOfCells.parse(record));
		});
		const header = rows.shift();
		if (!header) throw badRequest('The CSV file is empty: its first line must name the columns');
		return { separator, header: header.map((name) => name.trim()), rows };
	} catch (error) {
		throw error instanceof Error && 'code' in error
			? badRequest(`The CSV file cannot be read: ${error.message}`)
			: error;
	}
}
