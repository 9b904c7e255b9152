import { z } from 'zod/v4';
import { isJsonObject, jsonObject } from '../formats/json';
import { linksIn, type Links } from '../hal/links';

/**
 * §2.6: an entity's keys depend on the layout, so every member other than `_id`, `_representation`
 * and `_links` is a value. Validating each member would take longer than parsing the JSON.
 */
export const entitySchema = jsonObject.transform((raw, context) => entityIn(raw, context, []));

/** A list of entities, checked without a schema per row, which would be slow for thousands. */
export const entitiesSchema = z
	.custom<unknown[]>(Array.isArray, 'expected a list')
	.transform((list, context) => list.map((raw, index) => entityIn(raw, context, [index])));

function entityIn(raw: unknown, { issues }: z.RefinementCtx, path: number[]): Entity {
	// An id may be a number, as in the other resources.
	if (isJsonObject(raw) && Number.isInteger(raw['_id'])) raw['_id'] = String(raw['_id']);
	const { _id: id, _representation: representation } = isJsonObject(raw) ? raw : {};
	const hasId = typeof id === 'string' && id !== '';
	const isNamed = representation === undefined || typeof representation === 'string';
	// Changes the parsed JSON in place, because copies of thousands of rows would burden the heap.
	if (isJsonObject(raw) && hasId && isNamed) {
		raw['_links'] = linksIn(raw['_links']);
		if (isEntity(raw)) return raw;
	}
	const [message, member] = isJsonObject(raw)
		? ['expected a text', [hasId ? '_representation' : '_id']]
		: ['expected an object', []];
	issues.push({ code: 'custom', message, path: [...path, ...member], input: raw });
	return z.NEVER;
}

/** For the compiler: states what `entityIn` has checked. */
const isEntity = (raw: Record<string, unknown>): raw is Entity => '_links' in raw;

export interface Entity {
	[member: string]: unknown;
	_id: string;
	_representation?: string | undefined;
	_links: Links;
}
