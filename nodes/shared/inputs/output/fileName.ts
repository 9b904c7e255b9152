/** Most file systems refuse longer names. */
export const MAX_NAME_LENGTH = 255;
/** Maximum number of characters read of a name from the service. */
const MAX_READ_LENGTH = 2000;

/** Control characters, line breaks and bidirectional marks, which can hide an extension. */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Converts a text to a file name that is valid on every system and contains no folder. */
export function safeFileName(text: string): string {
	const name = text
		.slice(0, MAX_READ_LENGTH)
		.replace(INVISIBLE, ' ')
		.replace(/[/\\:*?"<>|]/g, '_')
		.replace(/^[.\s]+|[.\s]+$/g, '')
		.slice(0, MAX_NAME_LENGTH);
	return name === '' || name === 'csv' ? 'export.csv' : name;
}
