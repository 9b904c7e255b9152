import { type Field, isJsonObject, ownMember, parseMoment, timestampOf, idInUrl } from '../../../client';
import { isBlank, tryServiceValue } from './values';
import { linksRows, valueRulesOf } from './valueTypes';
import { folded } from '../display/foldedText';

/** A column with the rule by which a run compares its values. */
export interface ComparedField extends Field {
	/** Exactly if undefined. */
	compareAs?: { rule: 'ignoreCaseAndSpaces' | 'digitsOnly' | 'rounded'; decimals: number };
}

export function comparedPart({ compareAs }: ComparedField, value: unknown): unknown {
	if (!compareAs || (typeof value !== 'string' && typeof value !== 'number')) return value;
	if (compareAs.rule === 'ignoreCaseAndSpaces') return folded(String(value).replace(/\s+/gu, ''));
	if (compareAs.rule === 'digitsOnly') return String(value).replace(/\D+/gu, '');
	return value === '' || Number.isNaN(Number(value))
		? value
		: Number(Number(value).toFixed(compareAs.decimals));
}

/**
 * Whether two values of a column are equal. Spelling does not count: a number equals its text, a
 * date-time equals itself with another offset or other digits below the millisecond, an empty list
 * equals no value, and the order of an object's members is ignored. In columns of texts, `""` and
 * null differ.
 */
export function sameValue(field: ComparedField, one: unknown, other: unknown): boolean {
	// Most values are written alike.
	if (one === other) return true;
	const [left, right] = [one, other].map((value) => canonical(field, comparedPart(field, value)));
	if (left === right) return true;
	return linksRows(field) && linkSameRows(one, other);
}

/**
 * Canonical text of the values of key columns. In a key, an empty text equals no value, because
 * some services store one as the other.
 * @param values by field id
 */
export function canonicalKey(
	keys: readonly ComparedField[],
	values: Readonly<Record<string, unknown>>,
): string {
	let key = '';
	for (const field of keys) {
		const value = comparedPart(field, ownMember(values, field.id));
		key += `${key === '' ? '' : ','}${canonical(field, value === '' ? null : value)}`;
	}
	return key;
}

/** Whether a key column has a value, not only blanks. */
export function hasKeyValue(field: ComparedField, values: Readonly<Record<string, unknown>>): boolean {
	const value = comparedPart(field, ownMember(values, field.id)) ?? '';
	return typeof value !== 'string' || value.trim() !== '';
}

/** Whether `$eq` finds every row with this value; some services store an empty text as no value. */
export function hasOneSpelling(field: ComparedField, value: unknown): boolean {
	return !field.compareAs && value !== '' && valueRulesOf(field).hasOneSpelling;
}

/**
 * Whether two values of a column are equal if the order of options and null members count, and
 * date-times are compared to the millisecond.
 */
