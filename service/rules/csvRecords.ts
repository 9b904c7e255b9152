import { badRequest } from './errors';
import { LIMITS } from './limits';

/** Text of a cell; null if there is nothing between two separators, not even quotation marks. */
export type Cell = string | null;

/** A record of a CSV file, which may span several lines. A blank line is one with one null. */
export interface CsvRecord {
	/** Number of its first line, counted from 1. */
	readonly line: number;
	readonly cells: readonly Cell[];
}

/** In UTF-16 units. After an unclosed quotation mark, the rest of the file would be one cell. */
const MAX_RECORD_LENGTH = 8 * 1024 * 1024;

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

type State = 'start' | 'plain' | 'quoted' | 'quoteInQuoted';

/** The 400 for a file that is no CSV. */
export const unreadable = (why: string) => badRequest(`The CSV file cannot be read: ${why}`);

const wrongNumber = (line: number, what: string, columns: number) =>
	unreadable(
		`line ${line} has ${what} than the header (${columns}); put texts that contain the separator in quotation marks`,
	);

/**
 * Reads records from text in pieces. Any carriage returns before a line feed are part of one line
 * end, as text-mode writers make them; others end a line each.
 */
export class RecordReader {
	private cells: Cell[] = [];
	private text = '';
	private length = 0;
	private state: State = 'start';
	private start: number;
	/** Line of the quotation mark that opened the cell. */
	private opened = 0;
	/** Carriage returns whose meaning depends on the next character. */
	private returns = 0;
	private hasNul = false;
	private readonly ends: RegExp;
	private readonly separatorCode: number;

	/** Number of cells of the header; 0 before it is read. */
	private columns = 0;

	/** @param line number of the first line */
	constructor(
		separator: string,
		private line: number,
	) {
		this.start = line;
		this.ends = new RegExp(`[${separator}\r\n]`, 'g');
		this.separatorCode = separator.charCodeAt(0);
	}

	/** Whether some cell of the records so far contains NUL. */
	get sawNul(): boolean {
		return this.hasNul;
	}

	/** @yields the records that this piece completes @throws ServiceError 400 naming the line */
	*read(piece: string): Generator<CsvRecord> {
		if (piece.includes('\0')) this.hasNul = true;
		for (let at = 0; at < piece.length; ) {
			const code = piece.charCodeAt(at);
			if (this.returns > 0) {
				if (code === LINE_FEED || code === CARRIAGE_RETURN) {
					at++;
					this.returns = code === LINE_FEED ? 0 : this.returns + 1;
					if (code === LINE_FEED) this.start = ++this.line;
					continue;
				}
				yield* this.lonelyReturns();
			}
			if (this.state === 'quoted') {
				at = this.readQuoted(piece, at);
				continue;
			}
			if (this.state === 'quoteInQuoted' && code === QUOTE) {
				this.append('"');
				this.state = 'quoted';
				at++;
				continue;
			}
			if (this.state === 'start' && code === QUOTE) {
				this.state = 'quoted';
				this.opened = this.line;
				at++;
				continue;
			}
			const end = this.state === 'quoteInQuoted' ? at : this.endOf(piece, at);
			this.append(piece.slice(at, end));
			if (this.state === 'start') this.state = 'plain';
			if (end === piece.length) break;
			at = end + 1;
			const sign = piece.charCodeAt(end);
			this.endCell(sign);
			if (sign === this.separatorCode) continue;
			yield this.endRecord();
			if (sign === LINE_FEED) this.start = ++this.line;
			else this.returns = 1;
		}
	}

	/** @yields what the file ends with @throws ServiceError 400 for an unclosed quotation mark */
	*end(): Generator<CsvRecord> {
		if (this.returns > 0) yield* this.lonelyReturns();
		if (this.state === 'quoted') throw this.unclosed();
		if (this.state === 'start' && this.cells.length === 0) return;
		this.endCell(LINE_FEED);
		yield this.endRecord();
	}

	/** Blank lines between carriage returns that no line feed follows. */
	private *lonelyReturns(): Generator<CsvRecord> {
		for (this.start = ++this.line; this.returns > 1; this.returns--, this.start = ++this.line)
			yield { line: this.line, cells: [null] };
		this.returns = 0;
	}

	private endOf(piece: string, at: number): number {
		this.ends.lastIndex = at;
		return this.ends.exec(piece)?.index ?? piece.length;
	}

	/** @returns the position after the text, or after its closing quotation mark */
	private readQuoted(piece: string, at: number): number {
		const quote = piece.indexOf('"', at);
		const end = quote === -1 ? piece.length : quote;
		const text = piece.slice(at, end);
		this.append(text);
		this.countLines(text);
		if (quote === -1) return end;
		this.line += this.quotedReturns;
		this.quotedReturns = 0;
		this.state = 'quoteInQuoted';
		return end + 1;
	}

	/** Carriage returns within quotation marks that no line feed has followed yet. */
	private quotedReturns = 0;

	private countLines(text: string): void {
		if (this.quotedReturns === 0 && !text.includes('\n') && !text.includes('\r')) return;
		for (let at = 0; at < text.length; at++) {
			const code = text.charCodeAt(at);
			if (code === CARRIAGE_RETURN) this.quotedReturns++;
			else if (code === LINE_FEED || this.quotedReturns > 0) {
				this.line += code === LINE_FEED ? 1 : this.quotedReturns;
				this.quotedReturns = 0;
			}
		}
	}

	private append(text: string): void {
		this.text += text;
		this.length += text.length;
		if (this.length <= MAX_RECORD_LENGTH) return;
		throw this.state === 'quoted'
			? this.unclosed()
			: unreadable(
					`line ${this.start} has more than ${MAX_RECORD_LENGTH} characters; check that it is a CSV file`,
				);
	}

	/** @param sign character code of the separator or line end after the cell */
	private endCell(sign: number): void {
		const isQuoted = this.state === 'quoteInQuoted';
		const isEnd = sign === this.separatorCode || sign === LINE_FEED || sign === CARRIAGE_RETURN;
		if (!isEnd)
			throw unreadable(
				`line ${this.line} has text after the closing quotation mark of a cell; double the quotation marks within a cell in quotation marks`,
			);
		this.cells.push(isQuoted || this.text !== '' ? this.text : null);
		this.text = '';
		this.state = 'start';
		// Refused before millions of cells are collected.
		if (sign === this.separatorCode && this.cells.length >= (this.columns || LIMITS.fields))
			throw this.columns === 0
				? unreadable(`its first line names more than ${LIMITS.fields} columns`)
				: wrongNumber(this.start, 'more cells', this.columns);
	}

	private endRecord(): CsvRecord {
		const { cells } = this;
		this.cells = [];
		this.length = 0;
		const isBlank = cells.length === 1 && cells[0] === null;
		if (this.columns === 0 && !isBlank) this.columns = cells.length;
		// With several columns, a blank line separates rows. With one, it is a row.
		else if (cells.length < this.columns && !isBlank)
			throw wrongNumber(this.start, 'fewer cells', this.columns);
		return { line: this.start, cells };
	}

	private unclosed() {
		return unreadable(
			`the quotation mark that opens a cell in line ${this.opened} is not closed; close it, or double it and put the whole cell in quotation marks`,
		);
	}
}
