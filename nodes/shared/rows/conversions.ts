import {
	isJsonObject,
	jsonOf,
	localDate,
	optionValue,
	parseMoment,
	timestampOf,
	timesAroundSkipped,
	toTimestamp,
} from '../../../client';
import { Unconvertible, type Convert } from './conversion';
import { decimal } from './numbers';

export const boolean: Convert = (value) => {
	if (typeof value === 'boolean') return value;
	if (typeof value !== 'string' && typeof value !== 'number') return new Unconvertible();
	const text = String(value).trim().toLowerCase();
	if (YES.has(text)) return true;
	return NO.has(text) ? false : new Unconvertible();
};

/** In the languages of western Europe. */
const YES = new Set(['true', '1', 'yes', 'y', 'ja', 'j', 'wahr', 'oui', 'vrai', 'si', 'sí', 'sì', 'sim']);
const NO = new Set(['false', '0', 'no', 'n', 'nein', 'falsch', 'non', 'faux', 'não', 'nee']);

/** The text of a date-time object with its own offset, such as a luxon `DateTime`. */
function writtenBy(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null || !('toJSON' in value)) return undefined;
	const json: unknown = typeof value.toJSON === 'function' ? value.toJSON() : undefined;
	return typeof json === 'string' ? json : undefined;
}

/** The last day number of spreadsheets: 9999-12-31. */
const LAST_DAY_NUMBER = 2_958_465;
/** Day number of 1970-01-01. */
const DAY_NUMBER_1970 = 25_569;
const MS_PER_DAY = 86_400_000;

/** Why a value is no day or time, and what a number may be instead. */
function notAMoment(value: unknown, otherwise: string): Unconvertible {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !(number >= 1)) return new Unconvertible(otherwise);
	const days = (ms: number) => new Date(ms).toISOString().slice(0, 10);
	if (number <= LAST_DAY_NUMBER)
		return new Unconvertible(
			`it may be a day number of a spreadsheet: ${days(Math.floor(number - DAY_NUMBER_1970) * MS_PER_DAY)}. Convert it: {{ DateTime.fromMillis(Math.round(($json.column - ${DAY_NUMBER_1970}) * ${MS_PER_DAY}), { zone: 'utc' }).toISO() }}`,
		);
	const isSeconds = number >= 1e8 && number < 1e11;
	if (!isSeconds && !(number >= 1e11 && number < 1e14)) return new Unconvertible(otherwise);
	const [unit, method] = isSeconds ? ['seconds', 'fromSeconds'] : ['milliseconds', 'fromMillis'];
	return new Unconvertible(
		`it may be ${unit} since 1970: ${days(isSeconds ? number * 1000 : number)}. Convert it: {{ DateTime.${method}(Number($json.column)).toISO() }}`,
	);
}

export const date: Convert = (value, timezone) => {
	if (value instanceof Date)
		return Number.isNaN(value.getTime()) ? new Unconvertible() : localDate(value.getTime(), timezone);
	// The date in a text is kept: converted to another time zone, it could become the day before.
	return parseMoment(writtenBy(value) ?? '')?.date ?? notAMoment(value, 'it is not a day such as 2026-03-01');
};

const OFFSET_AT_END = /\s?(?:[Zz]|([+-]\d{2})(?::?(\d{2}))?)$/;

/**
 * An ISO 8601 date-time with an offset. A text with an offset keeps its digits; a text without one
 * is in the workflow's time zone.
 */
