import { exactNumber } from './exactNumber';
import { checkValue, isComputed, type Field, type FieldType, type Value } from './fieldTypes';
import type { FieldTypeName } from './fieldTypeNames';
import { isStructured, jsonIn } from './meanings';
import { badRequest, ServiceError } from './errors';

/** What a cell of an export shows: text as it is, everything with an inner structure as JSON. */
export function cellText(value: Value): string {
	if (value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

const numeric = new Set<FieldTypeName>(['integer', 'decimal', 'currency']);

/** What the text of a cell means in a field of this type. */
function meaning({ name }: FieldType, text: string): unknown {
	const trimmed = text.trim();
	// No number field takes a text: one that is no exact number is refused as it was written.
	if (numeric.has(name)) return exactNumber(trimmed) ?? text;
	if (isStructured(name)) return jsonIn(trimmed) ?? text;
	if (name === 'boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
	return text;
}

/**
 * Reads a cell of a file; an empty one has no value.
 * @param row 1-based, without the header
 * @throws ServiceError 400 that names row and column, if the field does not take it
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

/**
 * Types that a column may turn out to be, the narrowest
 * first, each with a quick look that rules most texts out.
 */
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
 * Finds the type of a column from its cells: the narrowest that gives every one of them back as it
 * was written. So `1.10`, `1e5`, `007` and numbers past 2^53 stay text.
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
		// The common case, which needs no new list: the narrowest type left takes this text as
		// well.
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
