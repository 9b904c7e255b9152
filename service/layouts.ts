import { z } from 'zod/v4';
import { jsonObject } from './jsonObject';
import { badRequest } from './errors';
import { checkValue, isComputed, mismatch, type Field, type Value } from './fieldTypes';

/** §2.7 */
export const layouts = ['field', 'indexed', 'key', 'keyAndField', 'property'] as const;
export type Layout = (typeof layouts)[number];

/** Values by field id, as they are stored. A field without a value may be missing. */
export type Values = Record<string, Value>;

/** Members every read entity carries (§2.6); a client that writes back what it read sends them along. */
const ownMembers = new Set(['_id', '_representation', '_links', '_embedded']);

/** Values by what the layout calls their fields. */
export const recordBody = jsonObject;
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

/** A value to write. A computed field takes only what it already holds, so that a read entity can be written back. */
function checkWrite(field: Field, value: unknown, current: Values): Value | undefined {
	if (!isComputed(field)) return checkValue(field, value);
	if (value === null || JSON.stringify(value) === JSON.stringify(current[field.id] ?? null)) return undefined;
	throw mismatch(field, value, 'the service computes this value');
}

/**
 * Reads the body of a write (§2.7).
 * @param current values of computed fields, which may be sent back as they are
 * @returns the named values by field id; with `indexed` those of all fields
 * @throws ServiceError 400: not an indexed entity format, wrong number of values, unknown field, value against its type (§7)
 */
export function readBody(
	layout: Layout,
	fields: readonly Field[],
	body: unknown,
	current: Values = {},
): Values {
	const values: Values = {};
	const put = (field: Field, value: unknown) => {
		const checked = checkWrite(field, value, current);
		if (checked !== undefined) values[field.id] = checked;
	};
	if (layout === 'indexed') {
		const given = readIndexed(fields, body);
		fields.forEach((field, index) => {
			put(field, given[index] ?? null);
		});
		return values;
	}
	const parsed = recordBody.safeParse(body);
	if (!parsed.success) throw badRequest('The body must be an object of values');
	const byName = lookup(layout, fields);
	for (const [name, value] of Object.entries(parsed.data)) {
		const field = byName.get(name);
		if (field) put(field, value);
		else if (!ownMembers.has(name)) {
			const known = [...byName.keys()].join(', ');
			throw badRequest(`Unknown field "${name}" in layout ${layout}; known: ${known}`, {
				unknown: name,
				layout,
			});
		}
	}
	return values;
}

function readIndexed(fields: readonly Field[], body: unknown): unknown[] {
	const parsed = indexedBody.safeParse(body);
	if (!parsed.success) throw badRequest('Not an indexed entity format: expected { "fields": [value, …] }');
	const given = parsed.data.fields;
	if (given.length !== fields.length) {
		throw badRequest(
			`Wrong number of values: expected ${fields.length}, one for each field of the grid, got ${given.length}`,
			{
				expected: fields.map((field) => field.name),
				got: given.length,
			},
		);
	}
	return given;
}

/** Shows values in a layout; every field of the list is there, empty ones as null. */
export function writeValues(layout: Layout, fields: readonly Field[], values: Values): Record<string, Value> {
	if (layout === 'indexed') return { fields: fields.map((field) => values[field.id] ?? null) };
	const shown: Record<string, Value> = {};
	for (const field of fields) shown[nameIn(layout, field)] = values[field.id] ?? null;
	return shown;
}
