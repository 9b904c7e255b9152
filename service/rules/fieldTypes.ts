import { z } from 'zod/v4';
import { LIMITS } from './limits';
import { badRequest, type ServiceError } from './errors';
import { fieldTypeNames, traitsOf, type FieldTypeName } from './fieldTypeNames';
import { listOf } from './jsonObject';
import { conversionCandidates } from './conversionCandidates';
import { emailText, isAtMost } from './text';
import { storedTime } from './times';

/** The value of a cell. Empty cells are null. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

const optionSchema = z.union([
	z.string().min(1),
	z.looseObject({ value: z.string().min(1), label: z.string().optional(), color: z.string().optional() }),
]);

/**
 * Type of a field: a name of §2.5 and further properties, of which this service uses only
 * `options`.
 */
export const fieldTypeSchema = z.looseObject({
	name: z.enum(fieldTypeNames),
	options: listOf(optionSchema).optional(),
});
export type FieldType = z.infer<typeof fieldTypeSchema>;

/** A field (column) of a grid (§2.5). */
export interface Field {
	readonly id: string;
	readonly name: string;
	readonly key: string;
	readonly description: string | null;
	readonly type: FieldType;
	/** How the rows that it links to are named, for callers who may read these rows. */
	readonly linkedNames?: () => LinkedNames;
}

/** By the number of each grid whose rows may be linked: the ID of the field that names them. */
export type LinkedNames = ReadonlyMap<number, string>;

/** Text of a cell. @param maxLength in characters */
const cellText = (maxLength: number) =>
	z
		.string()
		.refine((value) => isAtMost(value, maxLength), `has more than ${maxLength} characters`)
		.meta({ maxLength });
const text = cellText(LIMITS.cellLength);
const geolocation = z.strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) });
const address = z.strictObject({
	line1: text.nullable().optional(),
	line2: text.nullable().optional(),
	city: text.nullable().optional(),
	state: text.nullable().optional(),
	country: text.nullable().optional(),
	postCode: text.nullable().optional(),
	geoLocation: geolocation.nullable().optional(),
});
const uri = z
	.string()
	.refine((value) => isAtMost(value, LIMITS.uriLength), `has more than ${LIMITS.uriLength} characters`)
	.refine((value) => URL.canParse(value), 'expected an absolute URI')
	.meta({ format: 'uri', maxLength: LIMITS.uriLength });
const attachment = z.strictObject({
	name: text,
	url: text,
	type: text.nullable().optional(),
	largeThumbnail: text.nullable().optional(),
	smallThumbnail: text.nullable().optional(),
});
const reference = z.union(
	[text.min(1).transform((value) => ({ uri: value })), z.strictObject({ uri: text.min(1) })],
	'expected an address',
);
const resource = z.union(
	[text.min(1).transform((value) => ({ href: value })), z.strictObject({ href: text.min(1) })],
	'expected an address',
);

const schemas: Record<
	Exclude<FieldTypeName, 'enum' | 'enumcollection' | 'createdby' | 'createdat' | 'lookup' | 'formula'>,
	z.ZodType
