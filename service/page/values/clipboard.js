import { optionsOf } from './cells.js';

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
 * Reads the text of a spreadsheet or file: separators between cells, line breaks between rows, and
 * quotes around cells that contain either.
 */
export function readBlock(text, separator = '\t') {
	const rows = [[]];
	const sign = separator === '|' ? '\\|' : separator;
	const cells = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"(?=[${sign}\\r\\n]|$)|([^${sign}\\r\\n]*))(${sign}|\\r\\n|\\r|\\n|$)`, 'gy'); // prettier-ignore
	for (let match = cells.exec(text); match; match = cells.exec(text)) {
		const [, quoted, plain, end] = match;
		rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
		if (end === '') break;
		if (end !== separator) rows.push([]);
	}
	// Spreadsheets also end the last row with a line break.
	const last = rows.at(-1);
	if (rows.length > 1 && last.length === 1 && last[0] === '') rows.pop();
	return rows;
}

function numberOf(text, isWhole) {
	if (!/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text))
		throw new Error('is not a number; write it as 1234.5, without separators or currency symbols');
	const value = Number(text);
	if (isWhole && !Number.isInteger(value)) throw new Error('is not a whole number');
	const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');
	if (digits.length > 15 || !Number.isFinite(value))
		throw new Error('has more digits than a number can store');
	return value;
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

function dayOf(text) {
	const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(NaN);
	if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
		throw new Error('is not a date; write it as 2026-03-31');
	return text;
}

function momentOf(text) {
	const [, day, time = '', zone = ''] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []; // prettier-ignore
	const moment = day && time && dayOf(day) ? new Date(`${day}T${time}${zone}`) : new Date(NaN);
	if (Number.isNaN(moment.getTime())) throw new Error('is not a date and time; write it as 2026-03-31 14:30');
	return moment.toISOString();
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
