import { type Field, InvalidInput } from '../../../client';
import { typeLabel } from './columnTypes';
import { valueText } from '../display/shownText';
import { InvalidCell, Unconvertible } from './conversion';
import { isJson, valueRulesOf } from './valueTypes';

/** Whether a value is missing or empty: services differ in whether an empty text is a value. */
export const isBlank = (value: unknown): boolean => value === null || value === undefined || value === '';

/** The same for a cell that may hold a list, of which an empty one equals no value. */
export const isEmptyCell = (value: unknown): boolean =>
	isBlank(value) || (Array.isArray(value) && value.length === 0);

/** Whether `""` is a value of the column, not a way to write null. */
export function hasEmptyText(field: Field): boolean {
	return valueRulesOf(field).hasEmptyText;
}

/**
 * Converts a value to the field's type (§2.5) without loss. `0` and `false` are values, `""` is a
 * value in text fields; null clears the field.
 * @param timezone the workflow's time zone, for date-times without an offset; UTC if omitted
 * @throws InvalidInput naming column, type and value if it cannot be converted
 */
export function toServiceValue(field: Field, value: unknown, timezone?: string): unknown {
	const converted = convert(field, value, timezone);
	if (!(converted instanceof Unconvertible)) return converted;
	const reason = Number.isNaN(value) ? NOT_A_NUMBER : converted.reason;
	const problem = new InvalidInput(
		`Column "${field.name}" requires a value of the type ${typeLabel(field.type.name)}, but got ${valueText(value)}${reason ? `: ${reason}` : ''}`,
		`Change the value of "${field.name}", or check the expression that returns it.`,
	);
	throw new InvalidCell(field, problem);
}

/** An expression that computes with a column of the row, which is not in the item. */
const NOT_A_NUMBER =
	'its expression computes with a value that the input item does not have. To compute with values of the row itself, read the rows with Get Many and write them with Update';

/** The same, or undefined if the value cannot be converted. */
export function tryServiceValue(field: Field, value: unknown): { value: unknown } | undefined {
	const converted = convert(field, value);
	return converted instanceof Unconvertible ? undefined : { value: converted };
}

function convert(field: Field, value: unknown, timezone = 'UTC'): unknown {
	if (value === null) return null;
	if (typeof value === 'string' && value.trim() === '' && !hasEmptyText(field)) return null;
	const converted = valueRulesOf(field).convert(value, timezone);
	return converted instanceof Unconvertible || isJson(converted) ? converted : new Unconvertible();
}
