/** Longer names are refused by most file systems. */
export const MAX_NAME_LENGTH = 255;
/** In characters, of a name that a service may have made of any length. */
const MAX_READ_LENGTH = 2000;

/**
 * Control characters, line breaks, and signs that turn the direction of reading, which make
 * `gpj.exe` look like a picture.
 */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * A name that is one file in one folder on every system,
 * whatever the name of a grid or an expression holds.
 */
export function safeFileName(text: string): string {
	const name = text
		.slice(0, MAX_READ_LENGTH)
		.replace(INVISIBLE, ' ')
		.replace(/[/\\:*?"<>|]/g, '_')
		.replace(/^[.\s]+|[.\s]+$/g, '')
		.slice(0, MAX_NAME_LENGTH);
	return name === '' || name === 'csv' ? 'export.csv' : name;
}
