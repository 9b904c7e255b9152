import { BoundedMap } from './memory';

/** A validated date or date-time as written in a text. */
export interface WrittenMoment {
	/** `YYYY-MM-DD`, as written. */
	date: string;
	/** Milliseconds since 1970 of the same digits in UTC, whatever the offset. */
	wall: number;
	/** Whether a time of day is written; without one, `wall` is midnight. */
	hasTime: boolean;
	/** Milliseconds that the written offset is ahead of UTC; undefined if none is written. */
	offset: number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const ISO_8601 =
	/^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/**
 * Reads an ISO 8601 date, or date and time, with `T` or a space between them, with or without an
 * offset. 24:00 is the midnight that ends the day; a leap second (:60), February 30 and a month
 * alone are refused.
 * @returns undefined if the text is anything else
 */
export function parseMoment(text: string): WrittenMoment | undefined {
	const match = ISO_8601.exec(text.trim());
	if (!match) return undefined;
	const [matched, year, month, day, hour, minute, second, fraction, utc, sign, hours, minutes] = match;
	const midnight = dayOf(Number(year), Number(month), Number(day));
	const time = timeOfDay(Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0), fraction);
	const ahead = sign && offsetOf(sign, Number(hours), Number(minutes ?? 0));
	if (midnight === undefined || time === undefined || (sign && ahead === undefined)) return undefined;
	return {
		date: matched.slice(0, 10),
		wall: midnight + time,
		hasTime: hour !== undefined,
		offset: utc ? 0 : typeof ahead === 'number' ? ahead : undefined,
	};
}

