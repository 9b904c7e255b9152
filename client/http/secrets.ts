import { redact } from './redaction';

export type Redact = (text: string) => string;

/** Shorter values also occur in ordinary texts. */
const MIN_LENGTH = 4;
/** Minimum number of matching Base64 characters of an encoded secret. */
const MIN_BASE64_LENGTH = 4;
const MASK = '***';
/** Maximum number of nested encodings that are decoded, e.g. HTML in a URL in JSON. */
const MAX_DECODINGS = 3;

/**
 * Redacts credential values and text that looks like one, in every encoding that echoing services
 * use: as sent, in JSON, URLs and HTML, as Base64 (also within a longer text such as `key:secret`),
 * Base64url and hex.
 * @param values the real values of the credential
 */
export function redactorOf(values: readonly string[]): Redact {
	const secrets = [...new Set(values)].filter(({ length }) => length >= MIN_LENGTH);
	if (secrets.length === 0) return redact;
	const searches = secrets.map(searchOf);
	return (text) => redact(withoutCutEnd(masked(text, searches), secrets));
}

/** Forms of a secret in decoded bytes. */
interface Search {
	plain: string[];
	/**
	 * The Base64 characters that depend on the secret alone, for each of its three possible offsets
	 * in a group of bytes.
	 */
	base64: string[];
	hex: string;
}

function searchOf(secret: string): Search {
	const json = JSON.stringify(secret).slice(1, -1);
	const plain = [secret, json, json.replaceAll('/', '\\/'), JSON.stringify(json).slice(1, -1)];
	const bytes = bytesOf(secret);
	return {
		plain: [...new Set([...plain, secret.replaceAll(' ', '+')].map(bytesOf))],
		base64: [0, 1, 2].map((offset) => base64Core(bytes, offset)).filter((core) => core !== ''),
		hex: [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join(''),
	};
}

/** UTF-8, one character per byte. */
const bytesOf = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

function base64Core(bytes: string, offset: number): string {
	const from = Math.ceil((offset * 8) / 6);
	const to = Math.floor(((offset + bytes.length) * 8) / 6);
	return to - from < MIN_BASE64_LENGTH ? '' : btoa('\0'.repeat(offset) + bytes).slice(from, to);
}

/**
 * A text, and the position in the original of each of its characters; the last entry is the end of
 * the original.
 */
interface Traced {
	text: string;
	at: number[];
}

/**
 * Rewrites the parts that a regular expression matches.
 * @param rewrite returns undefined for a part that stays unchanged
 */
function traced(
	{ text, at }: Traced,
	expression: RegExp,
	rewrite: (match: RegExpMatchArray) => string | undefined,
): Traced {
	const parts: string[] = [];
	const places: number[] = [];
	let from = 0;
	const keep = (to: number) => {
		parts.push(text.slice(from, to));
		for (let index = from; index < to; index++) places.push(at[index] ?? 0);
	};
	for (const match of text.matchAll(expression)) {
		const written = rewrite(match);
		if (written === undefined) continue;
		keep(match.index);
		parts.push(written);
		for (let index = 0; index < written.length; index++) places.push(at[match.index] ?? 0);
		from = match.index + match[0].length;
	}
	keep(text.length);
	places.push(at[text.length] ?? 0);
	return { text: parts.join(''), at: places };
}

/** `\ud83e\udd84`, `\u0041`, `\x41`, `%41`, `&#65;`, `&#x41;`, `&amp;` */
const CODED =
	/\\{1,4}u(d[89ab][\da-f]{2})\\{1,4}u(d[c-f][\da-f]{2})|\\{1,4}u([\da-f]{4})|\\{1,4}x([\da-f]{2})|%([\da-f]{2})|&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|lt|gt|quot|apos);/gi;
const NAMED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

function decoded(match: RegExpMatchArray): string | undefined {
	const [, high, low, unit, short, byte, decimal, hex, name] = match;
	const of = (digits: string) => Number.parseInt(digits, 16);
	if (high !== undefined && low !== undefined) return bytesOf(String.fromCharCode(of(high), of(low)));
	if (byte !== undefined) return String.fromCharCode(of(byte));
	if (name !== undefined) return NAMED.get(name.toLowerCase());
	const code = decimal === undefined ? of(unit ?? short ?? hex ?? '') : Number(decimal);
	return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : undefined;
}

type Range = [start: number, end: number];

function masked(original: string, searches: readonly Search[]): string {
	const ranges: Range[] = [];
	const characters = { text: original, at: Array.from({ length: original.length + 1 }, (_, index) => index) };
	let stream = traced(characters, /[^\0-\x7f]+/g, ([found]) => bytesOf(found));
	for (let decodings = 0; ; decodings++) {
		ranges.push(...found(stream, searches));
		const next = traced(stream, CODED, decoded);
		if (decodings === MAX_DECODINGS || next.text === stream.text) break;
		stream = next;
	}
	return ranges.length === 0 ? original : without(original, ranges);
}

function found(stream: Traced, searches: readonly Search[]): Range[] {
	const base64 = traced(stream, /\r?\n[ \t]*|[-_]/g, ([sign]) =>
		sign === '-' ? '+' : sign === '_' ? '/' : '',
	);
	const lower = { text: stream.text.toLowerCase(), at: stream.at };
	const hex = traced(lower, /[ :-]/g, () => '');
	return searches.flatMap((search) => [
		...search.plain.flatMap((text) => placesOf(text, stream)),
		...search.base64.flatMap((core) => placesOf(core, base64, /[\w+/=]/)),
		...placesOf(search.hex, hex),
	]);
}

/**
 * @param around adjacent characters that are hidden, too: an encoded secret shares characters with
 * its neighbors
 */
function placesOf(wanted: string, { text, at }: Traced, around?: RegExp): Range[] {
	const places: Range[] = [];
	for (let start = text.indexOf(wanted); start >= 0; ) {
		let from = start;
		let to = start + wanted.length;
		if (around) {
			while (from > 0 && around.test(text.charAt(from - 1))) from--;
			while (around.test(text.charAt(to))) to++;
		}
		places.push([at[from] ?? 0, at[to] ?? 0]);
		start = text.indexOf(wanted, to);
	}
	return places;
}

function without(text: string, ranges: Range[]): string {
	let output = '';
	let from = 0;
	for (const [start, end] of ranges.sort(([one], [other]) => one - other)) {
		// Overlapping matches are hidden together.
		if (start >= from) output += `${text.slice(from, start)}${MASK}`;
		from = Math.max(from, end);
	}
	return output + text.slice(from);
}

/** Hides the start of a secret at the end of a truncated text. */
function withoutCutEnd(text: string, secrets: readonly string[]): string {
	const end = text.length - (text.endsWith(' …') ? 2 : text.endsWith('…') ? 1 : 0);
	if (end === text.length) return text;
	const before = text.slice(0, end);
	for (const secret of secrets)
		for (let length = secret.length - 1; length >= MIN_LENGTH; length--)
			if (before.endsWith(secret.slice(0, length)))
				return `${before.slice(0, -length)}${MASK}${text.slice(end)}`;
	return text;
}

/** A parsed body with all its texts redacted, including the names of members. */
export function redactedValue(value: unknown, conceal: Redact): unknown {
	if (typeof value === 'string') return conceal(value);
	if (typeof value === 'number') return conceal(String(value)) === String(value) ? value : MASK;
	if (Array.isArray(value)) return value.map((item: unknown) => redactedValue(item, conceal));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [conceal(name), redactedValue(member, conceal)]),
	);
}
