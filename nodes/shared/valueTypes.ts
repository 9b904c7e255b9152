import { z } from 'zod/v4';
import type { Field } from '../../client/fields';
import { isJsonObject } from '../../client/json';

/** The types of §2.5 that can be written. The list is open: a service may have more. */
const KNOWN_TYPES = new Set([
	'string',
	'richText',
	'integer',
	'decimal',
	'currency',
	'boolean',
	'date',
	'date-time',
	'enum',
	'enumcollection',
	'stringcollection',
	'email',
	'phoneNumber',
	'uri',
	'address',
	'geolocation',
	'attachments',
	'signature',
	'user',
	'reference',
	'references',
	'resource',
]);

/** What JSON schema calls types and formats, in the words of §2.5. */
const BY_FORMAT = new Map(
	Object.entries({ date: 'date', 'date-time': 'date-time', email: 'email', uri: 'uri' }),
);
const BY_SCHEMA = new Map(
	Object.entries({
		string: 'string',
		number: 'decimal',
		integer: 'integer',
		boolean: 'boolean',
		array: 'list',
		object: 'object',
	}),
);

const typeNames = z.union([z.string().transform((name) => [name]), z.array(z.string())]);
const schemaSchema = z.looseObject({
	type: typeNames.optional().catch(undefined),
	format: z.string().optional().catch(undefined),
});

const known = new WeakMap<Field, string>();

/**
 * The type that decides how a field's values are written and compared: its own where §2.5 has it, else what the schema of its value
 * says (`list` and `object` for JSON), else its own name.
 */
export function valueTypeOf(field: Field): string {
	const { name } = field.type;
	if (KNOWN_TYPES.has(name)) return name;
	const found = known.get(field) ?? inferred(field) ?? name;
	known.set(field, found);
	return found;
}

function inferred({ type, schema }: Field): string | undefined {
	const { type: types = [], format = '' } = schemaSchema.safeParse(schema).data ?? {};
	const told = types.filter((one) => one !== 'null');
	if (told.length > 1) return undefined;
	return BY_FORMAT.get(format) ?? BY_SCHEMA.get(told[0] ?? type.name);
}

/** Whether JSON writes a value as it is: it turns NaN and Infinity into null, and leaves functions out. */
export function isJson(value: unknown): boolean {
	if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
	if (typeof value === 'number') return Number.isFinite(value);
	if (Array.isArray(value)) return value.every(isJson);
	if (!isJsonObject(value)) return false;
	if (typeof value['toJSON'] === 'function') return isJson(JSON.parse(JSON.stringify(value) ?? 'null'));
	return Object.values(value).every((member) => member === undefined || isJson(member));
}
