import { exactNumber } from './exactNumber';
import { checkValue, isComputed, type Field, type FieldType, type Value } from './fieldTypes';
import type { FieldTypeName } from './fieldTypeNames';
import { isStructured, jsonIn } from './conversionCandidates';
import { badRequest, ServiceError } from './errors';

/** Text of an exported cell: texts unchanged, structured values as JSON. */
export function cellText(value: Value): string {
	if (value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

const numeric = new Set<FieldTypeName>(['integer', 'decimal', 'currency']);

/** Converts the text of a cell to a field type. */
function convertCell({ name }: FieldType, text: string): unknown {
	const trimmed = text.trim();
	// A text that is not an exact number stays text, which number fields refuse.
	if (numeric.has(name)) return exactNumber(trimmed) ?? text;
	if (isStructured(name)) return jsonIn(trimmed) ?? text;
	if (name === 'boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
	return text;
}

/**
 * Parses a cell of a file; an empty cell has no value.
 * @param row 1-based, without the header
 * @throws ServiceError 400 that names row and column if the field does not accept it
 */
export function readCell(field: Field, text: string, row: number): Value {
	if (text === '') return null;
	if (isComputed(field))
		throw badRequest(
			`Row ${row}: "${field.name}" (${field.type.name}) cannot be imported, because the service computes its values`,
		);
	try {
		return checkValue(field, convertCell(field.type, text));
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

/** Whether a text survives a round trip through a field. */
function survivesRoundTrip(field: Field, text: string): boolean {
	try {
		return cellText(checkValue(field, convertCell(field.type, text))) === text;
	} catch {
		return false;
	}
}

/** Candidate types of a column, narrowest first, each with a cheap pre-check. */
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
 * Infers the type of a column: the narrowest type in which all cells survive a round trip. `1.10`,
 * `1e5`, `007` and numbers beyond 2^53 stay text.
 */
export class ColumnGuess {
	private possible = candidates;
	/** Number of non-empty cells. */
	filled = 0;

	/** Takes the next cell into account. */
	add(text: string): void {
		if (text === '') return;
		this.filled += 1;
		const fits = ({ field, looksLike }: (typeof candidates)[number]) =>
			looksLike.test(text) && survivesRoundTrip(field, text);
		// The common case, without a new list: the narrowest remaining type accepts the text.
		const [narrowest] = this.possible;
		if (narrowest && fits(narrowest)) return;
		this.possible = this.possible.filter(fits);
	}

	/** The narrowest type that accepts all cells; text for an empty column. */
	get type(): FieldType {
		const name = this.filled > 0 ? this.possible[0]?.field.type.name : undefined;
		return { name: name ?? 'string' };
	}
}
