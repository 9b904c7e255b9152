import { z } from 'zod/v4';
import { LIMITS } from './limits';

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

/**
 * A text as comparisons of cells regard it: with composed letters (Unicode NFC), whatever spelling
 * was written. One that the database cannot pass to functions stays.
 */
export const composed = (text: string): string => (isStorable(text) ? text.normalize('NFC') : text);

/** A text as searches regard it: also in lower case. */
export const folded = (text: string): string => composed(composed(text).toLowerCase());

/** Schema of text for a database column. @param maxLength in characters */
export const columnText = (maxLength: number) =>
	z
		.string()
		.refine((text) => isAtMost(text, maxLength), `has more than ${maxLength} characters`)
		.refine(isStorable, 'contains NUL or a lone surrogate')
		.meta({ maxLength });

/** A name in the form in which `nameText` reads and stores it. */
export const fieldName = (text: string): string => text.trim().normalize('NFC');

/** A name or a key (§8): trimmed, composed (NFC), never empty. @param maxLength in characters */
export const nameText = (maxLength: number) =>
	z
		.string()
		.trim()
		.normalize('NFC')
		.min(1)
		.refine((text) => isAtMost(text, maxLength), `has more than ${maxLength} characters`)
		.refine(isStorable, 'contains NUL or a lone surrogate')
		.meta({ maxLength });

/** Control and format characters, which show nothing or reorder what is shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The name of a person, in any script. */
export const personName = nameText(LIMITS.loginLength).refine(
	(text) => !INVISIBLE.test(text),
	'contains a control or format character',
);

/** Names that people take for the same have the same form. */
export const foldedName = (name: string): string =>
	name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** An email address. */
export const emailText = z.email('expected an email address').max(LIMITS.emailLength);

/** The first free name of "Orders view", "Orders view 2" …, truncated to the length of a name. */
export function freeName(stem: string, ending: string, isTaken: (candidate: string) => boolean): string {
	for (let n = 1; ; n++) {
		const tail = n === 1 ? ending : `${ending} ${n}`;
		const candidate = firstCharacters(stem, LIMITS.nameLength - lengthOf(tail)) + tail;
		if (!isTaken(candidate)) return candidate;
	}
}

/**
 * Names for the columns of a header: repeated names are numbered, nameless columns are called
 * "Column 3", neither like another column. Names that differ in case only are numbered together,
 * unless none is repeated.
 */
export function uniqueNames(given: readonly string[]): string[] {
	const folded = (name: string) => name.toLowerCase();
	const repeated = new Set(given.filter((name, index) => given.indexOf(name) !== index).map(folded));
	const taken = new Set(given.map(folded));
	const counts = new Map<string, number>();
	const numbered = (name: string, first: number) => {
		for (let n = first; ; n++) {
			const candidate = n === 1 ? name : `${name} ${n}`;
			if (taken.has(folded(candidate))) continue;
			taken.add(folded(candidate));
			return candidate;
		}
	};
	return given.map((name, index) => {
		if (name === '') return numbered(`Column ${index + 1}`, 1);
		const count = (counts.get(folded(name)) ?? 0) + 1;
		counts.set(folded(name), count);
		return count > 1 && repeated.has(folded(name)) ? numbered(name, count) : name;
	});
}
