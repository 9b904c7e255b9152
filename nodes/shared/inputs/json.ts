import { z } from 'zod/v4';
import { jsonObjectOr, jsonOf } from '../../../client';

/**
 * Parses a text as JSON; returns anything else unchanged, because an expression may return an
 * object.
 */
export const jsonOrText = (raw: unknown): unknown => (typeof raw === 'string' ? (jsonOf(raw) ?? raw) : raw);

const blank = (raw: unknown) => raw === null || (typeof raw === 'string' && raw.trim() === '');

/** A JSON object or its text; undefined if empty. */
export const jsonObject = z.preprocess(
	(raw) => (blank(raw) ? undefined : jsonOrText(raw)),
	jsonObjectOr('it is not a JSON object').optional(),
);

/** A JSON list or its text; empty if nothing was entered. @param item schema of its elements */
export function jsonList<Item extends z.ZodType>(item: Item) {
	return z.preprocess(
		(raw) => (blank(raw) ? [] : jsonOrText(raw)),
		z.array(item, { error: 'it is not a JSON list' }),
	);
}
