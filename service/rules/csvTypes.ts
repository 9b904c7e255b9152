import { exactNumber } from './exactNumber';
import { checkValue, isComputed, type Field, type FieldType, type Value } from './fieldTypes';
import { traitsOf, type FieldTypeName } from './fieldTypeNames';
import { isStructured, jsonIn } from './conversionCandidates';
import type { Cell } from './csvRecords';
import { badRequest, ServiceError } from './errors';
import { formatsOf, OtherFormat, plainCell, type CellFormat } from './textFormats';

/** Text of an exported cell: texts unchanged, structured values as JSON. */
export function cellText(value: Value): Cell {
	if (value === null) return null;
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where a row is in its file, for messages. */
export interface RowPlace {
	/** Number of the row, counted from 1 with blank lines, without the header. */
	readonly row: number;
	/** Number of its first line. */
	readonly line: number;
}

/** Converts the text of a cell to a field type. */
function convertCell({ name }: FieldType, text: string): unknown {
	const trimmed = text.trim();
	// A text that is not an exact number stays text, which number fields refuse.
	if (traitsOf[name].form === 'number') return exactNumber(trimmed) ?? text;
	if (isStructured(name)) return jsonIn(trimmed) ?? text;
	if (name === 'boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
	return text;
}

/** @throws ServiceError 400 if the cells of a field cannot be written in a format */
export function requireFormat({ name, type }: Field, format: CellFormat): void {
	const formats = formatsOf(type.name);
	if (!formats.includes(format))
		throw badRequest(
			`"formats" says ${format} for the column "${name}" (${type.name}), whose formats are: ${formats.join(', ') || 'none'}`,
		);
}

/** Characters of a cell in a message. */
const MAX_SHOWN = 100;

/** Types of texts, in which an empty text is a value. */
const TEXTS: readonly FieldTypeName[] = ['string', 'richText'];

/**
 * Parses a cell of a file. An empty cell has no value; two quotation marks are an empty text, if
 * the field is a text.
 * @param format how the cell is written; if omitted, as programs write it
 * @throws ServiceError 400 that names row and column if the field does not accept it
 */
export function readCell(field: Field, cell: Cell, { row, line }: RowPlace, format?: CellFormat): Value {
	if (cell === null || (cell === '' && !TEXTS.includes(field.type.name))) return null;
	if (isComputed(field))
		throw badRequest(
			`Row ${row} (line ${line}): "${field.name}" (${field.type.name}) cannot be imported, because the service computes its values. Remove the column, or import it as another type.`,
		);
	try {
		const text = format === undefined ? cell : plainCell(cell.trim(), format);
		return checkValue(field, convertCell(field.type, text));
	} catch (error) {
		const refusal = (why: string, details?: unknown) =>
			badRequest(
				`Row ${row} (line ${line}): ${why}. Correct the cell, or import the column as another type.`,
				details,
			);
		if (error instanceof OtherFormat)
			throw refusal(`"${field.name}": “${cell.slice(0, MAX_SHOWN)}” ${error.message}`);
		throw error instanceof ServiceError ? refusal(error.message, error.details) : error;
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

interface Candidate {
	readonly field: Field;
	/** Cheap pre-check. */
	readonly looksLike: RegExp;
	/** Types that every text of this type also fits; all others fit none of them. */
	readonly wider: readonly FieldTypeName[];
}

/** Candidate types of a column, narrowest first. */
const candidates: readonly Candidate[] = [
	{ field: fieldOfType('boolean'), looksLike: /^(true|false)$/, wider: TEXTS },
	{ field: fieldOfType('integer'), looksLike: /^-?\d{1,16}$/, wider: ['decimal', ...TEXTS] },
	{ field: fieldOfType('decimal'), looksLike: /^-?\d[\d.e+-]{0,25}$/, wider: TEXTS },
	{ field: fieldOfType('date'), looksLike: /^\d{4}-\d\d-\d\d$/, wider: TEXTS },
	{ field: fieldOfType('date-time'), looksLike: /^\d{4}-\d\d-\d\dT/, wider: TEXTS },
	{ field: fieldOfType('email'), looksLike: /^[^@]{1,64}@[^@]{1,255}$/, wider: TEXTS },
	{ field: fieldOfType('string'), looksLike: /^/, wider: TEXTS },
	{ field: fieldOfType('richText'), looksLike: /^/, wider: TEXTS },
];

/**
 * Infers the type of a column: the narrowest type in which all cells survive a round trip. `1.10`,
 * `1e5`, `007` and numbers beyond 2^53 stay text.
 */
export class ColumnGuess {
	private possible = candidates;
	private isUnused = true;
	/** Number of cells with a text that is not empty. */
	filled = 0;

	/** @param quotesAll whether the file quotes every cell, so that `""` may be no value */
	constructor(private readonly quotesAll: boolean) {}

	/** Takes the next cell into account. */
	add(text: Cell): void {
		if (text === null || (text === '' && this.quotesAll)) return;
		const isFirst = this.isUnused;
		this.isUnused = false;
		if (text !== '') this.filled += 1;
		const fits = ({ field, looksLike }: Candidate) => looksLike.test(text) && survivesRoundTrip(field, text);
		// The common case: the narrowest remaining type accepts the text, and the wider ones, too.
		const [narrowest] = this.possible;
		if (!narrowest || fits(narrowest)) return;
		const remaining = this.possible.filter(({ field }) => narrowest.wider.includes(field.type.name));
		this.possible = (isFirst ? this.possible : remaining).filter(fits);
	}

	/** The narrowest type that accepts all cells; text for an empty column. */
	get type(): FieldType {
		const name = this.filled > 0 ? this.possible[0]?.field.type.name : undefined;
		return { name: name ?? 'string' };
	}
}
