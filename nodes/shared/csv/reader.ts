import { InvalidInput } from '../../../client';
import { closingQuote } from './header';

/** A record of a CSV file, which may span several lines. A blank line is one with one null. */
export interface CsvRecord {
	/** Number of its first line, counted from 1. */
	line: number;
	/** Null for a cell of nothing, not even quotation marks. */
	cells: Array<string | null>;
}

/** Maximum length of a record: an unclosed quotation mark would make the rest one cell. */
export const MAX_RECORD_LENGTH = 8 * 1024 * 1024;

/** Characters without which no record can end. */
const MAY_END = /["\r\n]/;

/** A cell and the position after it; undefined if the text ends before. */
type Cell = { text: string | null; end: number } | 'garbled' | undefined;

/** Reads a CSV file (RFC 4180) in parts of any length. */
export class CsvReader {
	/** The start of an incomplete record. */
	private rest = '';
	private failure: InvalidInput | undefined;
	private readonly ends: RegExp;
	/** Index of the quotation mark that opens the last cell of an incomplete record. */
	private opened: number | undefined;
	/** Before this index, no carriage return belongs to a line feed. */
	private lonelyUntil = 0;

	/** @param line number of the first line */
	constructor(
		private readonly delimiter = ',',
		private line = 1,
	) {
		this.ends = new RegExp(`[${delimiter}\r\n]`, 'g');
	}

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
		if (isOpen && !isEnd && !MAY_END.test(part)) return this.keep(this.rest + part, this.opened, false);
		const text = this.rest + part;
		const records: CsvRecord[] = [];
		let start = 0;
		this.lonelyUntil = 0;
		this.opened = undefined;
		while (start < text.length) {
			const record = this.recordAt(text, start, isEnd);
			if (record instanceof InvalidInput) {
				// The records before it may show why, e.g. a header with another delimiter.
				if (isEnd || records.length === 0) throw record;
				this.failure = record;
				return records;
			}
			if (!record) break;
			records.push({ line: this.line, cells: record.cells });
			this.line += linesIn(text.slice(start, record.end));
			start = record.end;
		}
		this.keep(text.slice(start), this.opened === undefined ? undefined : this.opened - start, isEnd);
		return records;
	}

	private keep(rest: string, opened: number | undefined, isEnd: boolean): CsvRecord[] {
		this.rest = rest;
		this.opened = opened;
		if (rest.length <= MAX_RECORD_LENGTH && (!isEnd || rest === '')) return [];
		if (opened !== undefined)
			throw unreadable(
				`the quotation mark that opens a cell in line ${this.line + linesIn(rest.slice(0, opened))} is not closed`,
			);
		throw unreadable(
			`the row in line ${this.line} is longer than 8 MB`,
			'Check that the file is a CSV file.',
		);
	}

	private recordAt(text: string, start: number, isEnd: boolean) {
		const cells: CsvRecord['cells'] = [];
		for (let at = start; ; at++) {
			const cell = text[at] === '"' ? this.quotedAt(text, at, isEnd) : this.plainAt(text, at);
			if (cell === 'garbled')
				return unreadable(
					`line ${this.line + linesIn(text.slice(start, closingQuote(text, at)))} has text after the closing quotation mark of a cell`,
				);
			if (!cell) return undefined;
			cells.push(cell.text);
			at = cell.end;
			if (text[at] === this.delimiter) continue;
			const end = this.lineEndAt(text, at, isEnd);
			return end === undefined ? undefined : { cells, end };
		}
	}

	/**
	 * Carriage returns before a line feed belong to it, as text-mode writers make them; others end a
	 * line each.
	 * @returns the index after the line end; undefined if the next part decides
	 */
	private lineEndAt(text: string, at: number, isEnd: boolean): number | undefined {
		if (at < this.lonelyUntil) return at + 1;
		let end = at;
		while (text[end] === '\r') end++;
		if (end >= text.length && !isEnd) return undefined;
		if (text[end] === '\n') return end + 1;
		this.lonelyUntil = end;
		return at + 1;
	}

	private plainAt(text: string, start: number): Cell {
		this.ends.lastIndex = start;
		const end = this.ends.exec(text)?.index ?? text.length;
		return { text: end === start ? null : text.slice(start, end), end };
	}

	private quotedAt(text: string, start: number, isEnd: boolean): Cell {
		const quote = closingQuote(text, start);
		const end = quote + 1;
		if (quote === -1) this.opened = start;
		if (quote === -1 || (end === text.length && !isEnd)) return undefined;
		const next = text[end];
		if (next !== undefined && next !== this.delimiter && next !== '\n' && next !== '\r') return 'garbled';
		return { text: text.slice(start + 1, quote).replaceAll('""', '"'), end };
	}
}

/** Number of line ends. */
function linesIn(text: string): number {
	let lines = 0;
	let returns = 0;
	for (let at = 0; at < text.length; at++) {
		const sign = text.charCodeAt(at);
		if (sign === CARRIAGE_RETURN) returns++;
		else if (sign === LINE_FEED || returns > 0) {
			lines += sign === LINE_FEED ? 1 : returns;
			returns = 0;
		}
	}
	return lines + returns;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

function unreadable(
	what: string,
	hint = 'Put a cell that contains quotation marks, delimiters or line breaks in quotation marks, and double the quotation marks in it.',
): InvalidInput {
	return new InvalidInput(`The CSV file cannot be read: ${what}`, hint);
}
