import { z } from 'zod/v4';
import { plainObject } from './jsonObject';
import { badRequest, ServiceError } from './errors';
import { fieldName } from './text';
import { checkValue, isComputed, mismatch, reasonOf, type Field, type Value } from './fieldTypes';

/** §2.7 */
export const layouts = ['field', 'indexed', 'key', 'keyAndField', 'property'] as const;
export type Layout = (typeof layouts)[number];

/** Stored values by field ID. Fields without a value may be missing. */
export type Values = Record<string, Value>;

/** Members of every entity that is read (§2.6), ignored if a client sends them back. */
const reservedMembers = new Set(['_id', '_representation', '_links', '_embedded']);

/** Values by the field names of the layout. */
export const recordBody = plainObject;
const indexedBody = z.object({ fields: z.array(z.unknown()) });
/** The body of a write, in any layout. */
export const entityBody = z.union([indexedBody, recordBody]);

/** Name of a field in a layout. */
function nameIn(layout: Layout, field: Field): string {
	if (layout === 'key' || layout === 'keyAndField') return field.key;
	return layout === 'property' ? field.name : field.id;
}

/** Fields by their names in a layout. */
function lookup(layout: Layout, fields: readonly Field[]): ReadonlyMap<string, Field> {
	const byName = new Map<string, Field>();
	if (layout === 'keyAndField') for (const field of fields) byName.set(field.id, field);
	for (const field of fields) byName.set(nameIn(layout, field), field);
	return byName;
}

/** Options for reading a body. */
export interface ReadOptions {
	/** Current values of computed fields, which may be sent back unchanged. */
	readonly current?: Values;
	/**
	 * Whether errors must not reveal fields that the caller did not send: for callers that may
	 * write but not read.
	 */
	readonly hideFields?: boolean;
}

/**
 * Validates a value to write. Computed fields accept only their current value, so that an entity
 * can be written back as it was read.
 */
function checkWrite(field: Field, value: unknown, current: Values): Value | undefined {
	if (!isComputed(field)) return checkValue(field, value);
	if (value === null || JSON.stringify(value) === JSON.stringify(current[field.id] ?? null)) return undefined;
	throw mismatch(field, value, 'the service computes this value');
}

/**
 * Like `checkWrite`, with errors that name the field as the caller did.
 * @param nameInBody name of the field in the body
 */
function checkWithHiddenFields(
	field: Field,
	value: unknown,
	current: Values,
	nameInBody: string,
): Value | undefined {
	try {
		return checkWrite(field, value, current);
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		// Such a caller may not read the options of a field.
		const why = field.type.options ? '' : `: ${reasonOf(error)}`;
		throw badRequest(`The value of ${nameInBody} does not fit its field${why}`);
	}
}

/**
 * Parses the body of a write (§2.7).
 * @returns values by field ID; with `indexed` those of all fields
 * @throws ServiceError 400: not an indexed entity format, wrong number of values, unknown field,
 *   value against its type (§7)
 */
export function readBody(
	layout: Layout,
	fields: readonly Field[],
	body: unknown,
	{ current = {}, hideFields = false }: ReadOptions = {},
): Values {
	const values: Values = {};
	const names = new Map<string, string>();
	const put = (field: Field, value: unknown, nameInBody: string) => {
		// §2.7 keyAndField: named by both key and ID, so one of the values would be lost.
		const other = names.get(field.id);
		if (other !== undefined) throw badRequest(`${other} and ${nameInBody} name the same field`);
		names.set(field.id, nameInBody);
		const checked = hideFields
			? checkWithHiddenFields(field, value, current, nameInBody)
			: checkWrite(field, value, current);
		if (checked !== undefined) values[field.id] = checked;
	};
	if (layout === 'indexed') {
		const given = readIndexed(fields, body, hideFields);
		fields.forEach((field, index) => {
			put(field, given[index] ?? null, `number ${index + 1}`);
		});
		return values;
	}
	const parsed = recordBody.safeParse(body);
	if (!parsed.success) throw badRequest('The body must be an object of values');
	const byName = lookup(layout, fields);
	for (const [name, value] of Object.entries(parsed.data)) {
		const field = byName.get(name) ?? (layout === 'property' ? byName.get(fieldName(name)) : undefined);
		if (field) put(field, value, `"${name}"`);
		else if (!reservedMembers.has(name)) {
			const known = hideFields ? '' : `; known: ${[...byName.keys()].join(', ')}`;
			throw badRequest(`Unknown field "${name}" in layout ${layout}${known}`, { unknown: name, layout });
		}
	}
	return values;
}

function readIndexed(fields: readonly Field[], body: unknown, hideFields: boolean): unknown[] {
	const parsed = indexedBody.safeParse(body);
	const otherMembers = Object.keys(recordBody.safeParse(body).data ?? {}).filter(
		(name) => name !== 'fields' && !reservedMembers.has(name),
	);
	if (!parsed.success || otherMembers.length > 0)
		throw badRequest('Not an indexed entity format: expected { "fields": [value, …] }');
	const given = parsed.data.fields;
	if (given.length === fields.length) return given;
	if (hideFields) throw badRequest('Wrong number of values: expected one for each field of the grid');
	throw badRequest(
		`Wrong number of values: expected ${fields.length}, one for each field of the grid, got ${given.length}`,
		{ expected: fields.map((field) => field.name), got: given.length },
	);
}

/** Values in a layout, with null for empty fields. */
export function writeValues(layout: Layout, fields: readonly Field[], values: Values): Record<string, Value> {
	if (layout === 'indexed') return { fields: fields.map((field) => values[field.id] ?? null) };
	const shown: Record<string, Value> = {};
	for (const field of fields) shown[nameIn(layout, field)] = values[field.id] ?? null;
	return shown;
}
