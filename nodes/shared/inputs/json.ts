import { z } from 'zod/v4';
import { InvalidInput, jsonObjectOr, parseJson } from '../../../client';
import { parameter, type Shown } from './parameter';

/**
 * Parses a text as JSON; returns anything else unchanged, because an expression may return an
 * object.
 * @throws InvalidInput for a member named `__proto__`
 */
export function jsonOrText(raw: unknown): unknown {
	if (typeof raw !== 'string') return raw;
	const json = parseJson(raw);
	if (!('value' in json)) return raw;
	if (json.omitsProto) throw new InvalidInput(...PROTO_REFUSED);
	return json.value;
}

/** n8n loses such a member when it copies an item; without it, a filter would meet more rows. */
export const PROTO_REFUSED = [
	'The JSON has a member named "__proto__", which n8n cannot keep',
	'Name the column by its key or ID.',
] as const;

const blank = (raw: unknown) => raw === null || (typeof raw === 'string' && raw.trim() === '');

const object = jsonObjectOr('it is not a JSON object');

/** A JSON object or its text; undefined if empty. */
export const jsonObject = z.preprocess(
	(raw) => (blank(raw) ? undefined : jsonOrText(raw)),
	object.optional(),
);

/** An input for a JSON object; its value is undefined if it is empty. */
export const jsonInput = (shown: Shown) => parameter({ ...shown, type: 'json', default: '' }, jsonObject);

/** An input for values by the names of their columns. */
export const jsonValues = (shown: Shown) =>
	parameter({ ...shown, type: 'json', default: '{}', required: true }, z.preprocess(jsonOrText, object));

/** A JSON list or its text; empty if nothing was entered. @param item schema of its elements */
export function jsonList<Item extends z.ZodType>(item: Item) {
	return z.preprocess(
		(raw) => (blank(raw) ? [] : jsonOrText(raw)),
		z.array(item, { error: 'it is not a JSON list' }),
	);
}
