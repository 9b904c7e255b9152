import { textIn, type Column, type Row } from '../session/schemas';
import { isNumber } from './cells';
import { labelOfOption, optionsOf, valueOfOption } from './options';
import { areFiles } from './files';
import { linkNames, linksIn } from './linkedRows';
import { numberOf, typedNumber } from './numbers';
import { plainText as plainOf, truthOf } from '../../rules/textFormats';
import { dayOf, momentOf } from './times';

/** The text of a value for spreadsheets, which can be pasted back. */
function plainText(value: unknown) {
	if (isTexts(value)) {
		const text = value.join(', ');
		if (JSON.stringify(listOf(text)) === JSON.stringify(value)) return text;
	}
	return textIn(value);
}

type Writer = (field: Column, value: unknown) => string;

const blockWith = (textOf: Writer) => (rows: readonly Row[], fields: readonly Column[]) =>
	rows.map((row) => fields.map((field) => quoted(textOf(field, row[field.id]))).join('\t')).join('\n');

/** The values of rows as tab-separated text, which can be pasted back; linked rows are links. */
export const blockOf = blockWith((_field, value) => plainText(value));

/** The same for other programs: linked rows are their names. */
export const namedBlockOf = blockWith((field, value) => linkNames(field, value) ?? plainText(value));

const quoted = (text: string) => (/[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Reads the text of a spreadsheet: tabs between cells, line breaks between rows, and quotes around
 * cells that contain either.
 */
export function readBlock(text: string) {
	let last: string[] = [];
	const rows = [last];
	const cells = /(?:"([^"]*(?:""[^"]*)*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy;
	for (let match = cells.exec(text); match; match = cells.exec(text)) {
		const [, quoted, plain = '', end] = match;
		last.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
		if (end === '') break;
		if (end !== '\t') rows.push((last = []));
	}
	// Spreadsheets also end the last row with a line break.
	if (rows.length > 1 && last.length === 1 && last[0] === '') rows.pop();
	return rows;
}

function optionOf(field: Column, text: string) {
	const known = optionsOf(field);
	if (known.includes(text)) return text;
	const labelled = (field.type.options ?? []).filter((option) => labelOfOption(option) === text);
	if (labelled[0] !== undefined && labelled.length === 1) return valueOfOption(labelled[0]);
	throw new Error(`is not one of ${known.join(', ')}`);
}

/** The texts of a cell that are no options of its column, if that has options. */
export function newOptions(field: Column, text: string) {
	const texts = { enum: [text], enumcollection: listOf(text) }[field.type.name] ?? [];
	const known = (field.type.options ?? []).flatMap((one) => [valueOfOption(one), labelOfOption(one)]);
	return texts.filter((one) => !known.includes(one));
}

const isTexts = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The elements of a list: JSON, as in an export, or separated by commas or line breaks. */
function listOf(text: string) {
	try {
		const list: unknown = JSON.parse(text);
		if (isTexts(list)) return list;
	} catch {
		// It is no JSON.
	}
	return text.split(/,\s*|\n/).map((one) => one.trim()).filter(Boolean); // prettier-ignore
}

function jsonOf(text: string): unknown {
	if (!/^[[{]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch {
		throw new Error('is not valid JSON');
	}
}

/** Linked rows as they are copied from a table. */
function linksOf(text: string, isMany: boolean) {
	const value = /^[[{]/.test(text) ? jsonOf(text) : undefined;
	if (value === undefined || Array.isArray(value) !== isMany || !linksIn(value))
		throw new Error('is no linked row; open the row and choose it, or copy the cell of another row');
	return value;
}

function filesOf(text: string) {
	const value = /^\[/.test(text) ? jsonOf(text) : undefined;
	if (!areFiles(value)) throw new Error('is no list of files; open the row and add them there');
	return value;
}

type Reader = (text: string, field: Column) => unknown;

const readers = new Map(
	Object.entries<Reader>({
		integer: (text) => numberOf(text, true),
		decimal: (text) => numberOf(text, false),
		currency: (text) => numberOf(text, false),
		boolean: truthOf,
		date: dayOf,
		'date-time': momentOf,
		enum: (text, field) => optionOf(field, text),
		enumcollection: (text, field) => listOf(text).map((one) => optionOf(field, one)),
		stringcollection: listOf,
		reference: (text) => linksOf(text, false),
		references: (text) => linksOf(text, true),
		attachments: filesOf,
	}),
);
const AS_THEY_ARE = ['string', 'richText', 'email', 'phoneNumber', 'uri', 'user', 'signature'];

/**
 * Converts a pasted text to a value. Ambiguous texts are refused.
 * @throws Error that continues "“text” …"
 */
export function valueOfText(field: Column, text: string): unknown {
	if (text === '') return null;
	if (AS_THEY_ARE.includes(field.type.name)) return text;
	const read = readers.get(field.type.name) ?? jsonOf;
	return read(text.trim(), field);
}

/**
 * Converts a text that another program or a person wrote, in the language of the person.
 * @throws Error that continues "“text” …"
 */
export function valueOfTyped(field: Column, text: string): unknown {
	const trimmed = text.trim();
	if (isNumber(field) && trimmed !== '') return typedNumber(trimmed, field.type.name === 'integer');
	if (!['date', 'date-time'].includes(field.type.name)) return valueOfText(field, text);
	const [day, other] = [plainOf(trimmed, 'dayFirst'), plainOf(trimmed, 'monthFirst')];
	return valueOfText(field, day === other ? day : trimmed);
}
