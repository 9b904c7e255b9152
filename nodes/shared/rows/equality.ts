import type { Field } from '../../../client/resources/fields';
import { idInUrl } from '../../../client/endpoints/paths';
import { isJsonObject } from '../../../client/formats/json';
import { parseMoment, timestampOf } from '../../../client/formats/moment';
import { withoutEndingZeros } from './numbers';
import { fitting } from './values';
import { linksRows, valueTypeOf } from './valueTypes';

/** What of an object is its value; the rest the service makes of it (thumbnails, labels). */
const ESSENTIAL = new Map([
	['reference', ['uri']],
	['references', ['uri']],
	['resource', ['href']],
	['attachments', ['name', 'url']],
	['user', ['id']],
]);

/**
 * Types whose equal values have equal texts, so that a
 * service can only compare them as this package does.
 */
const ONE_SPELLING = new Set(['string', 'integer', 'boolean', 'enum', 'email', 'phoneNumber', 'uri']);

/** Types of which a few rows at most share a value, as a rule. */
const SELECTIVE = new Set(['string', 'integer', 'email', 'phoneNumber', 'uri']);

/**
 * Whether two values of a column are the same, whatever their spelling:
 * a number and its text, a moment with another offset, an object with
 * its members in another order. `""` and null are not the same.
 */
export function sameValue(field: Field, one: unknown, other: unknown): boolean {
	return canonical(field, one) === canonical(field, other);
}

/**
 * One text for all spellings of the values of some columns. As part of a key an empty text and no
 * value are the same: some services keep one as the other.
 * @param values by field id
 */
export function canonicalKey(keys: readonly Field[], values: Readonly<Record<string, unknown>>): string {
	return JSON.stringify(
		keys.map((field) => canonical(field, values[field.id] === '' ? null : values[field.id])),
	);
}

/**
 * Whether the rows that a service finds by `$eq` are all rows with that value, and few. The answer
 * proves nothing where a type has several spellings (a service may compare texts), nor for an empty
 * text, which some keep as no value.
 */
export function canBeFoundBy(field: Field, value: unknown): boolean {
	return value !== '' && SELECTIVE.has(valueTypeOf(field));
}

/** Whether `$eq` finds every row with that value. */
export function hasOneSpelling(field: Field, value: unknown): boolean {
	return value !== '' && ONE_SPELLING.has(valueTypeOf(field));
}

/**
 * Whether two values of a column are the same where the order of options and members that are null
 * count, and moments are read to the millisecond.
 */
export function isExactly(field: Field, one: unknown, other: unknown): boolean {
	const [left, right] = [one, other].map((raw) => {
		const value = fitting(field, raw)?.value ?? raw;
		const moment = valueTypeOf(field) === 'date-time' ? sortable(field, value) : undefined;
		return JSON.stringify(moment ?? membersByName(value));
	});
	return left === right;
}

function membersByName(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(membersByName);
	if (!isJsonObject(value)) return value;
	const names = Object.keys(value).sort();
	return names.map((name) => [name, membersByName(value[name])]);
}

/** By UTF-16 code unit, by character, or as a dictionary does. */
export const TEXT_ORDERS = ['units', 'characters', 'dictionary'] as const;
export type TextOrder = (typeof TEXT_ORDERS)[number];

/** Surrogates above all other code units, as the characters that they stand for are. */
const byCharacter = (text: string) =>
	text.replace(/[\ud800-\uffff]/g, (unit) =>
		String.fromCharCode(unit < '\ue000' ? unit.charCodeAt(0) + 0x2000 : unit.charCodeAt(0) - 0x800),
	);

function textOrderOf(one: string, other: string, by: TextOrder): number {
	if (by === 'dictionary') return one.localeCompare(other);
	const [left, right] = by === 'units' ? [one, other] : [byCharacter(one), byCharacter(other)];
	return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * The order of two values of a column.
 * @returns below 0 where the first is less, 0 where they are equal, above 0 where it is more;
 *   undefined where they have no order
 */
export function valueOrder(
	field: Field,
	one: unknown,
	other: unknown,
	by: TextOrder = 'units',
): number | undefined {
	const [left, right] = [one, other].map((value) => sortable(field, value));
	if (typeof left === 'string' && typeof right === 'string') return textOrderOf(left, right, by);
	if (left === undefined || right === undefined || typeof left !== typeof right) return undefined;
	return left < right ? -1 : left > right ? 1 : 0;
}

/** Numbers as numbers, moments as milliseconds since 1970, everything else as text. */
function sortable(field: Field, raw: unknown): number | string | undefined {
	const value = fitting(field, raw)?.value ?? raw;
	const type = valueTypeOf(field);
	if (type === 'date-time' && typeof value === 'string') {
		const moment = parseMoment(value);
		return moment && timestampOf(moment, 'UTC');
	}
	if (typeof value === 'boolean') return Number(value);
	// Decimals may be texts, so that no digit is lost.
	if (['integer', 'decimal', 'currency'].includes(type)) {
		const number = Number(value);
		return Number.isNaN(number) ? undefined : number;
	}
	return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}

function canonical(field: Field, raw: unknown): string {
	const value = fitting(field, raw ?? null)?.value ?? raw ?? null;
	const type = valueTypeOf(field);
	if (type === 'date-time' && typeof value === 'string') return JSON.stringify(instantOf(value));
	// A set of options has no order.
	if (type === 'enumcollection' && Array.isArray(value))
		return JSON.stringify(value.map((option) => JSON.stringify(option)).sort());
	if (type === 'user' && typeof value === 'string') return canonical(field, { id: value });
	const named = linksRows(field) ? [value].flat().map(withoutQuery) : value;
	return JSON.stringify(ordered(named, ESSENTIAL.get(type)));
}

/** A service may link its rows with a query of its own. Elsewhere a query may name the row. */
function withoutQuery(link: unknown): unknown {
	if (!isJsonObject(link) || typeof link['uri'] !== 'string') return link;
	const { uri } = link;
	return idInUrl('entity', uri) === undefined ? link : { ...link, uri: uri.replace(/[?#].*$/, '') };
}

/**
 * Milliseconds since 1970 and what of a second is finer
 * than that; the text itself where it is no moment.
 */
function instantOf(text: string): unknown {
	const written = parseMoment(text);
	if (!written) return text;
	const finer = withoutEndingZeros(/[.,]\d{3}(\d+)/.exec(text)?.[1] ?? '');
	return [timestampOf(written, 'UTC'), finer];
}

/**
 * Members by name, without those that hold nothing; only
 * the essential ones of an object that has any.
 */
function ordered(value: unknown, only: readonly string[] = []): unknown {
	if (Array.isArray(value)) return value.map((one) => ordered(one, only));
	// A Date and its like say themselves what they are as JSON.
	if (!isJsonObject(value) || typeof value['toJSON'] === 'function') return value;
	const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
	const essential = members.filter(([name]) => only.includes(name));
	return (essential.length > 0 ? essential : members)
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, member]) => [name, ordered(member)]);
}
