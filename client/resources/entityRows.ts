import { z } from 'zod/v4';
import { isJsonObject, jsonObject } from '../formats/json';
import { linksIn, type Links } from '../hal/links';
import type { PagedShape } from '../lists/page';
import { parseResponse, unknownOutcome, type ServiceResponse } from '../session/responses';

/**
 * §2.6: an entity's keys depend on the layout, so every member other than `_id`, `_representation`
 * and `_links` is a value. Validating each member would take longer than parsing the JSON.
 */
export const entitySchema = jsonObject.transform((raw, context) => entityIn(raw, context, []));

/** Pages of entities, checked without a schema per row, which would be slow for thousands. */
export const entityPages: PagedShape<Entity> = {
	items: z
		.custom<unknown[]>(Array.isArray, 'expected a list')
		.transform((list, context) => list.map((raw, index) => entityIn(raw, context, [index]))),
	mayBeBare: false,
	isOfRows: true,
};

/** Changes the parsed JSON in place, because copies of thousands of rows would burden the heap. */
function entityIn(raw: unknown, { issues }: z.RefinementCtx, path: number[]): Entity {
	if (!isJsonObject(raw)) {
		issues.push({ code: 'custom', message: 'expected an object', path, input: raw });
		return z.NEVER;
	}
	if (isIdentified(raw)) return Object.assign(raw, { _links: linksIn(raw['_links']) });
	const member = isId(raw['_id']) ? '_representation' : '_id';
	issues.push({ code: 'custom', message: 'expected a text', path: [...path, member], input: raw });
	return z.NEVER;
}

/** Values by the layout's keys. */
export type Values = Record<string, unknown>;

type Identified = Record<string, unknown> & Pick<Entity, '_id' | '_representation'>;

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isIdentified(raw: Record<string, unknown>): raw is Identified {
	const { _id: id, _representation: representation } = raw;
	return isId(id) && (representation === undefined || typeof representation === 'string');
}

export interface Entity {
	[member: string]: unknown;
	_id: string;
	_representation?: string | undefined;
	_links: Links;
}

/**
 * The row in its new state, which is the response to an update (§4.5); after 204, it is read.
 * @throws OutcomeUnknown for another status or another body
 */
export async function rowAfter(answer: ServiceResponse, read: () => Promise<Entity>): Promise<Entity> {
	if (answer.status === 204) return await read();
	if (answer.status !== 200) throw unknownOutcome(answer, '200');
	return parseResponse(entitySchema, answer);
}
