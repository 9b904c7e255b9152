import { isJsonObject } from '../../formats/json';
import { parseMoment, timestampOf, type WrittenMoment } from '../../formats/moment';
import { linksIn } from '../../hal/links';

/**
 * Names under which an entry of the updates feed (§4.4) or of a history (§4.5) has its parts, none
 * of which the specification shows (§4 and §6 Gaps). No other file knows such names.
 */
const NAMES = {
	rowId: ['entityId', 'entity_id', 'rowId', 'recordId', 'entryId'],
	row: ['entity', 'row', 'record', 'entry'],
	kind: ['event', 'eventType', 'action', 'operation', 'op', 'changeType', 'kind', 'change', 'type'],
	deleted: ['deleted', '_deleted'],
	time: [
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
	],
	created: ['createdAt', '_createdAt', 'created'],
	user: ['userId', 'changedBy', 'modifiedBy', 'updatedBy', 'author', 'actor', 'user', 'by'],
	userId: ['id', '_id', 'email', 'name', 'displayValue'],
	changes: ['changes', 'changedFields', 'diff', 'fields', 'values'],
	field: ['fieldId', 'field', 'key', 'name', 'column', 'id'],
	fieldId: ['id', 'key', 'name'],
	old: ['oldValue', 'old', 'from', 'before', 'previous'],
	new: ['newValue', 'new', 'to', 'after', 'current', 'value'],
} as const;

/** `structure`: a change of something other than a row, e.g. a new column. */
export type UpdateKind = 'created' | 'updated' | 'deleted' | 'structure';

const VERBS: ReadonlyArray<readonly [string, UpdateKind]> = [
	['create', 'created'],
	['update', 'updated'],
	['delete', 'deleted'],
	['remove', 'deleted'],
];
const KIND_WORDS = new Map(
	VERBS.flatMap(([verb, kind]) => [verb, `${verb}s`, `${verb}d`].map((form) => [form, kind] as const)),
);

/** The change of one value. `old` or `new` is undefined if the feed does not contain it. */
export interface ValueChange {
	/** Field id, key or name, depending on the feed. */
	field: string;
	old: unknown;
	new: unknown;
}

/** A moment as a number, and as the service wrote it. */
export interface EntryTime {
	/** Milliseconds since 1970. */
	time: number;
	timestamp: string;
}

type Raw = Record<string, unknown>;

/** A non-empty text. */
export const asId = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The value of the first of some members that can be read. */
function firstOf<Value>(
	raw: Raw,
	names: readonly string[],
	read: (value: unknown) => Value | undefined,
): Value | undefined {
	for (const name of names) {
		const value = Object.hasOwn(raw, name) ? read(raw[name]) : undefined;
		if (value !== undefined) return value;
	}
	return undefined;
}

const asObject = (value: unknown) => (isJsonObject(value) ? value : undefined);

export const rowWithin = (raw: Raw) => firstOf(raw, NAMES.row, asObject);

/** The id of the row that an entry names: a member, an object of the row, or a link to it. */
export function namedRow(raw: Raw): string | undefined {
	const row = rowWithin(raw);
	return (
		firstOf(raw, NAMES.rowId, asId) ??
		firstOf(raw, NAMES.row, asId) ??
		asId(row?.['_id']) ??
		asId(row?.['id']) ??
		linkedRow(row?.['_links'], ['self']) ??
		linkedRow(raw['_links'], NAMES.row)
	);
}

