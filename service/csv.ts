import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod/v4';
import { badRequest } from './errors';
import { checkValue, type Field, type FieldType, type Value } from './fieldTypes';
import type { Values } from './layouts';

/** What a cell of an export shows: text as it is, everything with an inner structure as JSON. */
function cell(value: Value): string {
	if (value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The first line of an export: the names of the fields. */
export const csvHeader = (fields: readonly Field[]): string => stringify([fields.map((field) => field.name)]);

/** Lines of an export, one for each entity. */
export const csvLines = (fields: readonly Field[], rows: readonly Values[]): string =>
	stringify(rows.map((values) => fields.map((field) => cell(values[field.id] ?? null))));

/** A table as text: its header and its rows, all of the same length. */
export interface CsvTable {
	readonly header: readonly string[];
	readonly rows: ReadonlyArray<readonly string[]>;
}

const table = z.array(z.array(z.string()));

/** Reads a CSV file; the separator may be a comma, a semicolon or a tab. @throws ServiceError 400 */
export function readCsv(text: string): CsvTable {
	const [firstLine = ''] = text.split('\n', 1);
	const separators = [',', ';', '\t'].map((separator) => ({
		separator,
		n: firstLine.split(separator).length,
	}));
	const { separator } = separators.reduce((best, one) => (one.n > best.n ? one : best));
	try {
		const records: unknown = parse(text, { bom: true, delimiter: separator, skip_empty_lines: true });
		const [header, ...rows] = table.parse(records);
		if (!header) throw badRequest('The CSV file is empty: its first line must name the columns');
		return { header: header.map((name) => name.trim()), rows };
	} catch (error) {
		throw error instanceof Error && 'code' in error
			? badRequest(`The CSV file cannot be read: ${error.message}`)
			: error;
	}
}

const wholeNumber = /^-?(0|[1-9]\d{0,14})$/;
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const truth = /^(true|false)$/i;

/** Types a column may turn out to be, the narrowest first. Numbers with leading zeros (postal codes) stay text. */
const guesses: ReadonlyArray<{
	type: FieldType;
	value: (text: string) => unknown;
	fits: (text: string) => boolean;
}> = [
	{
		type: { name: 'boolean' },
		value: (text) => text.toLowerCase() === 'true',
		fits: (text) => truth.test(text),
	},
	{ type: { name: 'integer' }, value: Number, fits: (text) => wholeNumber.test(text) },
	{
		type: { name: 'decimal' },
		value: Number,
		fits: (text) => number.test(text) && Number.isFinite(Number(text)),
	},
	...(['date', 'date-time', 'email'] as const).map((name) => ({
		type: { name },
		value: (text: string) => text,
		fits: (text: string) => fitsType({ name }, text),
	})),
	{ type: { name: 'string' }, value: (text) => text, fits: () => true },
];

function fitsType(type: FieldType, text: string): boolean {
	try {
		checkValue({ id: '', name: '', key: '', description: null, type }, text);
		return true;
	} catch {
		return false;
	}
}

/** What the texts of a column are: the narrowest type that fits all that are not empty. @returns type and how to read a text */
export function inferColumn(texts: readonly string[]): { type: FieldType; value: (text: string) => unknown } {
	const filled = texts.filter((text) => text !== '');
	const guess = filled.length > 0 ? guesses.find(({ fits }) => filled.every(fits)) : undefined;
	return guess ?? { type: { name: 'string' }, value: (text) => text };
}
