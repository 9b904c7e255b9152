import { z } from 'zod/v4';
import { jsonIn } from './conversionCandidates';
import { DECLARATION, NEEDS_QUOTES, SEPARATORS, type Separator } from './csv';
import { unescaped } from './csvFormulas';
import { RecordReader, unreadable, type Cell, type CsvRecord } from './csvRecords';
import { nulInHeader, refuseOtherText, textOf, type SentFile } from './csvText';
import { ColumnGuess, type RowPlace } from './csvTypes';
import { badRequest } from './errors';
import { fieldName, uniqueNames } from './text';

/** Characters of a header: more than 1,000 names of 1,000 characters need. */
const MAX_HEADER_LENGTH = 4 * 1024 * 1024;

/** Rows of a preview, and of a part of a file, which a response can hold. */
const PREVIEW = { from: 0, rows: 5, characters: Infinity };
export const PART = { rows: 50_000, characters: 4 * 1024 * 1024 };

/** More different values than this are no list to choose from. */
const MAX_OPTIONS = 200;

const isSeparator = (character: string | undefined): character is Separator =>
	SEPARATORS.some((separator) => separator === character);

/** Counts the separators in the first record, outside quotation marks. */
class HeaderScan {
	private readonly counts = { ',': 0, ';': 0, '\t': 0, '|': 0 };
	private state: 'start' | 'plain' | 'quoted' | 'quoteInQuoted' = 'start';
	private length = 0;
	private needsQuotes = false;
	/** Whether the file also quotes cells that need no quotation marks. */
	quotesAll = false;

	/** @returns whether the first record ended @throws ServiceError 400 if it is too long */
	read(piece: string): boolean {
		for (const character of piece) {
			if (this.state === 'quoted') {
				if (character === '"') this.state = 'quoteInQuoted';
				else if (NEEDS_QUOTES.test(character)) this.needsQuotes = true;
			} else if (this.state === 'quoteInQuoted' && character === '"') {
				this.state = 'quoted';
				this.needsQuotes = true;
			} else {
				if (this.state === 'quoteInQuoted' && !this.needsQuotes) this.quotesAll = true;
				if (character !== '\n' && character !== '\r') this.readPlain(character);
				// Blank lines may precede the header.
				else if (this.length > 0) return true;
				else continue;
			}
			if (++this.length > MAX_HEADER_LENGTH)
				throw unreadable('its first line, which names the columns, does not end');
		}
		return false;
	}

	private readPlain(character: string): void {
		if (isSeparator(character)) {
			this.counts[character] += 1;
			this.state = 'start';
		} else if (character === '"' && this.state === 'start') {
			this.state = 'quoted';
			this.needsQuotes = false;
		} else this.state = 'plain';
	}

	get separator(): Separator {
		return SEPARATORS.reduce((best, one) => (this.counts[one] > this.counts[best] ? one : best));
	}
}

/** What the first line of a file tells. */
interface Opening {
	readonly separator: Separator;
	readonly quotesAll: boolean;
	/** The text up to the end of the header, and more. */
	readonly head: string;
	/** Number of its first line. */
	readonly line: number;
}

/** Reads the text up to the end of the header. */
function* openingOf(texts: Iterator<string>): Generator<undefined, Opening, undefined> {
	const scan = new HeaderScan();
	let head = '';
	let declared: Separator | undefined;
	for (let step = texts.next(); !step.done; step = texts.next()) {
		let piece = step.value;
		if (head === '' && !declared) {
			refuseOtherText(piece);
			const [declaration = '', , sign] = DECLARATION.exec(piece) ?? [];
			if (isSeparator(sign)) declared = sign;
			piece = piece.slice(declaration.length);
		}
		head += piece;
		if (scan.read(piece)) break;
		yield;
	}
	const separator = declared ?? scan.separator;
	return { separator, quotesAll: scan.quotesAll, head, line: declared ? 2 : 1 };
}

/** A record other than the header. */
interface Row extends CsvRecord {
	/** Number of the row, counted from 1 with blank lines. */
	readonly row: number;
}

interface Table {
	readonly opening: Opening;
	/** Names of the columns as the file has them, in the form of names; empty for none. */
	readonly names: readonly string[];
}

/** @throws ServiceError 400 that names the cell */
function refuseNul({ row, line, cells }: Row, names: readonly string[]): void {
	const column = cells.findIndex((cell) => cell?.includes('\0'));
	if (column === -1) return;
	throw badRequest(
		`Row ${row} (line ${line}): the cell of "${names[column] || `column ${column + 1}`}" contains NUL, which no text can. Remove it; if all cells contain it, save the file as "CSV UTF-8".`,
	);
}

/**
 * Reads a file.
 * @param onRow receives each row after the header
 * @throws ServiceError 400
 */
