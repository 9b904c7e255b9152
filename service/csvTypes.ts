import { badRequest, ServiceError } from './errors';
import {
	checkValue,
	isComputed,
	type Field,
	type FieldType,
	type FieldTypeName,
	type Value,
} from './fieldTypes';

/** What a cell of an export shows: text as it is, everything with an inner structure as JSON. */
export function cellText(value: Value): string {
	if (value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Types whose cells are JSON in a file (see cellText). */
const structured = new Set<FieldTypeName>([
	'enumcollection', 'stringcollection', 'address', 'geolocation', 'attachments', 'reference', 'references', 'resource',
]); // prettier-ignore
const numeric = new Set<FieldTypeName>(['integer', 'decimal', 'currency']);

/** Significant digits and exponent of a decimal number, so that equal numbers are equal texts; undefined if it is none. */
function canonicalNumber(text: string): string | undefined {
	const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
	const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
	const significant = (whole + fraction).replace(/^0+/, '');
	if (!match || whole + fraction === '') return undefined;
	if (significant === '') return '0';
	const digits = significant.replace(/0+$/, '');
	const scale = Number(exponent) - fraction.length + significant.length - digits.length;
	return `${sign === '-' ? '-' : ''}${digits}e${scale}`;
}

/** Longer texts are not read as numbers. */
const MAX_NUMBER_LENGTH = 400;

/** A number that is exactly the one written; the text itself if there is none, which no number field takes. */
function exactNumber(text: string): unknown {
	const value = Number(text);
	const exact = text.length > MAX_NUMBER_LENGTH ? undefined : canonicalNumber(text);
	return exact !== undefined && exact === canonicalNumber(String(value)) ? value : text;
}

function jsonOrText(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** What the text of a cell means in a field of this type. */
function meaning({ name }: FieldType, text: string): unknown {
	const trimmed = text.trim();
	if (numeric.has(name)) return exactNumber(trimmed);
	if (structured.has(name)) return jsonOrText(trimmed);
	if (name === 'boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
	return text;
}

/**
 * Reads a cell of a file; an empty one has no value.
 * @param row 1-based, without the header @throws ServiceError 400 that names row and column, if the field does not take it
 */
export function readCell(field: Field, text: string, row: number): Value {
	if (text === '') return null;
	if (isComputed(field))
		throw badRequest(`Row ${row}: the service computes the values of "${field.name}" (${field.type.name})`);
	try {
		return checkValue(field, meaning(field.type, text));
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		throw badRequest(`Row ${row}: ${error.message}`, error.details);
	}
}

const fieldOfType = (name: FieldTypeName): Field => ({
	id: '',
	name: '',
	key: '',
	description: null,
	type: { name },
});

/** Whether a field of this type takes a text and gives the same text back. */
function keeps(field: Field, text: string): boolean {
	try {
		return cellText(checkValue(field, meaning(field.type, text))) === text;
	} catch {
		return false;
	}
}

/** Types that a column may turn out to be, the narrowest first, each with a quick look that rules most texts out. */
const candidates: ReadonlyArray<{ field: Field; looksLike: RegExp }> = [
	{ field: fieldOfType('boolean'), looksLike: /^(true|false)$/ },
	{ field: fieldOfType('integer'), looksLike: /^-?\d{1,16}$/ },
	{ field: fieldOfType('decimal'), looksLike: /^-?\d[\d.e+-]{0,25}$/ },
	{ field: fieldOfType('date'), looksLike: /^\d{4}-\d\d-\d\d$/ },
	{ field: fieldOfType('date-time'), looksLike: /^\d{4}-\d\d-\d\dT/ },
	{ field: fieldOfType('email'), looksLike: /^[^@]{1,64}@[^@]{1,255}$/ },
	{ field: fieldOfType('string'), looksLike: /^/ },
	{ field: fieldOfType('richText'), looksLike: /^/ },
];

/**
 * Finds the type of a column from its cells: the narrowest that gives every one of them back as it was written. So `1.10`, `1e5`, `007`
 * and numbers past 2^53 stay text.
 */
export class ColumnGuess {
	private possible = candidates;
	/** Cells that hold something. */
	filled = 0;

	see(text: string): void {
		if (text === '') return;
		this.filled += 1;
		const stays = ({ field, looksLike }: (typeof candidates)[number]) =>
			looksLike.test(text) && keeps(field, text);
		// The common case, which needs no new list: the narrowest type left takes this text as well.
		const [narrowest] = this.possible;
		if (narrowest && stays(narrowest)) return;
		this.possible = this.possible.filter(stays);
	}

	/** The narrowest type that took all cells; text for a column without any. */
	get type(): FieldType {
		const name = this.filled > 0 ? this.possible[0]?.field.type.name : undefined;
		return { name: name ?? 'string' };
	}
}
