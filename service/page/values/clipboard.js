import { optionsOf } from './cells';
import { areFiles } from './files';
import { areLinks } from './linkedRows';
import { numberOf } from './numbers';
import { dayOf, momentOf } from './times';

/** The text of a value for spreadsheets, which can be pasted back. */
function plainText(value) {
	if (value === null || value === undefined) return '';
	if (isTexts(value)) {
		const text = value.join(', ');
		if (JSON.stringify(listOf(text)) === JSON.stringify(value)) return text;
	}
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The values of rows as tab-separated text, which can be pasted back. */
export const blockOf = (rows, fields) =>
	rows.map((row) => fields.map(({ id }) => quoted(plainText(row[id]))).join('\t')).join('\n');

const quoted = (text) => (/[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Reads the text of a spreadsheet: tabs between cells, line breaks between rows, and quotes around
 * cells that contain either.
 */
export function readBlock(text) {
	const rows = [[]];
	const cells = /(?:"([^"]*(?:""[^"]*)*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy;
	for (let match = cells.exec(text); match; match = cells.exec(text)) {
		const [, quoted, plain, end] = match;
		rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
		if (end === '') break;
		if (end !== '\t') rows.push([]);
	}
	// Spreadsheets also end the last row with a line break.
	const last = rows.at(-1);
	if (rows.length > 1 && last.length === 1 && last[0] === '') rows.pop();
	return rows;
}

function truthOf(text) {
	if (/^(true|yes|1)$/i.test(text)) return true;
	if (/^(false|no|0)$/i.test(text)) return false;
	throw new Error('is neither yes nor no');
}

function optionOf(field, text) {
	const known = optionsOf(field);
	if (known.includes(text)) return text;
	const labelled = (field.type.options ?? []).filter(({ label }) => label === text);
	if (labelled.length === 1) return labelled[0].value;
	throw new Error(`is not one of ${known.join(', ')}`);
}

const isTexts = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The elements of a list: JSON, as in an export, or separated by commas or line breaks. */
function listOf(text) {
	try {
		const list = JSON.parse(text);
		if (isTexts(list)) return list;
	} catch {
		// It is no JSON.
	}
	return text.split(/,\s*|\n/).map((one) => one.trim()).filter(Boolean); // prettier-ignore
}

function jsonOf(text) {
	if (!/^[[{]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch {
		throw new Error('is not valid JSON');
	}
}

/** Linked rows as they are copied from a table. */
function linksOf(text, isMany) {
	const value = /^[[{]/.test(text) ? jsonOf(text) : undefined;
	if (value === undefined || Array.isArray(value) !== isMany || !areLinks([value].flat()))
		throw new Error('is no linked row; open the row and choose it, or copy the cell of another row');
	return value;
}

function filesOf(text) {
	const value = /^\[/.test(text) ? jsonOf(text) : undefined;
	if (!areFiles(value)) throw new Error('is no list of files; open the row and add them there');
	return value;
}

const readers = {
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
};
const AS_THEY_ARE = ['string', 'richText', 'email', 'phoneNumber', 'uri', 'user', 'signature'];

/**
 * Converts a pasted text to a value. Ambiguous texts are refused.
 * @throws Error that continues "“text” …"
 */
export function valueOfText(field, text) {
	if (text === '') return null;
	if (AS_THEY_ARE.includes(field.type.name)) return text;
	const read = readers[field.type.name] ?? jsonOf;
	return read(text.trim(), field);
}