> = {
	string: text,
	richText: cellText(LIMITS.longCellLength),
	integer: z.int(),
	decimal: z.number(),
	currency: z.number(),
	boolean: z.boolean(),
	date: z.iso.date('expected a date, such as 2026-03-01'),
	'date-time': storedTime,
	stringcollection: listOf(text),
	email: emailText,
	phoneNumber: z
		.string()
		.regex(/^\+?[0-9(][0-9 ()./-]{2,30}$/, 'expected a phone number, such as +49 30 1234567'),
	uri,
	address,
	geolocation,
	attachments: listOf(attachment),
	signature: cellText(LIMITS.longCellLength),
	user: text.min(1),
	reference,
	references: listOf(reference),
	resource,
};

/** Whether the service computes the values of this field. */
export const isComputed = (field: Field): boolean => traitsOf[field.type.name].isComputed;

/** Whether the values of this field are addresses, e.g. of rows. */
export const isLink = (field: Field): boolean => traitsOf[field.type.name].isLink;

/** Whether the values of this field are links to rows. */
export const linksToRows = ({ type: { name } }: Field): boolean =>
	name === 'reference' || name === 'references';

const clearedLink = z.union([
	z.strictObject({ uri: z.literal('') }),
	z.strictObject({ href: z.literal('') }),
]);

/** Whether a value is a link to a row that the copy of a space lacks (see CopiedIds). */
export const isClearedLink = (value: unknown): boolean => clearedLink.safeParse(value).success;

const optionCache = new WeakMap<FieldType, ReadonlySet<string>>();

/** Values of the options of a type. A body can contain 200,000 of them. */
function optionValues(type: FieldType): ReadonlySet<string> {
	let values = optionCache.get(type);
	if (!values) {
		const options = type.options ?? [];
		values = new Set(options.map((option) => (typeof option === 'string' ? option : option.value)));
		optionCache.set(type, values);
	}
	return values;
}

function buildSchema(type: FieldType): z.ZodType {
	const { name } = type;
	if (name === 'enum') return optionSetSchema(type);
	if (name === 'enumcollection') return listOf(optionSetSchema(type));
	if (name === 'createdat') return storedTime;
	return name === 'createdby' || name === 'lookup' || name === 'formula' ? text : schemas[name];
}

/** Maximum length of the options in a message; a view can have a thousand such messages. */
const MAX_SHOWN_LENGTH = 1000;

function optionSetSchema(type: FieldType): z.ZodType {
	const options = optionValues(type);
	const all = [...options].join(', ');
	const shown = all.length > MAX_SHOWN_LENGTH ? `${all.slice(0, MAX_SHOWN_LENGTH)} …` : all;
	return z.string().refine((value) => options.has(value), { error: `expected one of ${shown}` });
}

const schemaCache = new WeakMap<FieldType, z.ZodType>();

function valueSchema(type: FieldType): z.ZodType {
	let schema = schemaCache.get(type);
	if (!schema) {
		schema = buildSchema(type);
		schemaCache.set(type, schema);
	}
	return schema;
}

/** Checked by hand: zod's JSON schema takes a second for 200,000 items. */
function isValue(checked: unknown): checked is Value {
	if (checked === null || typeof checked === 'string' || typeof checked === 'boolean') return true;
	if (typeof checked === 'number') return Number.isFinite(checked);
	return typeof checked === 'object' && Object.values(checked).every(isValue);
}

/** Path within the value and what was expected. */
function explain(error: z.ZodError): string {
	const [issue] = error.issues;
	if (!issue) return 'not valid';
	const at = issue.path.length > 0 ? ` at ${issue.path.join('.')}` : '';
	return `${issue.message.replace(/^Invalid input: /, '')}${at}`;
}

/**
 * Validates a value to be written or compared and returns its stored form.
 * @throws ServiceError 400 that names the field, its type and the value (§7: "value does not match
 *   the field type")
 */
export function checkValue(field: Field, value: unknown): Value {
	if (value === null) return null;
	if (Array.isArray(value) && value.length > LIMITS.listElements)
		throw mismatch(
			field,
			value.slice(0, 1),
			`a list may have ${LIMITS.listElements} elements, not ${value.length}`,
		);
	const parsed = valueSchema(field.type).safeParse(value);
	if (!parsed.success) throw mismatch(field, value, explain(parsed.error));
	return asValue(parsed.data);
}

/** Narrows a validated value. */
function asValue(checked: unknown): Value {
	if (!isValue(checked)) throw new Error('The schema of a field accepted a value that is not JSON');
	return checked;
}

/** The 400 for a value that does not fit its field. */
export function mismatch(field: Field, value: unknown, why: string) {
	const shown = JSON.stringify(value).slice(0, 200);
	const error = badRequest(`Field "${field.name}" (${field.type.name}) does not accept ${shown}: ${why}`, {
		fieldId: field.id,
		type: field.type.name,
		value,
	});
	reasons.set(error, why);
	return error;
}

const reasons = new WeakMap<ServiceError, string>();

/** Why a value does not fit, without details of the field. */
export const reasonOf = (error: ServiceError): string => reasons.get(error) ?? 'its type is different';

/** Removes deleted options from a list; null if none is left. */
function withoutDeletedOptions({ type }: Field, value: readonly Value[]): Value {
	const options = optionValues(type);
	const kept = value.filter((one) => typeof one === 'string' && options.has(one));
	return kept.length === 0 && value.length > 0 ? null : kept;
}

/** Converts a value of another type if that is unambiguous; otherwise null. Idempotent. */
export function convertValue(field: Field, value: Value): Value {
	if (value === null || isComputed(field)) return null;
	if (field.type.name === 'enumcollection' && Array.isArray(value))
		return withoutDeletedOptions(field, value);
	for (const candidate of conversionCandidates(field.type.name, value)) {
		const parsed = valueSchema(field.type).safeParse(candidate);
		if (parsed.success) return asValue(parsed.data);
	}
	return null;
}

/** Whether a type change keeps all values, e.g. a new option or color. */
export function keepsValues(before: FieldType, after: FieldType): boolean {
	if (traitsOf[before.name].wider.includes(after.name)) return true;
	if (before.name !== after.name) return false;
	if (!traitsOf[before.name].hasOptions) return true;
	const options = optionValues(after);
	return [...optionValues(before)].every((option) => options.has(option));
}

/** Cached JSON schemas of types that depend on their name only. */
const jsonSchemas = new Map<FieldTypeName, Record<string, unknown>>();

/** The JSON Schema of the values of a type (§2.5 `schema`, GET GRID/schema). */
export function jsonSchemaOf(type: FieldType): Record<string, unknown> {
	const known = jsonSchemas.get(type.name) ?? buildJsonSchema(type);
	if (!traitsOf[type.name].hasOptions) jsonSchemas.set(type.name, known);
	return known;
}

/** JSON Schema requires at least one value of `enum`; without options, no text fits. */
const optionJsonSchema = (type: FieldType) =>
	optionValues(type).size > 0
		? { type: 'string', enum: [...optionValues(type)] }
		: { type: 'string', not: {} };

function buildJsonSchema(type: FieldType): Record<string, unknown> {
	const readOnly = traitsOf[type.name].isComputed ? { readOnly: true } : {};
	if (type.name === 'enum') return optionJsonSchema(type);
	if (type.name === 'enumcollection') return { type: 'array', items: optionJsonSchema(type) };
	const schema = Object.entries(z.toJSONSchema(valueSchema(type), { io: 'input' })).filter(
		([name]) => name !== '$schema',
	);
	return { ...Object.fromEntries(schema), ...readOnly };
}
