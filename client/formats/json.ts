import { z } from 'zod/v4';
import { exactNumber } from './decimalDigits';

/** Maximum nesting depth. Deeper values could overflow the stack of later code, n8n included. */
const MAX_DEPTH = 200;

/** Maximum number of values. Each takes about 75 bytes and 0.4 µs, even a mere bracket. */
export const MAX_VALUES = 1_000_000;

/** The parsed value, without members named `__proto__`, or the reason why there is none. */
export type Json = { value: unknown; omitsProto?: true } | { problem: string; hasTooManyValues?: true };

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Parses untrusted JSON. Numbers above 2^53 become texts if a double cannot hold their digits, and
 * so does every integer above it. Members named `__proto__` are omitted: copying one would set the
 * prototype of the copy.
 */
export function parseJson(text: string, maxValues = MAX_VALUES): Json {
	if (hasMoreValues(text, maxValues))
		return { problem: `JSON that has more than ${maxValues} values`, hasTooManyValues: true };
	try {
		const parsed: unknown = JSON.parse(text);
		const findings: Findings = { isTooDeep: false, hasLongNumber: false, hasProto: false };
		inspect(parsed, MAX_DEPTH, findings);
		if (findings.isTooDeep) return { problem: `JSON that is nested deeper than ${MAX_DEPTH} levels` };
		const quoted = findings.hasLongNumber ? withLongNumbersQuoted(text) : text;
		if (quoted !== text) return parseJson(quoted, maxValues);
		return findings.hasProto
			? { value: JSON.parse(text, withoutProto), omitsProto: true }
			: { value: parsed };
	} catch {
		return { problem: 'something that is not JSON' };
	}
}

/** Members of an object from which on each counts as many values: their names are kept apart. */
const FEW_MEMBERS = 1000;
const VALUES_PER_MEMBER = 10;
/** Minimum number of characters per value that counts: those of a member are at least five. */
const MIN_LENGTH = 5 / VALUES_PER_MEMBER;

/**
 * Whether JSON has more than so many values. Each is the root, or follows a comma or a bracket
 * outside the texts; an empty list counts twice. Scans nothing of texts that are too short to
 * exceed the limit.
 */
function hasMoreValues(text: string, maxValues: number): boolean {
	let count = 1;
	/** Numbers of members of the open objects, and of elements of the open lists from far below. */
	const open: number[] = [];
	let members = -Infinity;
	for (let at = 0; at < text.length - MIN_LENGTH * (maxValues - count); at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = endOfText(text, at);
		else if (code === COMMA) count += ++members > FEW_MEMBERS ? VALUES_PER_MEMBER : 1;
		else if (code === BRACKET || code === BRACE) {
			count++;
			open.push(members);
			members = code === BRACE ? 0 : -Infinity;
		} else if (code === END_BRACKET || code === END_BRACE) members = open.pop() ?? -Infinity;
		if (count > maxValues) return true;
	}
	return false;
}

/** The value of a text that may be JSON; undefined if it is not. */
export function jsonOf(text: string): unknown {
	const parsed = parseJson(text);
	return 'value' in parsed ? parsed.value : undefined;
}

function withoutProto(name: string, value: unknown): unknown {
	return name === '__proto__' ? undefined : value;
}

/** @param text valid JSON */
function withLongNumbersQuoted(text: string): string {
	const parts: string[] = [];
	let copied = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = endOfText(text, at);
		NUMBER.lastIndex = at;
		const [number] = (code === MINUS || (code >= ZERO && code <= NINE) ? NUMBER.exec(text) : null) ?? [];
		if (number === undefined) continue;
		if (!keepsDigits(number)) {
			parts.push(text.slice(copied, at), `"${number}"`);
			copied = at + number.length;
		}
		at += number.length - 1;
	}
	return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

function keepsDigits(number: string): boolean {
	if (Math.abs(Number(number)) <= Number.MAX_SAFE_INTEGER) return true;
	return !/^-?\d+$/.test(number) && !Number.isNaN(exactNumber(number));
}

/** Code units of characters in JSON. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const END_BRACKET = 0x5d;
const BRACE = 0x7b;
const END_BRACE = 0x7d;

/** What parsed JSON contains that other code cannot handle. */
interface Findings {
	isTooDeep: boolean;
	/** Whether a number may have lost digits. */
	hasLongNumber: boolean;
	/** Whether an object has a member `__proto__`. */
	hasProto: boolean;
}

/**
 * Looks for all of them in one pass over the values, which is faster than patterns in the text.
 * @param value parsed JSON; the parser itself does not recurse
 */
function inspect(value: unknown, depth: number, findings: Findings): void {
	if (typeof value === 'number') findings.hasLongNumber ||= Math.abs(value) > Number.MAX_SAFE_INTEGER;
	if (typeof value !== 'object' || value === null) return;
	if (depth === 0) findings.isTooDeep = true;
	else if (Array.isArray(value)) for (const element of value) inspect(element, depth - 1, findings);
	else if (isJsonObject(value))
		// Listing the members would take as long as parsing them.
		for (const name in value) {
			findings.hasProto ||= name === '__proto__';
			inspect(value[name], depth - 1, findings);
		}
}

/** Index of the quotation mark that closes the string starting at `start`. */
function endOfText(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
		if (backslashes % 2 === 0) return end;
	}
	return text.length;
}

/** Whether a value is an object with members. A zod schema is too slow for the values of rows. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Any JSON object. zod's own record refuses objects with a member `constructor`.
 * @param problem the message for any other value
 */
export function jsonObjectOr(problem: string) {
	return z.custom<Record<string, unknown>>(isJsonObject, problem);
}
export const jsonObject = jsonObjectOr('expected an object');

/** A JSON object whose members have one shape. @param problem message for any other member */
export function recordOf<Member extends z.ZodType>(member: Member, problem = 'it has another shape') {
	return jsonObject.transform((object, context) => {
		const members: Array<[string, z.infer<Member>]> = [];
		for (const [name, raw] of Object.entries(object)) {
			const parsed = member.safeParse(raw);
			if (parsed.success) members.push([name, parsed.data]);
			else context.addIssue({ code: 'custom', message: problem, path: [name] });
		}
		return Object.fromEntries(members);
	});
}

/** A member of an object with arbitrary names; not an inherited one like `constructor`. */
export function ownMember<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
	return Object.hasOwn(object, name) ? object[name] : undefined;
}
