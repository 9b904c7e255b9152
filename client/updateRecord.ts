import { z } from 'zod/v4';
import { linksSchema } from './hal';
import { jsonObject } from './json';

export type UpdateKind = 'created' | 'updated' | 'deleted';

/** What happened to one value. A side that the feed does not tell is undefined. */
export interface FieldChange {
	/** Field id, key or name: whatever the feed names it by. */
	field: string;
	old: unknown;
	new: unknown;
}

/** One entry of the updates feed, whatever shape it came in: the spec leaves it open (§4, gaps). */
export interface Update {
	/** The event's own id. An entry that is only a changed entity has none: its id is the entity's. */
	id?: string;
	kind: UpdateKind;
	entityId: string;
	/** Milliseconds since 1970. */
	time?: number;
	/** The time as the service wrote it. */
	timestamp?: string;
	changedBy?: string;
	changes: FieldChange[];
	/** The entity's values, where the feed holds them. */
	entity?: Record<string, unknown>;
	raw: Record<string, unknown>;
}

type Raw = z.infer<typeof jsonObject>;

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
const KINDS = ['type', 'kind', 'event', 'eventType', 'action', 'operation', 'changeType', 'change'];
const ENTITY_IDS = ['entityId', 'entity_id', 'rowId', 'recordId', 'entryId'];
const ENTITIES = ['entity', 'row', 'record', 'entry'];
const CHANGES = ['changes', 'changedFields', 'fields', 'diff', 'values'];
const PEOPLE = ['userId', 'changedBy', 'modifiedBy', 'updatedBy', 'author', 'actor', 'user', 'by'];
const FIELD_NAMES = ['fieldId', 'field', 'key', 'name', 'column', 'id'];
const OLD_VALUES = ['oldValue', 'old', 'from', 'before', 'previous', 'previousValue'];
const NEW_VALUES = ['newValue', 'new', 'to', 'after', 'current', 'value'];

/**
 * Reads one entry of the feed: a change event, or only an entity that has changed.
 * @returns undefined where it does not even say which entity it is about
 */
export function readUpdate(entry: unknown): Update | undefined {
	const parsed = jsonObject.safeParse(entry);
	if (!parsed.success) return undefined;
	const raw = parsed.data;
	const nested = firstOf(raw, ENTITIES, asRecord);
	const entityId = firstOf(raw, ENTITY_IDS, asId) ?? (nested && idOf(nested)) ?? linkedEntity(raw);
	return entityId === undefined ? changedEntity(raw) : changeEvent(raw, entityId, nested);
}

function changeEvent(raw: Raw, entityId: string, entity: Raw | undefined): Update {
	const id = asId(raw.id) ?? asId(raw._id) ?? asId(raw.eventId);
	return {
		...(id === undefined ? {} : { id }),
		entityId,
		kind: kindOf(raw),
		...momentOf(raw),
		...personOf(raw),
		changes: changesOf(raw),
		...(entity === undefined ? {} : { entity }),
		raw,
	};
}

function changedEntity(raw: Raw): Update | undefined {
	const entityId = idOf(raw);
	if (entityId === undefined) return undefined;
	return { entityId, kind: kindOf(raw), ...momentOf(raw), ...personOf(raw), changes: [], entity: raw, raw };
}

/** Without a word for it, an entry is a creation where it was never changed since. */
function kindOf(raw: Raw): UpdateKind {
	const word = firstOf(raw, KINDS, (value) => (typeof value === 'string' ? kindOfWord(value) : undefined));
	if (word) return word;
	if (raw.deleted === true || raw._deleted === true || typeof raw.deletedAt === 'string') return 'deleted';
	const changed = firstOf(raw, TIMES, timeOf);
	const created = firstOf(raw, CREATION_TIMES, timeOf);
	return created !== undefined && (changed ?? created) === created ? 'created' : 'updated';
}

