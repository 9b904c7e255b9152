import { InvalidInput } from '../../../../client/errors';
import { isJsonObject, parseJson } from '../../../../client/formats/json';
import type { InputFile } from '../../../shared/connection/inputFile';
import { CsvReader, MAX_RECORD_LENGTH } from '../../../shared/rows/csvReader';

/** A row of a file. */
export interface FileRow {
	/** Number of its first line, counted from 1. */
	line: number;
	/** In the order of the file's columns. */
	cells: readonly unknown[];
}

/** A file of rows that all have the same columns. */
export interface RowFile {
	columns: readonly string[];
	/** Reads the file from its beginning. @throws InvalidInput naming the line */
	rows(): AsyncIterable<FileRow>;
}

/** A file whose first line names the columns. @throws InvalidInput */
export async function csvRows(file: InputFile, delimiter: string): Promise<RowFile> {
	await refuseJson(file);
	const first = await firstOf(csvRecords(file, delimiter));
	if (!first) throw emptyFile(file);
	const columns = first.cells.map((name) => name.trim());
	refuseDuplicateNames(columns, first.line);
	return {
		columns,
		async *rows() {
			let isHead = true;
			for await (const { line, cells } of csvRecords(file, delimiter)) {
				if (!isHead && cells.length !== columns.length)
					throw new InvalidInput(
						`Line ${line} of the file has ${numberOf(cells, 'cell')}, but its first line names ${numberOf(columns, 'column')}`,
						'Check "Delimiter", and that every text with a delimiter in it is in quotation marks.',
					);
				if (!isHead) yield { line, cells };
				isHead = false;
			}
		},
	};
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
		columns,
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

async function* csvRecords(file: InputFile, delimiter: string) {
	const reader = new CsvReader(delimiter);
	for await (const text of file.texts()) yield* reader.read(text);
	yield* reader.end();
}

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

function emptyFile(file: InputFile): InvalidInput {
	return new InvalidInput(
		`The file "${file.name}" is empty; nothing was written`,
		'Check the node that makes the file.',
	);
}

/** @throws InvalidInput if two columns have the same name */
function refuseDuplicateNames(columns: readonly string[], line: number): void {
	const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
	if (twice !== undefined)
		throw new InvalidInput(
			`Line ${line} of the file names the column "${twice}" twice`,
			'Rename or remove one of them.',
		);
}
