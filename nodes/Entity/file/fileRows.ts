import { InvalidInput, isJsonObject, parseJson } from '../../../client';
import type { InputFile } from '../../shared/connection/inputFile';
import { wrongEncoding } from '../../shared/connection/fileDecoder';
import { withoutLines } from '../../shared/csv/firstRow';
import { unescaped } from '../../shared/csv/formulas';
import { csvOpening, headerName, headerNames, type CsvOpening } from '../../shared/csv/header';
import { CsvReader, MAX_RECORD_LENGTH, type CsvRecord } from '../../shared/csv/reader';
import { CHECK_FIRST_ROW } from '../../shared/inputs/firstRow';
import { PROTO_REFUSED } from '../../shared/inputs/json';

export interface FileRow {
	/** Number of its first line, counted from 1. */
	line: number;
	/** In the order of the file's columns. */
	cells: readonly unknown[];
}

/** A file of rows that all have the same columns. */
export interface RowFile {
	name: string;
	columns: readonly string[];
	/** The names as the header has them, by the numbered name of a repeated one. */
	repeated: ReadonlyMap<string, string>;
	/** Number of cells that lost an apostrophe in the last reading of the file. */
	unescapedCells(): number;
	/** Reads the file from its beginning. @throws InvalidInput naming the line */
	rows(): AsyncIterable<FileRow>;
}

/** How a CSV file is read. */
export interface CsvShape {
	/** The one of the header if omitted. */
	delimiter?: string | undefined;
	/** Number of the line at which the table begins. */
	firstRow?: number;
	/** Whether cells lose the apostrophe that an export puts before formulas. */
	isEscaped?: boolean;
}

/** A file whose first line that is not blank names the columns. @throws InvalidInput */
export async function csvRows(
	whole: InputFile,
	{ delimiter, firstRow = 1, isEscaped = false }: CsvShape = {},
): Promise<RowFile> {
	const file = { ...whole, texts: () => withoutLines(whole.texts(), firstRow - 1) };
	await refuseJson(file);
	const opening = await openingOf(file, delimiter);
	const records = () => csvRecords(file, { ...opening, line: opening.line + firstRow - 1 });
	const first = await firstOf(records());
	if (!first) throw firstRow === 1 ? emptyFile(file) : tooFewLines(file, firstRow);
	if (first.cells.some(hasNul)) throw nulInHeader(file);
	let unescapedCells = 0;
	const cellsOf = ({ cells }: CsvRecord): CsvRecord['cells'] => {
		if (!isEscaped) return cells;
		return cells.map((cell) => {
			const text = cell === null ? null : unescaped(cell);
			if (text !== cell) unescapedCells += 1;
			return text;
		});
	};
	const written = cellsOf(first).map(headerName);
	const names = headerNames(written);
	const filled = written.includes('') ? await filledColumns(records()) : new Set<number>();
	const kept = names.flatMap((_, index) => (written[index] !== '' || filled.has(index) ? [index] : []));
	const isNumbered = (index: number) => written[index] !== '' && written[index] !== names[index];
	return {
		name: file.name,
		unescapedCells: () => unescapedCells,
		columns: kept.map((index) => names[index] ?? ''),
		repeated: new Map(kept.filter(isNumbered).map((index) => [names[index] ?? '', written[index] ?? ''])),
		async *rows() {
			let isHead = true;
			unescapedCells = 0;
			for await (const record of records()) {
				const { line } = record;
				const cells = cellsOf(record);
				if (!isHead) {
					if (cells.length !== names.length)
						throw new InvalidInput(
							`Line ${line} of the file has ${numberOf(cells, 'cell')}, but its first line names ${numberOf(names, 'column')}`,
							`Check "Delimiter", and that every text with a delimiter in it is in quotation marks. ${CHECK_FIRST_ROW}`,
						);
					refuseNul(names, { line, cells });
					yield { line, cells: kept.length === names.length ? cells : kept.map((index) => cells[index]) };
				}
				isHead = false;
			}
		},
	};
}

const hasNul = (cell: string | null) => cell?.includes('\0') === true;

function nulInHeader({ name }: InputFile): InvalidInput {
	return wrongEncoding(name, 'its first lines contain NUL, as UTF-16 without a byte-order mark does');
}

/** @throws InvalidInput naming the cell */
function refuseNul(names: readonly string[], { line, cells }: CsvRecord): void {
	const index = cells.findIndex(hasNul);
	if (index === -1) return;
	throw new InvalidInput(
		`Line ${line} of the file has NUL in the column "${names[index] ?? ''}", which no text can contain`,
		'Remove it, or choose another "Encoding" under Options.',
	);
}

/** Indexes of the columns that have a value in some row. */
async function filledColumns(records: AsyncIterable<CsvRecord>): Promise<Set<number>> {
	const filled = new Set<number>();
	let isHead = true;
	for await (const { cells } of records) {
		if (!isHead)
			for (const [index, cell] of cells.entries()) if (cell !== null && cell !== '') filled.add(index);
		isHead = false;
	}
	return filled;
}