function kindOfWord(word: string): UpdateKind | undefined {
	if (/creat|insert|add/i.test(word)) return 'created';
	if (/delet|remov/i.test(word)) return 'deleted';
	return /updat|chang|modif|edit|restor/i.test(word) ? 'updated' : undefined;
}

function momentOf(raw: Raw): Pick<Update, 'time' | 'timestamp'> {
	const written = firstOf(raw, [...TIMES, ...CREATION_TIMES], (value) =>
		timeOf(value) === undefined ? undefined : value,
	);
	const time = timeOf(written);
	if (time === undefined) return {};
	return { time, timestamp: typeof written === 'string' ? written : new Date(time).toISOString() };
}

/** ECMAScript's last moment: beyond it a date has no ISO 8601 form. */
const LAST_TIME = 8.64e15;

/** An ISO 8601 time (UTC where it names no offset), or seconds or milliseconds since 1970. */
function timeOf(value: unknown): number | undefined {
	if (typeof value === 'number' && value > 1e8 && value <= LAST_TIME)
		return Math.floor(value < 1e11 ? value * 1000 : value);
	if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return undefined;
	const time = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value}Z`);
	return Number.isNaN(time) ? undefined : time;
}

function personOf(raw: Raw): Pick<Update, 'changedBy'> {
	const person = firstOf(
		raw,
		PEOPLE,
		(value) =>
			asId(value) ?? firstOf(asRecord(value) ?? {}, ['id', '_id', 'email', 'name', 'displayValue'], asId),
	);
	return person === undefined ? {} : { changedBy: person };
}

/** A list of changes, an object of changes by field, or the one change that the entry itself is. */
function changesOf(raw: Raw): FieldChange[] {
	for (const name of CHANGES) {
		const listed = z.array(jsonObject).safeParse(raw[name]);
		if (listed.success) return listed.data.flatMap((change) => changeOf(change) ?? []);
		const byField = asRecord(raw[name]);
		if (byField) return Object.entries(byField).map(([field, value]) => ({ field, ...sidesOf(value) }));
	}
	return [raw].flatMap((change) => changeOf(change, ['fieldId', 'field', 'column']) ?? []);
}

function changeOf(change: Raw, names = FIELD_NAMES): FieldChange | undefined {
	const field = firstOf(
		change,
		names,
		(value) => asId(value) ?? firstOf(asRecord(value) ?? {}, ['id', 'key', 'name'], asId),
	);
	return field === undefined
		? undefined
		: { field, old: oneOf(change, OLD_VALUES), new: oneOf(change, NEW_VALUES) };
}

/** `{ old, new }` under any of their names; anything else is the new value itself. */
function sidesOf(value: unknown): Pick<FieldChange, 'old' | 'new'> {
	const sides = asRecord(value);
	const known = sides && [...OLD_VALUES, ...NEW_VALUES].some((name) => name in sides);
	return sides && known
		? { old: oneOf(sides, OLD_VALUES), new: oneOf(sides, NEW_VALUES) }
		: { old: undefined, new: value };
}

function linkedEntity(raw: Raw): string | undefined {
	const links = linksSchema.parse(raw._links ?? {});
	const last = links
		.get('entity')
		?.href.replace(/[?#{].*$/, '')
		.split('/')
		.filter(Boolean)
		.at(-1);
	return last === undefined ? undefined : asId(last);
}

const idOf = (record: Raw) => asId(record._id) ?? asId(record.id);

function asId(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function asRecord(value: unknown): Raw | undefined {
	const parsed = jsonObject.safeParse(value);
	return parsed.success ? parsed.data : undefined;
}

function firstOf<Value>(
	record: Raw,
	names: readonly string[],
	read: (value: unknown) => Value | undefined,
): Value | undefined {
	for (const name of names) {
		const value = Object.hasOwn(record, name) ? read(record[name]) : undefined;
		if (value !== undefined) return value;
	}
	return undefined;
}

const oneOf = (record: Raw, names: readonly string[]) => firstOf(record, names, (value) => value);