/** Midnight in UTC of a day; undefined if the calendar has no such day. */
function dayOf(year: number, month: number, day: number): number | undefined {
	// `Date.UTC` interprets the years 0 to 99 as 1900 to 1999.
	const date = new Date(0);
	date.setUTCFullYear(year, month - 1, day);
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function timeOfDay(hour: number, minute: number, second: number, fraction = ''): number | undefined {
	if (minute > 59 || second > 59) return undefined;
	const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
	const time = hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + milliseconds;
	const isPast24 = time > DAY_MS || (time === DAY_MS && /[1-9]/.test(fraction));
	return isPast24 ? undefined : time;
}

function offsetOf(sign: string, hours: number, minutes: number): number | undefined {
	if (hours > 23 || minutes > 59) return undefined;
	return (sign === '-' ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

/**
 * Milliseconds since 1970 of a text (ISO 8601, or a date as in HTTP and mail headers), a `Date` or
 * a luxon `DateTime`.
 * @param timezone IANA name, for a text without an offset; the time zone of the process never
 * counts
 * @returns undefined if the value is not a moment
 */
export function toTimestamp(value: unknown, timezone: string): number | undefined {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime();
	const text = typeof value === 'object' && value !== null ? jsonTextOf(value) : value;
	if (typeof text !== 'string') return undefined;
	const written = parseMoment(text);
	return written ? timestampOf(written, timezone) : parseHeaderDate(text);
}

/** The JSON of a luxon `DateTime` is ISO 8601. */
function jsonTextOf(value: object): string | undefined {
	return 'toJSON' in value && typeof value.toJSON === 'function' ? String(value.toJSON()) : undefined;
}

/** Milliseconds since 1970. @param timezone IANA name, used if no offset is written */
export function timestampOf({ wall, offset }: WrittenMoment, timezone: string): number {
	if (offset !== undefined) return wall - offset;
	// Clocks change at most once within two days: one of the two offsets is valid, or both if an hour
	// is repeated.
	const before = offsetAt(wall - DAY_MS, timezone);
	const after = offsetAt(wall + DAY_MS, timezone);
	const isValid = [before, after].find((ahead) => offsetAt(wall - ahead, timezone) === ahead);
	// A skipped time is interpreted with the offset before the change, as in luxon and Temporal.
	return wall - (isValid ?? before);
}

/**
 * The existing times around a written one that the time zone skips when clocks go forward, as
 * `YYYY-MM-DDTHH:MM:SS` with an offset.
 * @returns undefined if the time exists, or has an offset
 */
export function timesAroundSkipped(
	{ wall, offset }: WrittenMoment,
	timezone: string,
): [string, string] | undefined {
	if (offset !== undefined) return undefined;
	const before = offsetAt(wall - DAY_MS, timezone);
	const after = offsetAt(wall + DAY_MS, timezone);
	if ([before, after].some((ahead) => offsetAt(wall - ahead, timezone) === ahead)) return undefined;
	return [withOffset(wall - after, before), withOffset(wall - before, after)];
}

function withOffset(timestamp: number, offset: number): string {
	const minutes = Math.abs(offset) / MINUTE_MS;
	const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
	const text = new Date(timestamp + offset).toISOString().slice(0, 19);
	return `${text}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** The calendar day (`YYYY-MM-DD`) at a moment in a time zone. */
export function localDate(timestamp: number, timezone: string): string {
	return new Date(timestamp + offsetAt(timestamp, timezone)).toISOString().slice(0, -14);
}

/** What is known of a time zone, because creating a formatter dominates the run time. */
interface TimeZone {
	formatter: Intl.DateTimeFormat;
	/** Offsets at midnight in UTC, by day since 1970. */
	midnights: BoundedMap<number, number>;
}

const timeZones = new BoundedMap<string, TimeZone>(100);
const MAX_MIDNIGHTS = 20_000;

const timeZoneOf = (timezone: string): TimeZone =>
	timeZones.of(timezone, () => ({
		formatter: formatterOf(timezone),
		midnights: new BoundedMap(MAX_MIDNIGHTS),
	}));

const formatterOf = (timezone: string) =>
	new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		hourCycle: 'h23',
		era: 'short',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});

function offsetAtMidnight(day: number, timezone: string): number {
	const zone = timeZoneOf(timezone);
	return zone.midnights.of(day, () => formattedOffset(day * DAY_MS, zone));
}

/** Milliseconds that a time zone is ahead of UTC at a moment. */
export function offsetAt(timestamp: number, timezone: string): number {
	if (timezone === 'UTC') return 0;
	// Clocks change at most once a day, so not at all between two midnights with the same offset.
	const day = Math.floor(timestamp / DAY_MS);
	const before = offsetAtMidnight(day, timezone);
	return before === offsetAtMidnight(day + 1, timezone)
		? before
		: formattedOffset(timestamp, timeZoneOf(timezone));
}

function formattedOffset(timestamp: number, { formatter }: TimeZone): number {
	const parts = formatter.formatToParts(timestamp);
	const text = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
	const of = (type: string) => Number(text(type));
	const year = text('era').startsWith('B') ? 1 - of('year') : of('year');
	const midnight = dayOf(year, of('month'), of('day')) ?? 0;
	const wall = midnight + of('hour') * HOUR_MS + of('minute') * MINUTE_MS + of('second') * 1000;
	return wall - Math.floor(timestamp / 1000) * 1000;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** RFC 5322, and the preferred format of RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const MAIL_DATE =
	/^(?:[a-z]{3}, ?)?(\d{1,2}) ([a-z]{3}) (\d{4}) (\d{2}):(\d{2})(?::(\d{2}))? (?:GMT|UTC?|Z|([+-])(\d{2})(\d{2}))$/i;

/** Milliseconds since 1970 of a date as in HTTP and mail headers; undefined if it is none. */
function parseHeaderDate(text: string): number | undefined {
	const [matched, day, name = '', year, hour, minute, second, sign, hours, minutes] =
		MAIL_DATE.exec(text.trim()) ?? [];
	if (matched === undefined) return undefined;
	const month = MONTHS.findIndex((candidate) => candidate.toLowerCase() === name.toLowerCase()) + 1;
	const midnight = dayOf(Number(year), month, Number(day));
	const time = timeOfDay(Number(hour), Number(minute), Number(second ?? 0));
	const ahead = sign ? offsetOf(sign, Number(hours), Number(minutes)) : 0;
	if (month === 0 || midnight === undefined || time === undefined || ahead === undefined) return undefined;
	return midnight + time - ahead;
}
