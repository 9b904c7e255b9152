import { z } from 'zod/v4';

/** Number of characters (code points), as JSON Schema counts them in `maxLength`. */
export const lengthOf = (text: string): number => Array.from(text).length;

/** Whether a text has at most this many characters (code points). */
export const isAtMost = (text: string, maxLength: number): boolean =>
	text.length <= maxLength || (text.length <= 2 * maxLength && lengthOf(text) <= maxLength);

/** The first characters of a text, without splitting surrogate pairs. */
const firstCharacters = (text: string, count: number): string => Array.from(text).slice(0, count).join('');

/** SQLite truncates a text at NUL and replaces lone surrogates. */
const CHANGED_BY_STORAGE = /\0|\p{Surrogate}/u;

/** Whether a database column stores this text unchanged. */
export const isStorable = (text: string): boolean => !CHANGED_BY_STORAGE.test(text);

/** Schema of text for a database column. @param maxLength in characters */
export const columnText = (maxLength: number) =>
	z
		.string()
		.refine((text) => isAtMost(text, maxLength), `has more than ${maxLength} characters`)
		.refine(isStorable, 'contains NUL or a lone surrogate')
		.meta({ maxLength });

/** A name or a key (§8): trimmed, never empty. @param maxLength in characters */
export const nameText = (maxLength: number) =>
	z
		.string()
		.trim()
		.min(1)
		.refine((text) => isAtMost(text, maxLength), `has more than ${maxLength} characters`)
		.refine(isStorable, 'contains NUL or a lone surrogate')
		.meta({ maxLength });

/** Text of any length that a database column stores unchanged. */
export const storableText = z.string().refine(isStorable, 'contains NUL or a lone surrogate');

/** Names of spaces and grids, in characters (§8). */
export const MAX_NAME_LENGTH = 80;
/** Keys of spaces and grids, in characters (§8). */
export const MAX_KEY_LENGTH = 25;

/** Names and texts without a limit in §8, in characters. */
export const MAX_TEXT_LENGTH = 1000;

/** The first free name of "Orders view", "Orders view 2" …, truncated to the length of a name. */
export function freeName(stem: string, ending: string, isTaken: (candidate: string) => boolean): string {
	for (let n = 1; ; n++) {
		const tail = n === 1 ? ending : `${ending} ${n}`;
		const candidate = firstCharacters(stem, MAX_NAME_LENGTH - lengthOf(tail)) + tail;
		if (!isTaken(candidate)) return candidate;
	}
}