function* readTable(
	file: SentFile,
	onRow: (row: Row, table: Table) => void,
): Generator<undefined, Table, undefined> {
	const texts = textOf(file);
	const opening = yield* openingOf(texts);
	const reader = new RecordReader(opening.separator, opening.line);
	let table: Table | undefined;
	let count = 0;
	const take = (given: CsvRecord) => {
		const record = file.isEscaped ? { ...given, cells: given.cells.map(unescaped) } : given;
		const isBlank = record.cells.length === 1 && record.cells[0] === null;
		if (!table) {
			if (isBlank) return;
			table = { opening, names: namesIn(record) };
			return;
		}
		count++;
		// With several columns, a blank line separates rows. With one, it is a row.
		if (isBlank && table.names.length > 1) return;
		const row = { ...record, row: count };
		if (reader.sawNul) refuseNul(row, table.names);
		onRow(row, table);
	};
	for (let piece: string | undefined = opening.head; piece !== undefined; ) {
		for (const record of reader.read(piece)) {
			take(record);
			yield;
		}
		// A record may be longer than many pieces.
		yield;
		const step: IteratorResult<string, unknown> = texts.next();
		piece = step.done ? undefined : step.value;
	}
	for (const record of reader.end()) take(record);
	if (table) return table;
	throw badRequest('The CSV file is empty: its first line must name the columns. Check where it comes from.');
}

/** @throws ServiceError 400 for NUL, which other encodings show */
function namesIn({ cells }: CsvRecord): readonly string[] {
	if (cells.some((cell) => cell?.includes('\0'))) throw nulInHeader();
	return cells.map((cell) => fieldName(cell ?? ''));
}

/** A column of a file that becomes a field. */
export interface CsvColumn {
	/** Index of its cell in a record. */
	readonly index: number;
	readonly name: string;
	readonly guess: ColumnGuess;
}

/** What a first reading of a file tells. */
export interface CsvSurvey {
	readonly separator: Separator;
	readonly columns: readonly CsvColumn[];
	readonly numberOfRows: number;
	/** Some of its rows. */
	readonly rows: ReadonlyArray<readonly string[]>;
}

/**
 * Reads a file to find its columns and their types. A column without name and value is no column.
 * @param wanted how many rows are returned at most, from a number on
 * @throws ServiceError 400
 */
export function* surveyCsv(file: SentFile, wanted = PREVIEW): Generator<undefined, CsvSurvey, undefined> {
	const guesses: ColumnGuess[] = [];
	const part: Array<readonly Cell[]> = [];
	let numberOfRows = 0;
	let characters = 0;
	const { names, opening } = yield* readTable(file, ({ cells }, table) => {
		numberOfRows++;
		if (numberOfRows > wanted.from && part.length < wanted.rows && characters <= wanted.characters) {
			part.push(cells);
			characters += cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
		}
		for (const [index, cell] of cells.entries()) {
			const guess = (guesses[index] ??= new ColumnGuess(table.opening.quotesAll));
			guess.add(cell);
		}
	});
	const columns = uniqueNames(names)
		.map((name, index) => ({ index, name, guess: guesses[index] ?? new ColumnGuess(opening.quotesAll) }))
		.filter(({ index, guess }) => names[index] !== '' || guess.filled > 0);
	const rows = part.map((cells) => columns.map(({ index }) => cells[index] ?? ''));
	return { separator: opening.separator, columns, numberOfRows, rows };
}

/**
 * Reads the rows of a file that was surveyed.
 * @param onRow receives the cells of the columns, and the place of the row for messages
 */
export function* readRows(
	file: SentFile,
	columns: readonly CsvColumn[],
	onRow: (cells: readonly Cell[], place: RowPlace) => void,
): Generator<undefined, void, undefined> {
	yield* readTable(file, ({ cells, ...place }) => {
		onRow(
			columns.map(({ index }) => cells[index] ?? null),
			place,
		);
	});
}

/** The texts of a cell: itself, or the members of a list. */
function textsOf(cell: string, isList: boolean): readonly string[] {
	if (!isList) return [cell];
	const list = z.array(z.string()).safeParse(jsonIn(cell.trim()));
	return list.data ?? [];
}

/**
 * The different values of a column, as options.
 * @param isList whether a cell is a JSON list of them
 * @throws ServiceError 400 if they are too many to choose from
 */
export function* optionsIn(
	file: SentFile,
	column: CsvColumn,
	isList: boolean,
): Generator<undefined, readonly string[], undefined> {
	const options = new Set<string>();
	yield* readRows(file, [column], ([cell]) => {
		if (!cell) return;
		for (const text of textsOf(cell, isList)) options.add(text);
		if (options.size > MAX_OPTIONS)
			throw badRequest(
				`"${column.name}" has more than ${MAX_OPTIONS} different values; choose another type than ${isList ? 'enumcollection' : 'enum'}, or name the options`,
			);
	});
	return [...options].sort();
}
