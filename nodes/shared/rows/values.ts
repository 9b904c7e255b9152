import { InvalidInput } from '../../../client/errors';
import type { Field } from '../../../client/resources/fields';
import { jsonOf } from '../../../client/formats/json';
import { localDate, parseMoment, timestampOf, toTimestamp } from '../../../client/formats/moment';
import { decimal, integer } from './numbers';
import { valueText } from '../display/valueText';
import { Unconvertible, type Convert } from './conversion';
import { isJson, valueTypeOf } from './valueTypes';

const boolean: Convert = (value) => {
	if (typeof value === 'boolean') return value;
	if (typeof value !== 'string' && typeof value !== 'number') return new Unconvertible();
	const text = String(value).trim().toLowerCase();
	if (['true', '1', 'yes'].includes(text)) return true;
	return ['false', '0', 'no'].includes(text) ? false : new Unconvertible();
};

/** The text of a moment that knows its own offset: a luxon `DateTime` and its like. */
function writtenBy(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null || !('toJSON' in value)) return undefined;
	const json: unknown = typeof value.toJSON === 'function' ? value.toJSON() : undefined;
	return typeof json === 'string' ? json : undefined;
}

const date: Convert = (value, timezone) => {
	if (value instanceof Date)
		return Number.isNaN(value.getTime()) ? new Unconvertible() : localDate(value.getTime(), timezone);
	// The day that a text writes is kept: in another time zone it could be the day before.
	return parseMoment(writtenBy(value) ?? '')?.date ?? new Unconvertible('it is not a day such as 2026-03-01');
};

const OFFSET_AT_END = /\s?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)$/;

/**
 * An ISO 8601 moment with its offset. What is written with an offset keeps its digits; a text
 * without one is meant in the time zone of the workflow.
 */
const dateTime: Convert = (value, timezone) => {
	const unfit = new Unconvertible('it is not a date and time such as 2026-03-01T09:30:00Z');
	const text = value instanceof Date ? undefined : writtenBy(value)?.trim();
	const written = parseMoment(text ?? '');
	if (text === undefined || !written) {
		const time = toTimestamp(text ?? value, timezone);
		return time === undefined ? unfit : new Date(time).toISOString();
	}
	const isMidnight24 = /[T ]24:/i.test(text);
	if (written.offset === undefined || isMidnight24) {
		const finer = /[.,]\d{3}(\d+)/.exec(text)?.[1] ?? '';
		return new Date(timestampOf(written, timezone)).toISOString().replace('Z', `${finer}Z`);
	}
	return text
		.replace(/^(.{10})[t ]/, '$1T')
		.replace(',', '.')
		.replace(OFFSET_AT_END, (_offset, hours?: string, minutes = '00') =>
			hours === undefined ? 'Z' : `${hours}:${minutes}`,
		);
};

/** Texts of a collection: a JSON array, or texts between commas. */
const collection: Convert = (value) => {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return new Unconvertible();
	const parsed = jsonOf(value);
	if (Array.isArray(parsed)) return parsed;
	return value
		.split(',')
		.map((text) => text.trim())
		.filter((text) => text !== '');
};