/** The id in the address of a row (§4.5). */
function linkedRow(raw: unknown, rels: readonly string[]): string | undefined {
	const links = linksIn(raw);
	const href = rels.map((rel) => links.get(rel)?.href).find((found) => found !== undefined);
	const segment = href === undefined ? undefined : /\/entities\/([^/?#{]+)/.exec(href)?.[1];
	try {
		return segment === undefined ? undefined : decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** The kind of a change; any other word than those of a creation or deletion is an update. */
export function kindOf(raw: Raw): UpdateKind {
	return firstOf(raw, NAMES.kind, kindIn) ?? (isDeleted(raw) ? 'deleted' : 'updated');
}

/** Whether an entry that names no row says that something else changed, e.g. `column.created`. */
export function isOfStructure(raw: Raw): boolean {
	const words = wordsIn(firstOf(raw, NAMES.kind, asId));
	return words.some((word) => !KIND_WORDS.has(word) && !isIn(NAMES.row, word));
}

/** Whether an entry of a history says anything that is understood. */
export const saysWhatChanged = (raw: Raw) =>
	firstOf(raw, [...NAMES.kind, ...NAMES.time], asId) !== undefined ||
	isDeleted(raw) ||
	changesOf(raw).length > 0;

/** Whether a changed row is marked as deleted. */
export const isDeleted = (raw: Raw) => NAMES.deleted.some((name) => raw[name] === true);

/** "ENTITY_CREATED", "entity.removed" and "rowUpdated" contain a known word. */
const kindIn = (value: unknown) =>
	wordsIn(value)
		.map((word) => KIND_WORDS.get(word))
		.find((kind) => kind !== undefined);

function wordsIn(value: unknown): string[] {
	const text = asId(value)?.slice(0, 100) ?? '';
	return (
		text
			.replace(/([a-z])([A-Z])/g, '$1 $2')
			.toLowerCase()
			.match(/[a-z]+/g) ?? []
	);
}

const isIn = (names: readonly string[], word: string) => names.includes(word);

/** ISO 8601 with a time of day and an offset. */
function timeIn(value: unknown): EntryTime | undefined {
	const written = momentIn(value);
	return written?.offset === undefined
		? undefined
		: { time: timestampOf(written, 'UTC'), timestamp: String(value) };
}

function momentIn(value: unknown): WrittenMoment | undefined {
	const written = typeof value === 'string' ? parseMoment(value) : undefined;
	return written?.hasTime ? written : undefined;
}

export const timeOf = (raw: Raw) => firstOf(raw, NAMES.time, timeIn);
export const creationOf = (raw: Raw) => firstOf(raw, NAMES.created, timeIn);

/** The time of an entry whose only times lack an offset, so that the moment is unknown. */
export function localTimeOf(raw: Raw): string | undefined {
	if (timeOf(raw) ?? creationOf(raw)) return undefined;
	return firstOf(raw, [...NAMES.time, ...NAMES.created], (value) => momentIn(value) && asId(value));
}

/** The user, by id or by another name. */
export const userOf = (raw: Raw) =>
	firstOf(raw, NAMES.user, (value) => asId(value) ?? firstOf(asObject(value) ?? {}, NAMES.userId, asId));

/** A list of changes, an object of changes by field, or the entry itself as the only change. */
export function changesOf(raw: Raw): ValueChange[] {
	return firstOf(raw, NAMES.changes, changesIn) ?? changeIn(raw, ['fieldId', 'field', 'column']);
}

function changesIn(value: unknown): ValueChange[] | undefined {
	if (Array.isArray(value))
		return value.every(isJsonObject) ? value.flatMap((change) => changeIn(change)) : undefined;
	return isJsonObject(value)
		? Object.entries(value).map(([field, sides]) => ({ field, ...sidesIn(sides) }))
		: undefined;
}

function changeIn(change: Raw, names: readonly string[] = NAMES.field): ValueChange[] {
	const field = firstOf(
		change,
		names,
		(value) => asId(value) ?? firstOf(asObject(value) ?? {}, NAMES.fieldId, asId),
	);
	return field === undefined ? [] : [{ field, ...namedSides(change) }];
}

/** `{ old, new }` under any of their names; any other value is the new value. */
function sidesIn(value: unknown): Pick<ValueChange, 'old' | 'new'> {
	const sides = asObject(value);
	const isNamed = sides && [...NAMES.old, ...NAMES.new].some((name) => Object.hasOwn(sides, name));
	return isNamed ? namedSides(sides) : { old: undefined, new: value };
}

function namedSides(raw: Raw): Pick<ValueChange, 'old' | 'new'> {
	const valueOf = (names: readonly string[]) => firstOf(raw, names, (side) => side);
	return { old: valueOf(NAMES.old), new: valueOf(NAMES.new) };
}
