import { epochTime, isEpochText } from '../../formats/epoch';
import { timestampOf, parseMoment } from '../../formats/moment';
import { firstOf } from './entryMembers';
import type { UpdateKind } from './updateKind';

type Raw = Record<string, unknown>;

/** The time of an entry. */
interface EntryMoment {
	/** Milliseconds since 1970. */
	time?: number;
	/** As sent by the service. */
	timestamp?: string;
}

const TIMES = [
	'timestamp',
	'changedAt',
	'occurredAt',
	'modifiedAt',
	'updatedAt',
	'lastModified',
	'time',
	'at',
	'date',
	'_updatedAt',
	'_modifiedAt',
];
const CREATION_TIMES = ['createdAt', '_createdAt', 'created'];

/** Whether an entry has a time under a name that events use, but rows do not. */
export const hasEventTime = (raw: Raw) =>
	firstOf(raw, ['timestamp', 'changedAt', 'occurredAt'], timeOf) !== undefined;

/** The kind of an entry that does not state it: `created` unless it was changed later. */
export function kindByTimes(raw: Raw, since: number): UpdateKind {
	const changed = firstOf(raw, TIMES, timeOf);
	const created = firstOf(raw, CREATION_TIMES, timeOf);
	if (created === undefined || (changed ?? created) !== created) return 'updated';
	// A service may truncate `since` to the second.
	return created < Math.floor(since / 1000) * 1000 ? 'updated' : 'created';
}

export function timeMembersOf(raw: Raw): EntryMoment {
	const written = firstOf(raw, [...TIMES, ...CREATION_TIMES], (value) =>
		timeOf(value) === undefined ? undefined : value,
	);
	const time = timeOf(written);
	if (time === undefined) return {};
	const isIso = typeof written === 'string' && !isEpochText(written);
	return { time, timestamp: isIso ? written : new Date(time).toISOString() };
}

/**
 * The time of a row. A creation time alone is only shown: `since` is not compared with it.
 */
export function rowMoment(raw: Raw): EntryMoment {
	const moment = timeMembersOf(raw);
	if (moment.timestamp === undefined || firstOf(raw, TIMES, timeOf) !== undefined) return moment;
	return { timestamp: moment.timestamp };
}

/**
 * An ISO 8601 date and time (UTC if it names no offset; a zone in brackets may follow), or seconds,
 * milliseconds or microseconds since 1970.
 */
function timeOf(given: unknown): number | undefined {
	const counted = epochTime(given);
	if (counted !== undefined) return counted;
	const written = typeof given === 'string' ? parseMoment(withoutZone(given)) : undefined;
	return written?.hasTime ? timestampOf(written, 'UTC') : undefined;
}

/** A moment without the zone in brackets that may follow it (RFC 9557). */
const withoutZone = (text: string) => (text.endsWith(']') ? text.slice(0, text.lastIndexOf('[')) : text);

/** The time of an entry; undefined if it has none. */
export const entryTime = (raw: Record<string, unknown>) => timeMembersOf(raw).time;
