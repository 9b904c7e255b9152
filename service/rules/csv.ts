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

/** Number of occurrences of each separator in the first record, outside quotes. */
function countSeparators(text: string): Record<Separator, number> {
	const counts = { ',': 0, ';': 0, '\t': 0 };
	let quoted = false;
	for (const character of text) {
		if (character === '"') quoted = !quoted;
		else if (quoted) continue;
		else if (character === '\n' || character === '\r') break;
		else if (isSeparator(character)) counts[character] += 1;
	}
	return counts;
}

/**
 * Line ends. Concatenated files mix LF and CRLF. A lone carriage return is a line end only if the
 * first line ends with it; otherwise it is part of a cell.
 */
const lineEnds = (text: string) => (/^[^\r\n]*\r(?!\n)/.test(text) ? ['\r'] : ['\r\n', '\n']);

/** Yields the text in pieces, each in its own turn. */
async function* pieces(text: string, turn: () => Promise<void>): AsyncGenerator<string> {
	for (let from = 0; from < text.length; ) {
		await turn();
		// Do not split a surrogate pair.
		const last = text.charCodeAt(from + PIECE_LENGTH - 1);
		const to = from + PIECE_LENGTH - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
		yield text.slice(from, to);
		from = to;
	}
}

/**
 * Parses a CSV file with commas, semicolons or tabs.
 * @param turn waits until the next piece may be read (see Slices)
 * @throws ServiceError 400
 */
export async function readCsv(file: string, turn: () => Promise<void>): Promise<CsvTable> {
	const content = file.replace(/^\ufeff/, '');
	const declared = declaration.exec(content);
	// No group, because repeating one overflows the stack after millions of line breaks.
	const text = content.slice(declared?.[0].length ?? 0).replace(/^[\r\n]+/, '');
	const counts = countSeparators(text);
	const found = SEPARATORS.reduce((best, one) => (counts[one] > counts[best] ? one : best));
	const separator = isSeparator(declared?.[1]) ? declared[1] : found;
	try {
		// In a table with one column, an empty line is a row with an empty cell.
		const skip = counts[separator] > 0;
		const rows: string[][] = [];
		const parser = parse({ delimiter: separator, record_delimiter: lineEnds(text), skip_empty_lines: skip });
		await pipeline(pieces(text, turn), parser, async (records: AsyncIterable<unknown>) => {
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
