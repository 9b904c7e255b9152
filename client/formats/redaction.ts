export type Redact = (text: string) => string;

const MASK = '***';
/** Shorter values also occur in ordinary texts. */
const MIN_LENGTH = 4;

/**
 * Removes the values of a credential, and what looks like one: as it is, in a JSON text, in a URL,
 * and as Base64, e.g. of `key:secret` in a header.
 */
export function redactorOf(values: readonly string[]): Redact {
	const secrets = [...new Set(values)].filter(({ length }) => length >= MIN_LENGTH);
	if (secrets.length === 0) return redact;
	// The longest first: a secret may contain another one.
	const forms = [...new Set(secrets.flatMap(formsOf))].sort((one, other) => other.length - one.length);
	const expression = new RegExp(forms.map(patternOf).join('|'), 'g');
	return (text) => redact(text.replace(expression, MASK));
}

const encoder = new TextEncoder();

function formsOf(secret: string): string[] {
	const base64 = btoa(String.fromCharCode(...encoder.encode(secret)));
	return [secret, JSON.stringify(secret).slice(1, -1), base64];
}

/** Matches a text, also if some of its characters are percent-encoded. */
const patternOf = (text: string): string =>
	text.replace(/[^\w]/gu, (character) => {
		const codes = [...encoder.encode(character)].map((byte) => byte.toString(16).padStart(2, '0'));
		const encoded = codes.map((code) => `%(?:${code}|${code.toUpperCase()})`).join('');
		const plain = character === ' ' ? '[ +]' : character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
		return `(?:${encoded}|${plain})`;
	});

/** Tells a secret from a word: a digit, a special character, or a capital after a small letter. */
const LOOKS_SECRET = String.raw`(?=\S{0,200}(?:\d|=|[~+/]\w|[a-z][A-Z]))`;
const AUTHORIZATION = new RegExp(
	String.raw`\b((?:[Bb]earer|BEARER)(?:\s|%20)+|(?:[Bb]asic|[Kk]ey|BASIC|KEY)(?:\s|%20)+${LOOKS_SECRET})[A-Za-z0-9._~+/=-]{6,}`,
	'g',
);

/** A named secret; a word after a colon without quotation marks may belong to a sentence. */
const NAMED =
	/("?(?:secret|password|access_?token|api_?key)(?:"\s*[:=]|\s*=|\s*:(?!\s*\p{L}+[.,;:!?]*(?:\s|$)))\s*)"?[^\s",}]+"?/giu;

/** Hides secrets that a service or proxy may echo: `Basic …`, `Bearer …`, passwords in URLs. */
export function redact(text: string): string {
	return text
		.replace(AUTHORIZATION, `$1${MASK}`)
		.replace(/(https?:\/\/)[^/\s@]+@/gi, `$1${MASK}@`)
		.replace(NAMED, `$1${MASK}`);
}

/** Number of characters of a text that are redacted before it is cut. */
const MAX_READ_LENGTH = 65_536;
/** Maximum length of an encoded secret; one that is cut off at the end would not be recognized. */
const MAX_SECRET_LENGTH = 16_384;

/**
 * The beginning of a text, redacted before it is cut, because a part of a secret would not be
 * recognized.
 * @param length maximum, in characters
 */
export function truncated(text: string, length: number, conceal: Redact = redact): string {
	const shown = conceal(text.slice(0, MAX_READ_LENGTH));
	return (text.length > MAX_READ_LENGTH ? shown.slice(0, -MAX_SECRET_LENGTH) : shown).slice(0, length);
}

/** Like `truncated`, on one line. */
export const excerptOf = (text: string, length: number, conceal: Redact = redact): string =>
	truncated(text, length, (part) => conceal(part).replace(/\s+/g, ' ').trim());

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
