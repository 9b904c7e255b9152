import type { Field } from '../../client/fields';
import { isJsonObject } from '../../client/json';
import { fitting } from './values';

/** What of an object is its value; the rest the service makes of it (thumbnails, labels). */
const ESSENTIAL = new Map([
	['reference', ['uri']],
	['references', ['uri']],
	['resource', ['href']],
	['attachments', ['name', 'url']],
]);

/**
 * Whether two values of a column are the same, whatever their spelling: a number and its text, a moment with another offset, an
 * object with its members in another order. `""` and null are not the same.
 */
export function sameValue(field: Field, one: unknown, other: unknown): boolean {
	return canonical(field, one) === canonical(field, other);
}

/** One text for all spellings of the values of some columns. @param values by field id */
export function canonicalKey(keys: readonly Field[], values: Readonly<Record<string, unknown>>): string {
	return JSON.stringify(keys.map((field) => canonical(field, values[field.id])));
}

function canonical(field: Field, raw: unknown): string {
	const value = fitting(field, raw ?? null)?.value ?? raw ?? null;
	const type = field.type.name;
	if (type === 'date-time' && typeof value === 'string') {
		const time = Date.parse(value);
		return JSON.stringify(Number.isNaN(time) ? value : time);
	}
	// A set of options has no order.
	if (type === 'enumcollection' && Array.isArray(value))
		return JSON.stringify(value.map((option) => JSON.stringify(option)).sort());
	return JSON.stringify(ordered(value, ESSENTIAL.get(type)));
}

/** Members by name, without those that hold nothing. */
function ordered(value: unknown, only?: readonly string[]): unknown {
	if (Array.isArray(value)) return value.map((one) => ordered(one, only));
	// A Date and its like say themselves what they are as JSON.
	if (!isJsonObject(value) || typeof value['toJSON'] === 'function') return value;
	return Object.entries(value)
		.filter(([name, member]) => member !== null && member !== undefined && (only?.includes(name) ?? true))
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, member]) => [name, ordered(member)]);
}
