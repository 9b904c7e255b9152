import { type Field, fieldTypeIn, isJsonObject, oncePer } from '../../../client';
import { isWrittenType, valueType, type ValueType } from './columnTypes';

/**
 * The type that determines how a field's values are written and compared: its own type if §2.5
 * lists it, otherwise the type inferred from its schema (which may also be `array`, `object` or
 * `any`), otherwise its own name.
 */
export function valueTypeOf(field: Field): string {
	const { name } = field.type;
	return isWrittenType(name) ? name : inferred(field);
}

/** How the values of a field are entered, converted and compared. */
export const valueRulesOf = (field: Field): ValueType => valueType(valueTypeOf(field));

/** Whether the values of a field are links to rows. */
export const linksRows = (field: Field): boolean => valueRulesOf(field).equality === 'link';

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
