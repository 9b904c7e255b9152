/** After a word of the language, tells a secret from a further word: somewhere in it is a digit, a sign, or a capital within. */
const LOOKS_SECRET = String.raw`(?=\S*(?:\d|=|[~+/]\w|[a-z][A-Z]))`;
const AUTHORIZATION = new RegExp(
	String.raw`\b((?:[Bb]earer|BEARER)(?:\s|%20)+|(?:[Bb]asic|[Kk]ey|BASIC|KEY)(?:\s|%20)+${LOOKS_SECRET})[A-Za-z0-9._~+/=-]{6,}`,
	'g',
);

/** Hides what an echoing service or proxy may have put into its words: `Basic …`, `Bearer …`, passwords in URLs. */
export function redact(text: string): string {
	return text
		.replace(AUTHORIZATION, '$1***')
		.replace(/(https?:\/\/)[^/\s@]+@/gi, '$1***@')
		.replace(/("?(?:secret|password|access_?token|api_?key)"?\s*[:=]\s*)"?[^\s",}]+"?/gi, '$1***');
}

/**
 * How a text begins, redacted, on one line.
 * @param length characters at most
 */
export function excerptOf(text: string, length: number): string {
	// Redacted before it is cut: what is left of a secret that was cut looks like a word.
	return redact(text.slice(0, 2 * length))
		.replace(/\s+/g, ' ')
		.trim()
		.slice(0, length);
}
