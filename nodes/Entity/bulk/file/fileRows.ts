import { InvalidInput } from '../../../../client/errors';
import { isJsonObject, parseJson } from '../../../../client/formats/json';
import type { InputFile } from '../../../shared/connection/inputFile';
import { CsvReader } from '../../../shared/rows/csvReader';

/** A row of a file. */
export interface FileRow {
	/** Where it begins; the first line is 1. */
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
	const first = await firstOf(csvRecords(file, delimiter));
	const columns = (first?.cells ?? []).map((name) => name.trim());
	refuseTwice(columns, first?.line ?? 1);
	return {
		columns,
		async *rows() {
			let isHead = true;
			for await (const { line, cells } of csvRecords(file, delimiter)) {
				if (!isHead && cells.length !== columns.length)
					throw new InvalidInput(
						`Line ${line} of the file has ${cells.length} cells, but its first line names ${columns.length} columns`,
						'Check "Delimiter", and that every text with a delimiter in it is in quotation marks.',
					);
				if (!isHead) yield { line, cells };
				isHead = false;
			}
		},
	};
}

/** A file with a JSON object in each line. @throws InvalidInput */
export async function jsonRows(file: InputFile): Promise<RowFile> {
	const first = await firstOf(jsonObjects(file));
	const columns = Object.keys(first?.object ?? {});
	return {
		columns,
		async *rows() {
			for await (const { line, object } of jsonObjects(file)) {
				const isSame = columns.every((name) => Object.hasOwn(object, name));
				if (!isSame || Object.keys(object).length !== columns.length)
					throw new InvalidInput(
						`Line ${line} of the file has other members than its first object`,
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
				'Choose another "File Format", or check the node that makes the file.',
			);
		yield { line, object: json.value };
	}
}

async function* linesOf(file: InputFile): AsyncGenerator<string> {
	let rest = '';
	for await (const text of file.texts()) {
		const lines = (rest + text).split('\n');
		rest = lines.pop() ?? '';
		yield* lines;
	}
	if (rest !== '') yield rest;
}

function refuseTwice(columns: readonly string[], line: number): void {
	const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
	if (twice !== undefined)
		throw new InvalidInput(
			`Line ${line} of the file names the column "${twice}" twice`,
			'Rename or remove one of them.',
		);
}