/** The beginning of a CSV file. @param delimiter the delimiter of the header if omitted */
async function openingOf(file: InputFile, delimiter: string | undefined): Promise<CsvOpening> {
	let text = '';
	for await (const part of file.texts()) {
		text += part;
		const opening = csvOpening(text);
		if (opening) return { ...opening, delimiter: delimiter ?? opening.delimiter };
		if (text.length > MAX_RECORD_LENGTH) break;
	}
	const { start, line, ...opening } = csvOpening(`${text}\n`) ?? { start: 0, line: 1, delimiter: ',' };
	return { start, line, delimiter: delimiter ?? opening.delimiter };
}

function numberOf({ length }: readonly unknown[], noun: string): string {
	return `${length} ${noun}${length === 1 ? '' : 's'}`;
}

/** A file with a JSON object in each line. @throws InvalidInput */
export async function jsonRows(file: InputFile): Promise<RowFile> {
	const first = await firstOf(jsonObjects(file));
	if (!first) throw emptyFile(file);
	const columns = Object.keys(first.object);
	return {
		name: file.name,
		columns,
		repeated: new Map(),
		unescapedCells: () => 0,
		async *rows() {
			for await (const { line, object } of jsonObjects(file)) {
				const isSame = columns.every((name) => Object.hasOwn(object, name));
				if (!isSame || Object.keys(object).length !== columns.length)
					throw new InvalidInput(
						`Line ${line} of the file does not have the same members as the first object`,
						'Give every object the same members, with null where there is no value.',
					);
				yield { line, cells: columns.map((name) => object[name]) };
			}
		},
	};
}

async function firstOf<Row>(rows: AsyncIterable<Row>): Promise<Row | undefined> {
	for await (const row of rows) return row;
	return undefined;
}

/** The records of a file, without blank lines, which have no key. */
async function* csvRecords(file: InputFile, { delimiter, start, line }: CsvOpening) {
	const reader = new CsvReader(delimiter, line);
	let skipped = 0;
	for await (const text of file.texts()) {
		const part = text.slice(Math.max(0, start - skipped));
		skipped += text.length;
		yield* reader.read(part).filter(isFilled);
	}
	yield* reader.end().filter(isFilled);
}

const isFilled = ({ cells }: CsvRecord) => cells.length > 1 || cells[0] !== null;

async function* jsonObjects(file: InputFile) {
	let line = 0;
	for await (const text of linesOf(file)) {
		line++;
		if (text.trim() === '') continue;
		const json = parseJson(text);
		if (!('value' in json) || !isJsonObject(json.value))
			throw new InvalidInput(
				`Line ${line} of the file is not a JSON object`,
				text.trimStart().startsWith('[')
					? ONE_PER_LINE
					: 'Choose "CSV" in "File Format", or correct the line.',
			);
		if (json.omitsProto)
			throw new InvalidInput(`Line ${line} of the file: ${PROTO_REFUSED[0]}`, PROTO_REFUSED[1]);
		yield { line, object: json.value };
	}
}

async function* linesOf(file: InputFile): AsyncGenerator<string> {
	let rest = '';
	let ended = 0;
	for await (const text of file.texts()) {
		rest += text;
		if (text.includes('\n')) {
			const lines = rest.split('\n');
			rest = lines.pop() ?? '';
			ended += lines.length;
			yield* lines;
		}
		if (rest.length > MAX_RECORD_LENGTH)
			throw new InvalidInput(`Line ${ended + 1} of the file is longer than 8 MB`, ONE_PER_LINE);
	}
	if (rest !== '') yield rest;
}

const ONE_PER_LINE =
	'An NDJSON file has one object per line, without brackets around them or commas between them. Check the node that makes the file.';

/** The start of a JSON text; no CSV file with a header starts like that. */
const JSON_START = /^\s*(?:\{\s*"|(\[\s*[[{]))/;

/** @throws InvalidInput if the file is JSON */
async function refuseJson(file: InputFile): Promise<void> {
	const [found, array] = JSON_START.exec((await firstOf(file.texts())) ?? '') ?? [];
	if (found === undefined) return;
	throw new InvalidInput(
		`The file "${file.name}" is a JSON file, not a CSV file`,
		array === undefined ? 'Choose "NDJSON" in "File Format".' : ONE_PER_LINE,
	);
}

function tooFewLines(file: InputFile, firstRow: number): InvalidInput {
	return new InvalidInput(
		`The file "${file.name}" has no row from line ${firstRow} on; nothing was written`,
		'Correct "First Row", or check the node that makes the file.',
	);
}

function emptyFile(file: InputFile): InvalidInput {
	return new InvalidInput(
		`The file "${file.name}" is empty; nothing was written`,
		'Check the node that makes the file.',
	);
}