export const dateTime: Convert = (value, timezone) => {
	const text = value instanceof Date ? undefined : writtenBy(value)?.trim();
	const written = parseMoment(text ?? '');
	if (text === undefined || !written) {
		const time = toTimestamp(text ?? value, timezone);
		if (time !== undefined) return new Date(time).toISOString();
		return notAMoment(value, 'it is not a date and time such as 2026-03-01T09:30:00Z');
	}
	const around = written.hasTime ? timesAroundSkipped(written, timezone) : undefined;
	if (around) return new Unconvertible(`clocks in ${timezone} skip this time. Write ${around.join(' or ')}`);
	const isMidnight24 = /[T ]24:/i.test(text);
	if (written.offset === undefined || isMidnight24) {
		const finer = /[.,]\d{3}(\d+)/.exec(text)?.[1] ?? '';
		return new Date(timestampOf(written, timezone)).toISOString().replace('Z', `${finer}Z`);
	}
	const [offset = '', hours, minutes = '00'] = OFFSET_AT_END.exec(text) ?? [];
	const time = text.slice(11, -offset.length).replace(',', '.');
	return `${written.date}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
};

/** A text between commas, in quotation marks as in CSV if it contains a comma. */
const LISTED_TEXT = /\s*(?:"([^"]*(?:""[^"]*)*)"\s*(?=,|$)|([^,]*))(?:,|$)/gy;

/**
 * The texts of a collection: an array, its JSON, or texts separated by commas. A text that begins
 * like JSON is nothing else.
 */
export const collection: Convert = (value) => {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return new Unconvertible();
	const parsed = jsonOf(value);
	if (Array.isArray(parsed)) return parsed;
	if (/^\s*[[{]/.test(value) && parsed === undefined)
		return new Unconvertible('it begins like JSON, but is not valid JSON');
	return (
		listedTexts(value)?.filter((text) => text !== '') ??
		new Unconvertible('a quotation mark is not closed, or a text follows it; double those in a text')
	);
};

/** The texts between commas; undefined if a quotation mark is not closed, or a text follows it. */
export function listedTexts(list: string): string[] | undefined {
	// With a comma at the end, an empty last text differs from none.
	const texts = [...`${list},`.matchAll(LISTED_TEXT)].slice(0, -1);
	if (texts.some(([, , plain]) => plain?.startsWith('"'))) return undefined;
	return texts.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim());
}

/** Also accepts a geolocation as `latitude, longitude`. */
export const geolocation: Convert = (value, timezone) => {
	const pair = typeof value === 'string' ? /^([^,{]+),([^,]+)$/.exec(value) : null;
	if (!pair) return object(value, timezone);
	const [lat, lon] = [decimal(pair[1], timezone), decimal(pair[2], timezone)];
	return lat instanceof Unconvertible || lon instanceof Unconvertible ? new Unconvertible() : { lat, lon };
};

export const object: Convert = (value) => {
	const parsed = typeof value === 'string' ? jsonOf(value) : value;
	return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
		? parsed
		: new Unconvertible();
};

/** The start of an address: the service would store any other text, too. */
const ADDRESS = /^\s*(https?:\/\/|\/)\S/i;

/** §2.9: an entity reference has `uri`, a resource `href`; a bare address is accepted, too. */
export const addressed =
	(member: 'uri' | 'href'): Convert =>
	(value, timezone) => {
		const parsed = object(value, timezone);
		if (!(parsed instanceof Unconvertible) || typeof value !== 'string') return parsed;
		if (ADDRESS.test(value)) return { [member]: value };
		return new Unconvertible(
			member === 'uri'
				? 'it is not the address of a row. To write its ID or a value that it has, use the option "Find Linked Rows By" of Create, Create or Update, Update or Update Many'
				: 'it is not an address',
		);
	};

/** §2.9: an attachment has `name` and `url`. There is no upload, so a web address is written. */
export const attachment: Convert = (value, timezone) => {
	const parsed = object(value, timezone);
	if (isJsonObject(parsed) && typeof parsed['url'] === 'string') return parsed;
	if (typeof value !== 'string' || !URL.canParse(value))
		return new Unconvertible(
			'the service stores no files: enter the address of the file, such as https://example.com/offer.pdf',
		);
	const last = new URL(value).pathname.split('/').filter(Boolean).at(-1);
	return { name: last ?? value, url: value };
};

/** A list whose elements are converted; a single object becomes a list of one. */
export const listOf =
	(one: Convert): Convert =>
	(value, timezone) => {
		const isSingle = typeof value === 'object' && !Array.isArray(value);
		const parsed = collection(isSingle ? [value] : value, timezone);
		if (!Array.isArray(parsed)) return new Unconvertible();
		const converted = parsed.map((element) => one(element, timezone));
		return converted.find((element) => element instanceof Unconvertible) ?? converted;
	};

export const text: Convert = (value) => {
	if (typeof value === 'string') return value;
	if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
	if (typeof value !== 'number' || !Number.isFinite(value)) return new Unconvertible();
	return Number.isInteger(value) && !Number.isSafeInteger(value)
		? new Unconvertible('a number above 2^53 may already have lost digits: enter it as a text')
		: String(value);
};

/** A row may hold an option as an object that names it; it is written as its text. */
export const option: Convert = (value, timezone) =>
	text(isJsonObject(value) ? optionValue(value) : value, timezone);

export const options: Convert = (value, timezone) => {
	const listed = collection(value, timezone);
	if (!Array.isArray(listed)) return listed;
	return listed.map((one: unknown) => (isJsonObject(one) ? optionValue(one) || one : one));
};

/** For unknown types: parses a text like a JSON object or list; else sends it unchanged. */
export const anything: Convert = (value) => {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
	return jsonOf(value) ?? value;
};
