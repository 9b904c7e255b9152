import { InvalidInput } from '../../client/errors';
import type { Field } from '../../client/fields';
import { shown } from './parameter';

/** @param timezone of the workflow, for moments without an offset */
type Convert = (value: unknown, timezone?: string) => unknown;

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

const date: Convert = (value, timezone) => {
	const moment = momentOf(value, timezone);
	if (moment === undefined) return UNFIT;
	// A date as it was written is kept: turning it into UTC could move it to the day before.
	return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
		? value.slice(0, 10)
		: moment.slice(0, 10);
};

const dateTime: Convert = (value, timezone) => momentOf(value, timezone) ?? UNFIT;

/**
 * An ISO 8601 moment with its offset, from a text, a Date or a luxon DateTime; undefined where it is none.
 * @param timezone in which a text without offset is meant: n8n's date picker gives such ones
 */
export function momentOf(value: unknown, timezone = 'UTC'): string | undefined {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	const text =
		typeof value === 'object' && value !== null ? String(JSON.parse(JSON.stringify(value))) : value;
	if (typeof text !== 'string' || !/^\d{4}-\d{2}/.test(text) || Number.isNaN(Date.parse(text)))
		return undefined;
	if (/([zZ]|[+-]\d{2}:?\d{2})$/.test(text) && /[T ]/.test(text)) return text;
	const wall = Date.parse(/[T ]/.test(text) ? `${text}Z` : text);
	if (Number.isNaN(wall)) return undefined;
	// The offset at the moment that is sought, not at the one of the same digits in UTC: they differ near a change of clocks.
	const guess = wall - offsetAt(wall, timezone);
	return new Date(wall - offsetAt(guess, timezone)).toISOString();
}

/** Milliseconds that a time zone is ahead of UTC at a moment. */
function offsetAt(time: number, timezone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(time);
	const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
	const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
	return wall - Math.floor(time / 1000) * 1000;
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

/** A geolocation as people write it: latitude, longitude. */
const geolocation: Convert = (value) => {
	const pair = typeof value === 'string' ? /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(value) : null;
	return pair ? { lat: Number(pair[1]), lon: Number(pair[2]) } : object(value);
};

const object: Convert = (value) => {
	const parsed = typeof value === 'string' ? jsonOf(value) : value;
	return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : UNFIT;
};

/** §2.9: an entity reference has `uri`, a resource `href`; a bare address is enough to write one. */
const addressed =
	(member: 'uri' | 'href'): Convert =>
	(value) => {
		const parsed = object(value);
		return parsed === UNFIT && typeof value === 'string' ? { [member]: value } : parsed;
	};
const reference = addressed('uri');

/** §2.9: an attachment has `name` and `url`. No upload is specified, so a file is written by its web address. */
const attachment: Convert = (value) => {
	const parsed = object(value);
	if (parsed !== UNFIT || typeof value !== 'string' || !URL.canParse(value)) return parsed;
	const last = new URL(value).pathname.split('/').filter(Boolean).at(-1);
	return { name: last ?? value, url: value };
};

const attachments: Convert = (value) => {
	const parsed = collection(typeof value === 'object' && !Array.isArray(value) ? [value] : value);
	return Array.isArray(parsed) ? parsed.map((one) => attachment(one)) : UNFIT;
};

const references: Convert = (value) => {
	const parsed = collection(value);
	return Array.isArray(parsed) ? parsed.map((one) => reference(one)) : UNFIT;
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
		geolocation,
		attachments,
		resource: addressed('href'),
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
 * @param timezone of the workflow, for moments without an offset; UTC where it is left out
 * @throws InvalidInput naming column, type and value where it does not fit
 */
export function toServiceValue(field: Field, value: unknown, timezone?: string): unknown {
	const converted = fitting(field, value, timezone);
	if (converted) return converted.value;
	throw new InvalidInput(
		`Column "${field.name}" takes a value of the type ${field.type.name}, but ${shown(value)} came`,
		`Change the value of "${field.name}", or check the expression that makes it.`,
	);
}

/** The same, or undefined where the value does not fit. */
export function fitting(field: Field, value: unknown, timezone?: string): { value: unknown } | undefined {
	if (value === null) return { value: null };
	const convert = CONVERT.get(field.type.name);
	if (!convert) return { value };
	// An empty input of a type that has no empty value means that there is none.
	if (value === '' && convert !== text) return { value: null };
	const converted = convert(value, timezone);
	const unfit = converted === UNFIT || (Array.isArray(converted) && converted.includes(UNFIT));
	return unfit ? undefined : { value: converted };
}