export function isExactly(field: Field, one: unknown, other: unknown): boolean {
	const [left, right] = [one, other].map((raw) => {
		const value = tryServiceValue(field, raw)?.value ?? raw;
		const moment = valueRulesOf(field).equality === 'moment' ? sortable(field, value) : undefined;
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

/** Whether every service sorts the values of a column in the same order. */
export const hasOneOrder = (field: Field): boolean => !['text', 'none'].includes(valueRulesOf(field).order);

/**
 * The order of two values of a column; texts by UTF-16 code unit.
 * @returns below 0 if the first is less, 0 if they are equal, above 0 if it is greater; undefined
 *   if they cannot be ordered
 */
export function valueOrder(field: Field, one: unknown, other: unknown): number | undefined {
	const [left, right] = [one, other].map((value) => sortable(field, value));
	if (left === undefined || right === undefined || typeof left !== typeof right) return undefined;
	return left < right ? -1 : left > right ? 1 : 0;
}

/** Numbers as numbers, date-times as milliseconds since 1970, everything else as text. */
function sortable(field: Field, raw: unknown): number | string | undefined {
	const { order } = valueRulesOf(field);
	const converted = tryServiceValue(field, raw)?.value ?? raw;
	if (order === 'date-time') return timeOf(converted);
	if (typeof converted === 'boolean') return Number(converted);
	// Decimals may be texts, so that no digits are lost.
	if (order === 'number') {
		const number = Number(converted);
		return Number.isNaN(number) ? undefined : number;
	}
	return typeof converted === 'number' || typeof converted === 'string' ? converted : undefined;
}

function canonical(field: Field, raw: unknown): string {
	// Most keys are texts, which need no conversion.
	if (field.type.name === 'string' && typeof raw === 'string') return JSON.stringify(raw);
	const converted = tryServiceValue(field, raw ?? null);
	const value = converted ? converted.value : raw;
	const { equality, isList, members } = valueRulesOf(field);
	if (Array.isArray(value) && value.length === 0 && isList) return 'null';
	if (equality === 'moment') return JSON.stringify(timeOf(value) ?? value);
	if (equality === 'place' && isJsonObject(value)) return JSON.stringify(placeOf(value));
	// Options are compared as a set.
	if (equality === 'set' && Array.isArray(value))
		return JSON.stringify(value.map((option) => JSON.stringify(option)).sort());
	if (equality === 'user' && typeof value === 'string') return canonical(field, { id: value });
	const named = equality === 'link' ? [value].flat().map(linkWithoutQuery) : value;
	return JSON.stringify(ordered(named, members));
}

/** Milliseconds since 1970 of a written date-time, because services keep no finer digits. */
function timeOf(value: unknown): number | undefined {
	const written = typeof value === 'string' ? parseMoment(value) : undefined;
	return written && timestampOf(written, 'UTC');
}

/** Latitude and longitude as numbers (§2.9); all members if one of the two is missing. */
function placeOf(value: Record<string, unknown>): unknown {
	const place = [value['lat'], value['lon']].map((part) => (isBlank(part) ? Number.NaN : Number(part)));
	return place.some(Number.isNaN) ? ordered(value) : place;
}

/** Members sorted by name, without null ones; only the essential members if the object has any. */
function ordered(value: unknown, only: readonly string[] = []): unknown {
	if (Array.isArray(value)) return value.map((one) => ordered(one, only));
	// Objects such as Date define their own JSON.
	if (!isJsonObject(value) || typeof value['toJSON'] === 'function') return value;
	const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
	const essential = members.filter(([name]) => only.includes(name));
	return (essential.length > 0 ? essential : members)
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, member]) => [name, ordered(member)]);
}

/** A path of several segments: shorter ones do not identify a row. */
const IDENTIFYING = /^\/[^/]+\/[^/]+\/./;

interface LinkedRow {
	id: string | undefined;
	/** A documented path without prefix and query (§4.5), or the address as it is. */
	path: string | undefined;
}

/**
 * Whether two values of a column link the same rows in the same order. The specification does not
 * show a cell (§2.5): a service may show the address of a row, its id, or a record with either.
 */
function linkSameRows(one: unknown, other: unknown): boolean {
	const [left, right] = [one, other].map((value) => [value ?? []].flat().map(linkedRow));
	if (!left || left.length !== right?.length) return false;
	return left.every((row, at) => isSameRow(row, right[at]));
}

function isSameRow(one: LinkedRow, other: LinkedRow | undefined): boolean {
	if (one.path !== undefined && other?.path !== undefined) return isSamePath(one.path, other.path);
	return one.id !== undefined && one.id === other?.id;
}

/** A service behind a reverse proxy may show an address without the prefix of the base URL. */
function isSamePath(one: string, other: string): boolean {
	const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
	return longer === shorter || (IDENTIFYING.test(shorter) && longer.endsWith(shorter));
}

function linkedRow(link: unknown): LinkedRow {
	if (typeof link === 'string') return /[/:]/.test(link) ? rowAt(link) : { id: link, path: undefined };
	if (!isJsonObject(link)) return { id: undefined, path: undefined };
	const rows = addressesIn(link).map(rowAt);
	const row = rows.find(({ id }) => id !== undefined) ?? rows[0];
	if (row) return row;
	const id = [link['_id'], link['id']].find((value) => typeof value === 'string');
	return { id: typeof id === 'string' ? id : undefined, path: undefined };
}

function addressesIn({ uri, href, _links }: Record<string, unknown>): string[] {
	const self = isJsonObject(_links) ? _links['self'] : undefined;
	const addresses = [uri, href, isJsonObject(self) ? self['href'] : undefined];
	return addresses.filter((address) => typeof address === 'string');
}

function rowAt(address: string): LinkedRow {
	const id = idInUrl('entity', address);
	if (id === undefined) return { id, path: address };
	return { id, path: address.replace(/[?#].*$/s, '').replace(/^.*?(?=\/?api\/users\/)\/?/, '/') };
}

/** A service may add a query to the links of its rows. In other links, a query may name the row. */
function linkWithoutQuery(link: unknown): unknown {
	if (!isJsonObject(link) || typeof link['uri'] !== 'string') return link;
	const { uri } = link;
	return idInUrl('entity', uri) === undefined ? link : { ...link, uri: uri.replace(/[?#].*$/s, '') };
}
