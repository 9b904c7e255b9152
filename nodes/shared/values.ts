import { InvalidInput } from '../../client/errors';
import type { Field } from '../../client/fields';
import { shown } from './parameter';

type Convert = (value: unknown) => unknown;

/** Marks a value that has no form of the field's type. */
const UNFIT = Symbol('unfit');

const integer: Convert = (value) => {
	const number = decimal(value);
	return typeof number === 'number' && Number.isInteger(number) ? number : UNFIT;
};

const decimal: Convert = (value) => {
	if (typeof value === 'number') return Number.isFinite(value) ? value : UNFIT;
	if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return UNFIT;
	return Number(value);
};

const boolean: Convert = (value) => {
	if (typeof value === 'boolean') return value;
	const text = String(value).trim().toLowerCase();
	if (['true', '1', 'yes'].includes(text)) return true;
	return ['false', '0', 'no'].includes(text) ? false : UNFIT;
};

const date: Convert = (value) => {
	const moment = momentOf(value);
	if (moment === undefined) return UNFIT;
	// A date as it was written is kept: turning it into UTC could move it to the day before.
	return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
		? value.slice(0, 10)
		: moment.slice(0, 10);
};

const dateTime: Convert = (value) => momentOf(value) ?? UNFIT;

/** An ISO 8601 moment with its offset, from a text, a Date or a luxon DateTime; undefined where it is none. */
function momentOf(value: unknown): string | undefined {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	const text =
		typeof value === 'object' && value !== null ? String(JSON.parse(JSON.stringify(value))) : value;
	if (typeof text !== 'string' || !/^\d{4}-\d{2}/.test(text) || Number.isNaN(Date.parse(text)))
		return undefined;
	return /([zZ]|[+-]\d{2}:?\d{2})$/.test(text) ? text : new Date(text).toISOString();
}

/** Texts of a collection: a JSON array, or texts between commas. */
const collection: Convert = (value) => {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return UNFIT;
	const parsed = jsonOf(value);
	if (Array.isArray(parsed)) return parsed;
	return value
		.split(',')
		.map((text) => text.trim())
		.filter((text) => text !== '');
};

const list: Convert = (value) => {
	const parsed = typeof value === 'string' ? jsonOf(value) : value;
	return Array.isArray(parsed) ? parsed : UNFIT;
};

const object: Convert = (value) => {
	const parsed = typeof value === 'string' ? jsonOf(value) : value;
	return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : UNFIT;
};

/** §2.9: an entity reference has `uri`; its bare address is enough to write one. */
const reference: Convert = (value) => {
	const parsed = object(value);
	return parsed === UNFIT && typeof value === 'string' ? { uri: value } : parsed;
};

const references: Convert = (value) => {
	const parsed = collection(value);
	return Array.isArray(parsed) ? parsed.map(reference) : UNFIT;
};

const text: Convert = (value) => {
	if (typeof value === 'string') return value;
	return typeof value === 'object' ? UNFIT : String(value);
};

/** §2.5. Types that are not listed here are passed on as they come: the list in the spec is open. */
const CONVERT = new Map<string, Convert>(
	Object.entries({
		string: text,
		richText: text,
		email: text,
		phoneNumber: text,
		uri: text,
		enum: text,
		integer,
		decimal,
		currency: decimal,
		boolean,
		date,
		'date-time': dateTime,
		enumcollection: collection,
		stringcollection: collection,
		reference,
		references,
		address: object,
		geolocation: object,
		attachments: list,
	}),
);

function jsonOf(value: string): unknown {
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}

/**
 * A value in the form that the field's type asks for (§2.5). `0`, `false` and `""` are values; null clears the field.
 * @throws InvalidInput naming column, type and value where it does not fit
 */
export function toServiceValue(field: Field, value: unknown): unknown {
	if (value === null) return null;
	const type = field.type.name;
	const convert = CONVERT.get(type);
	if (!convert) return value;
	// An empty input of a type that has no empty value means that there is none.
	if (value === '' && convert !== text) return null;
	const converted = convert(value);
	const unfit = converted === UNFIT || (Array.isArray(converted) && converted.includes(UNFIT));
	if (!unfit) return converted;
	throw new InvalidInput(
		`Column "${field.name}" takes a value of the type ${type}, but ${shown(value)} came`,
		`Change the value of "${field.name}", or check the expression that makes it.`,
	);
}
