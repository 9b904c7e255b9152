import { z } from 'zod/v4';
import { plainObject } from './jsonObject';
import { badRequest, ServiceError } from './errors';
import { checkValue, isComputed, mismatch, reasonOf, type Field, type Value } from './fieldTypes';

/** §2.7 */
export const layouts = ['field', 'indexed', 'key', 'keyAndField', 'property'] as const;
export type Layout = (typeof layouts)[number];

/** Values by field id, as they are stored. A field without a value may be missing. */
export type Values = Record<string, Value>;

/**
 * Members every read entity carries (§2.6); a client that
 * writes back what it read sends them along.
 */
const ownMembers = new Set(['_id', '_representation', '_links', '_embedded']);

/** Values by what the layout calls their fields. */
export const recordBody = plainObject;
const indexedBody = z.object({ fields: z.array(z.unknown()) });
/** The body of a write, in whatever layout. */
export const entityBody = z.union([indexedBody, recordBody]);

/** What the layout calls this field. */
function nameIn(layout: Layout, field: Field): string {
	if (layout === 'key' || layout === 'keyAndField') return field.key;
	return layout === 'property' ? field.name : field.id;
}

/** A reader of names in a layout, with the lookup table built once for a list of fields. */
function lookup(layout: Layout, fields: readonly Field[]): ReadonlyMap<string, Field> {
	const byName = new Map<string, Field>();
	if (layout === 'keyAndField') for (const field of fields) byName.set(field.id, field);
	for (const field of fields) byName.set(nameIn(layout, field), field);
	return byName;
}

/** How a body is read. */
export interface Reading {
	/** Values of computed fields, which may be sent back as they are. */
	readonly current?: Values;
	/**
	 * Says in errors nothing of the fields that the caller
	 * did not say: for those who may write, but not read.
	 */
	readonly discreet?: boolean;
}

/**
 * A value to write. A computed field takes only what it
 * already holds, so that a read entity can be written back.
 */
function checkWrite(field: Field, value: unknown, current: Values): Value | undefined {
	if (!isComputed(field)) return checkValue(field, value);
	if (value === null || JSON.stringify(value) === JSON.stringify(current[field.id] ?? null)) return undefined;
	throw mismatch(field, value, 'the service computes this value');
}

/**
 * The same, with errors that call the field as the caller did.
 * @param called the name of the field in the body
 */
function checkDiscreetly(field: Field, value: unknown, current: Values, called: string): Value | undefined {
	try {
		return checkWrite(field, value, current);
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		// The options of a field are part of what such a caller may not read.
		const why = field.type.options ? '' : `: ${reasonOf(error)}`;
		throw badRequest(`The value of ${called} does not fit its field${why}`);
	}
}

/**
 * Reads the body of a write (§2.7).
 * @returns the named values by field id; with `indexed` those of all fields
 * @throws ServiceError 400: not an indexed entity format, wrong number of values, unknown field,
 *   value against its type (§7)
 */
export function readBody(
	layout: Layout,
	fields: readonly Field[],
	body: unknown,
	{ current = {}, discreet = false }: Reading = {},
): Values {
	const values: Values = {};
	const names = new Map<string, string>();
	const put = (field: Field, value: unknown, called: string) => {
		// §2.7 keyAndField: by its key and by its id; one of the two values would be lost.
		const other = names.get(field.id);
		if (other !== undefined) throw badRequest(`${other} and ${called} are the same field`);
		names.set(field.id, called);
		const checked = discreet
			? checkDiscreetly(field, value, current, called)
			: checkWrite(field, value, current);
		if (checked !== undefined) values[field.id] = checked;
	};
	if (layout === 'indexed') {
		const given = readIndexed(fields, body, discreet);
		fields.forEach((field, index) => {
			put(field, given[index] ?? null, `number ${index + 1}`);
		});
		return values;
	}
	const parsed = recordBody.safeParse(body);
	if (!parsed.success) throw badRequest('The body must be an object of values');
	const byName = lookup(layout, fields);
	for (const [name, value] of Object.entries(parsed.data)) {
		const field = byName.get(name);
		if (field) put(field, value, `"${name}"`);
		else if (!ownMembers.has(name)) {
			const known = discreet ? '' : `; known: ${[...byName.keys()].join(', ')}`;
			throw badRequest(`Unknown field "${name}" in layout ${layout}${known}`, { unknown: name, layout });
		}
	}
	return values;
}

function readIndexed(fields: readonly Field[], body: unknown, discreet: boolean): unknown[] {
	const parsed = indexedBody.safeParse(body);
	const strangers = Object.keys(recordBody.safeParse(body).data ?? {}).filter(
		(name) => name !== 'fields' && !ownMembers.has(name),
	);
	if (!parsed.success || strangers.length > 0)
		throw badRequest('Not an indexed entity format: expected { "fields": [value, …] }');
	const given = parsed.data.fields;
	if (given.length === fields.length) return given;
	if (discreet) throw badRequest('Wrong number of values: expected one for each field of the grid');
	throw badRequest(
		`Wrong number of values: expected ${fields.length}, one for each field of the grid, got ${given.length}`,
		{ expected: fields.map((field) => field.name), got: given.length },
	);
}

/** Shows values in a layout; every field of the list is there, empty ones as null. */
export function writeValues(layout: Layout, fields: readonly Field[], values: Values): Record<string, Value> {
	if (layout === 'indexed') return { fields: fields.map((field) => values[field.id] ?? null) };
	const shown: Record<string, Value> = {};
	for (const field of fields) shown[nameIn(layout, field)] = values[field.id] ?? null;
	return shown;
}
