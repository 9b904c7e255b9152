/**
 * Distinguishes a secret from an ordinary word: it contains a digit, a special character, or a
 * capital letter after a small one.
 */
const LOOKS_SECRET = String.raw`(?=\S{0,200}(?:\d|=|[~+/]\w|[a-z][A-Z]))`;
const AUTHORIZATION = new RegExp(
	String.raw`\b((?:[Bb]earer|BEARER)(?:\s|%20)+|(?:[Bb]asic|[Kk]ey|BASIC|KEY)(?:\s|%20)+${LOOKS_SECRET})[A-Za-z0-9._~+/=-]{6,}`,
	'g',
);

/** Hides secrets that a service or proxy may echo: `Basic …`, `Bearer …`, passwords in URLs. */
export function redact(text: string): string {
	return text
		.replace(AUTHORIZATION, '$1***')
		.replace(/(https?:\/\/)[^/\s@]+@/gi, '$1***@')
		.replace(/("?(?:secret|password|access_?token|api_?key)"?\s*[:=]\s*)"?[^\s",}]+"?/gi, '$1***');
}

/** Number of characters of a text that are redacted before it is cut. */
const MAX_READ_LENGTH = 65_536;
/**
 * Maximum length of an encoded secret; a secret that is cut off at the end would not be recognized.
 */
const MAX_SECRET_LENGTH = 16_384;

/**
 * The beginning of a text, redacted before it is cut, because a part of a secret would not be
 * recognized.
 * @param length maximum, in characters
 */
export function truncated(text: string, length: number, conceal: (text: string) => string = redact): string {
	const shown = conceal(text.slice(0, MAX_READ_LENGTH));
	return (text.length > MAX_READ_LENGTH ? shown.slice(0, -MAX_SECRET_LENGTH) : shown).slice(0, length);
}

/** Like `truncated`, on one line. */
export function excerptOf(text: string, length: number, conceal: (text: string) => string = redact): string {
	const onOneLine = (shown: string) => conceal(shown).replace(/\s+/g, ' ').trim();
	return truncated(text, length, onOneLine);
}
