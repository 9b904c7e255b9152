import { InvalidInput } from '../../../client/errors';

/** A record of a CSV file, which may span several lines. */
export interface CsvRecord {
	/** Number of its first line, counted from 1. */
	line: number;
	cells: string[];
}

/**
 * Maximum number of characters of a record. After an unclosed quotation mark, the rest of the file
 * would be one cell.
 */
export const MAX_RECORD_LENGTH = 8 * 1024 * 1024;

/** Characters without which no record can end. */
const MAY_END = /["\r\n]/;

/** A cell and the position after it, or why it is unreadable; undefined if the text ends before. */
type Cell = { text: string; end: number } | InvalidInput | undefined;

/** Reads a CSV file (RFC 4180) in parts of any length. */
export class CsvReader {
	/** The start of an incomplete record. */
	private rest = '';
	private line = 1;
	private failure: InvalidInput | undefined;

	constructor(private readonly delimiter = ',') {}

	/**
	 * @returns the records that this part completes; the call after an unreadable one throws
	 * @throws InvalidInput naming the line
	 */
	read(part: string): CsvRecord[] {
		return this.take(part, false);
	}

	/** @returns the last record, if the file does not end with a line break @throws InvalidInput */
	end(): CsvRecord[] {
		return this.take('', true);
	}

	private take(part: string, isEnd: boolean): CsvRecord[] {
		if (this.failure) throw this.failure;
		const isOpen = this.rest !== '' && !this.rest.endsWith('\r') && !this.rest.endsWith('"');
		if (isOpen && !isEnd && !MAY_END.test(part)) return this.keep(this.rest + part, false);
		const text = this.rest + part;
		const records: CsvRecord[] = [];
		let start = 0;
		while (start < text.length) {
			const found = this.recordAt(text, start, isEnd);
			if (found instanceof InvalidInput) {
				// The records before it may show why, e.g. a header with another delimiter.
				if (isEnd || records.length === 0) throw found;
				this.failure = found;
				return records;
			}
			if (!found) break;
			// An empty line is not a record.
			if (found.cells.length > 1 || found.cells[0] !== '')
				records.push({ line: this.line, cells: found.cells });
			this.line += linesIn(text, start, found.end);
			start = found.end;
		}
		this.keep(text.slice(start), isEnd);
		return records;
	}

	private keep(rest: string, isEnd: boolean): CsvRecord[] {
		this.rest = rest;
		if (rest.length <= MAX_RECORD_LENGTH && (!isEnd || rest === '')) return [];
		const isQuoted = rest.split('"').length % 2 === 0;
		if (isQuoted) throw unreadable(this.line, 'a text in quotation marks does not end');
		throw unreadable(this.line, 'a row is longer than 8 MB', 'Check that the file is a CSV file.');
	}

	private recordAt(text: string, start: number, isEnd: boolean) {
		const cells: string[] = [];
		for (let at = start; ; at++) {
			const cell = text[at] === '"' ? this.quotedAt(text, at, isEnd) : this.plainAt(text, at);
			if (!cell || cell instanceof InvalidInput) return cell;
			cells.push(cell.text);
			at = cell.end;
			if (text[at] === this.delimiter) continue;
			// A line feed may follow the carriage return in the next part.
			const isOpen = at >= text.length || (text[at] === '\r' && at + 1 === text.length);
			if (isOpen && !isEnd) return undefined;
			return { cells, end: text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1 };
		}
	}

	private plainAt(text: string, start: number): Cell {
		let end = start;
		for (; end < text.length; end++) {
			const sign = text[end];
			if (sign === this.delimiter || sign === '\n' || sign === '\r') break;
			if (sign === '"')
				return unreadable(
					this.line + linesIn(text, start, end),
					'a quotation mark is inside a text that does not start with one',
				);
		}
		return { text: text.slice(start, end), end };
	}

	private quotedAt(text: string, start: number, isEnd: boolean): Cell {
		let quote = text.indexOf('"', start + 1);
		while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
		if (quote === -1) return undefined;
		const end = quote + 1;
		if (end === text.length && !isEnd) return undefined;
		const next = text[end];
		if (next !== undefined && next !== this.delimiter && next !== '\n' && next !== '\r')
			return unreadable(this.line, 'a text follows the closing quotation mark');
		return { text: text.slice(start + 1, quote).replaceAll('""', '"'), end };
	}
}

function linesIn(text: string, from: number, to: number): number {
	let lines = 0;
	for (let at = from; at < to; at++) {
		const sign = text.charCodeAt(at);
		if (sign === LINE_FEED || (sign === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) lines++;
	}
	return lines;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

function unreadable(
	line: number,
	what: string,
	hint = 'Put a text that contains quotation marks in quotation marks, and double those inside it.',
): InvalidInput {
	return new InvalidInput(`The CSV file cannot be read: in line ${line}, ${what}`, hint);
}
