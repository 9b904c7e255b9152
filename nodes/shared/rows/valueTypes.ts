import { type Field, fieldTypeIn, isJsonObject, oncePer } from '../../../client';

/** The writable types of §2.5. A service may have more types. */
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

/**
 * The type that determines how a field's values are written and compared: its own type if §2.5
 * lists it, otherwise the type inferred from its schema (which may also be `array`, `object` or
 * `any`), otherwise its own name.
 */
export function valueTypeOf(field: Field): string {
	const { name } = field.type;
	return KNOWN_TYPES.has(name) ? name : inferred(field);
}

/** Whether the values of a field are links to rows. */
export const linksRows = (field: Field): boolean => LINKS.has(valueTypeOf(field));

const LINKS = new Set(['reference', 'references']);

const inferred = oncePer(({ type, schema = {} }: Field): string => {
	const { name } = fieldTypeIn(schema);
	return name === 'any' ? type.name : name;
});

/** Whether JSON can represent a value. It turns NaN and Infinity into null, and omits functions. */
export function isJson(value: unknown): boolean {
	if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
	if (typeof value === 'number') return Number.isFinite(value);
	if (Array.isArray(value)) return value.every(isJson);
	if (!isJsonObject(value)) return false;
	if (typeof value['toJSON'] === 'function') return isJson(JSON.parse(JSON.stringify(value) ?? 'null'));
	return Object.values(value).every((member) => member === undefined || isJson(member));
}