/** A geolocation as people write it: latitude, longitude. */
const geolocation: Convert = (value, timezone) => {
	const pair = typeof value === 'string' ? /^([^,{]+),([^,]+)$/.exec(value) : null;
	if (!pair) return object(value, timezone);
	const [lat, lon] = [decimal(pair[1], timezone), decimal(pair[2], timezone)];
	return lat instanceof Unconvertible || lon instanceof Unconvertible ? new Unconvertible() : { lat, lon };
};

const object: Convert = (value) => {
	const parsed = typeof value === 'string' ? jsonOf(value) : value;
	return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
		? parsed
		: new Unconvertible();
};

/**
 * §2.9: an entity reference has `uri`, a resource `href`; a bare address is enough to write one.
 */
const addressed =
	(member: 'uri' | 'href'): Convert =>
	(value, timezone) => {
		const parsed = object(value, timezone);
		return parsed instanceof Unconvertible && typeof value === 'string' ? { [member]: value } : parsed;
	};

/**
 * §2.9: an attachment has `name` and `url`. No upload is
 * specified, so a file is written by its web address.
 */
const attachment: Convert = (value, timezone) => {
	const parsed = object(value, timezone);
	if (!(parsed instanceof Unconvertible) || typeof value !== 'string' || !URL.canParse(value)) return parsed;
	const last = new URL(value).pathname.split('/').filter(Boolean).at(-1);
	return { name: last ?? value, url: value };
};

/** A list of values that each have one form; one object alone is a list of one. */
const listOf =
	(one: Convert): Convert =>
	(value, timezone) => {
		const isSingle = typeof value === 'object' && !Array.isArray(value);
		const parsed = collection(isSingle ? [value] : value, timezone);
		if (!Array.isArray(parsed)) return new Unconvertible();
		const converted = parsed.map((element) => one(element, timezone));
		return converted.find((element) => element instanceof Unconvertible) ?? converted;
	};

const text: Convert = (value) => {
	if (typeof value === 'string') return value;
	if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
	if (typeof value !== 'number' || !Number.isFinite(value)) return new Unconvertible();
	return Number.isInteger(value) && !Number.isSafeInteger(value)
		? new Unconvertible('a number past 2^53 may have lost its last digits already: give it as a text')
		: String(value);
};

/**
 * Of a type that nobody knows: what looks like a JSON
 * object or list is one, everything else is sent as it is.
 */
const anything: Convert = (value) => {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
	return jsonOf(value) ?? value;
};

/** §2.5. */
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
		reference: addressed('uri'),
		references: listOf(addressed('uri')),
		address: object,
		geolocation,
		attachments: listOf(attachment),
		resource: addressed('href'),
		array: collection,
		object,
	}),
);

/** Types of which a blank text is no value: it means that there is none. */
const WITHOUT_EMPTY_TEXT = new Set([...CONVERT.keys(), 'user', 'signature']);
WITHOUT_EMPTY_TEXT.delete('string');
WITHOUT_EMPTY_TEXT.delete('richText');

/** Whether there is no value: services differ in whether an empty text is one. */
export const isBlank = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Whether `""` is a value of the column, and not another way to write none. */
export function hasEmptyText(field: Field): boolean {
	return !WITHOUT_EMPTY_TEXT.has(valueTypeOf(field));
}

/**
 * A value in the form that the field's type asks for (§2.5), exactly or not at all. `0` and `false`
 * are values, `""` is one of texts; null clears the field.
 * @param timezone of the workflow, for moments without an offset; UTC if omitted
 * @throws InvalidInput naming column, type and value where it does not fit
 */
export function toServiceValue(field: Field, value: unknown, timezone?: string): unknown {
	const converted = convert(field, value, timezone);
	if (!(converted instanceof Unconvertible)) return converted;
	const { because } = converted;
	throw new InvalidInput(
		`Column "${field.name}" takes a value of the type ${field.type.name}, but ${valueText(value)} came${because ? `: ${because}` : ''}`,
		`Change the value of "${field.name}", or check the expression that makes it.`,
	);
}

/** The same, or undefined where the value does not fit. */
export function fitting(field: Field, value: unknown, timezone?: string): { value: unknown } | undefined {
	const converted = convert(field, value, timezone);
	return converted instanceof Unconvertible ? undefined : { value: converted };
}

function convert(field: Field, value: unknown, timezone = 'UTC'): unknown {
	if (value === null) return null;
	if (typeof value === 'string' && value.trim() === '' && !hasEmptyText(field)) return null;
	const converted = (CONVERT.get(valueTypeOf(field)) ?? anything)(value, timezone);
	return converted instanceof Unconvertible || isJson(converted) ? converted : new Unconvertible();
}
