import { linksIn } from '../../hal/links';
import { isJsonObject } from '../../formats/json';
import { asId, asRecord, firstOf } from './entryMembers';
import { entryTime, hasEventTime, kindByTimes, rowMoment, timeMembersOf } from './entryTimes';
import { statedKind, type UpdateKind } from './updateKind';

/** The change of one value. `old` or `new` is undefined if the feed does not contain it. */
interface FieldChange {
	/** Field id, key or name, depending on the feed. */
	field: string;
	old: unknown;
	new: unknown;
}

/** One entry of the updates feed, read from any shape: none is specified (§4 Gaps). */
export interface Update {
	/** An id other than that of the row. It may not identify the event: see `identityOf`. */
	id?: string;
	kind: UpdateKind;
	/**
	 * The row's id; its address if the entry only links to it and the address contains no id; empty
	 * for changes of other things than rows.
	 */
	entityId: string;
	/** Address of the row, if the entry links to it. */
	entityHref?: string;
	/** Milliseconds since 1970; undefined for a row with only a creation time. */
	time?: number;
	/** The time as sent by the service. */
	timestamp?: string;
	changedBy?: string;
	changes: FieldChange[];
	/** The entity's values, if the feed contains them. */
	entity?: Record<string, unknown>;
	raw: Record<string, unknown>;
}

type Raw = Record<string, unknown>;

const IDS = ['id', '_id', 'eventId', 'event_id', 'changeId', 'uuid'];
const ENTITY_IDS = ['entityId', 'entity_id', 'rowId', 'recordId', 'entryId'];
const ENTITIES = ['entity', 'row', 'record', 'entry'];
const CHANGES = ['changes', 'changedFields', 'diff', 'fields', 'values'];
/** The same without names under which a row may have its values. */
const CHANGES_OF_ROW = ['changes', 'changedFields', 'diff'];
const PEOPLE = ['userId', 'changedBy', 'modifiedBy', 'updatedBy', 'author', 'actor', 'user', 'by'];
const FIELD_NAMES = ['fieldId', 'field', 'key', 'name', 'column', 'id'];
const OLD_VALUES = ['oldValue', 'old', 'from', 'before', 'previous', 'previousValue'];
const NEW_VALUES = ['newValue', 'new', 'to', 'after', 'current', 'value'];

/**
 * Reads one entry of the feed: a change event, or only the changed entity.
 * @param since start of the requested period, in milliseconds since 1970: a row created earlier was
 * updated
 * @returns undefined if the entry contains neither the entity nor the kind of change
 */
export function readUpdate(entry: unknown, since = -Infinity): Update | undefined {
	if (!isJsonObject(entry)) return undefined;
	const raw = entry;
	const nested = firstOf(raw, ENTITIES, asRecord);
	const href = hrefOfRow(raw, nested);
	const own = idOf(raw);
	const named = isRow(raw, href) ? undefined : entityIdOf(raw, nested, href);
	if (named === undefined || named === own) return changedEntity(raw, since, { href, named, nested });
	return changeEvent(raw, named, { href, nested, since });
}

function changeEvent(
	raw: Raw,
	entityId: string,
	{ href, nested, since }: { href: string | undefined; nested: Raw | undefined; since: number },
): Update {
	const id = firstOf(raw, IDS, (value) => (asId(value) === entityId ? undefined : asId(value)));
	const changes = changesOf(raw);
	const row = nested && isIdentifiedByRow({ id, changes, raw }) ? nested : undefined;
	return {
		...(id === undefined ? {} : { id }),
		entityId,
		...(href === undefined ? {} : { entityHref: href }),
		kind: statedKind(raw, false) ?? kindByTimes(row ?? raw, since),
		...(row ? rowMoment(row) : timeMembersOf(raw)),
		...personOf(raw),
		changes,
		...(nested === undefined ? {} : { entity: nested }),
		raw,
	};
}

/**
 * Whether only the row within an entry distinguishes one change from the next. Creations and
 * deletions happen once, so they do not need the row, which may change later.
 */
export function isIdentifiedByRow({
	id,
	changes,
	raw,
}: Pick<Update, 'changes' | 'raw'> & { id?: string | undefined }): boolean {
	if (id !== undefined || changes.length > 0 || entryTime(raw) !== undefined) return false;
	const kind = statedKind(raw, false);
	return kind !== 'created' && kind !== 'deleted';
}

/** An entry with the id of the row: the row itself, or an event without another id. */
function changedEntity(
	raw: Raw,
	since: number,
	{ href, named, nested }: { href: string | undefined; named: string | undefined; nested: Raw | undefined },
): Update | undefined {
	const entityId = idOf(raw) ?? href;
	const isEvent = named !== undefined || CHANGES_OF_ROW.some((name) => readChanges(raw[name])?.length);
	if (entityId !== undefined && isEvent) return changeEvent(raw, entityId, { href, nested, since });
	if (entityId === undefined) return gridChange(raw);
	return {
		entityId,
		...(href === undefined ? {} : { entityHref: href }),
		kind: statedKind(raw, !hasEventTime(raw)) ?? kindByTimes(raw, since),
		...rowMoment(raw),
		...personOf(raw),
		changes: [],
		entity: raw,
		raw,
	};
}

/**
 * A change of something other than a row, e.g. a new column: reported under the service's word for
 * it.
 */
function gridChange(raw: Raw): Update | undefined {
	const kind = statedKind(raw, false);
	if (kind === undefined || KNOWN_KINDS.has(kind)) return undefined;
	return { entityId: '', kind, ...timeMembersOf(raw), ...personOf(raw), changes: [], raw };
}

const KNOWN_KINDS = new Set(['created', 'updated', 'deleted']);

/** §2.6: whether this is a row. Its columns may have the names of event members. */
function isRow(raw: Raw, href: string | undefined): boolean {
	const id = asId(raw._id);
	if (id === undefined || raw.changes !== undefined) return false;
	const links = linksIn(raw._links);
	return links.has('remove') || links.has('update') || (href !== undefined && rowInPath(href) === id);
}

function entityIdOf(raw: Raw, nested: Raw | undefined, href: string | undefined): string | undefined {
	const named = firstOf(raw, ENTITY_IDS, asId) ?? firstOf(raw, ENTITIES, idInText);
	return named ?? (nested && idOf(nested)) ?? (href === undefined ? undefined : (rowInPath(href) ?? href));
}

/** `"entity": "e1"`, or its address. */
function idInText(value: unknown): string | undefined {
	if (typeof value !== 'string' || value === '') return undefined;
	return value.includes('/') ? (rowInPath(value) ?? value) : value;
}

/**
 * Address of the row: a link to it, its own link, or the link of the entry if it leads to a row.
 */
function hrefOfRow(raw: Raw, nested: Raw | undefined): string | undefined {
	const links = linksIn(raw._links);
	const named = ENTITIES.map((rel) => links.get(rel)?.href).find((href) => href !== undefined);
	const ofNested = nested && linksIn(nested._links).get('self')?.href;
	const self = links.get('self')?.href;
	const href = named ?? ofNested ?? (self !== undefined && rowInPath(self) !== undefined ? self : undefined);
	return href?.replace(/\{[^{}]*\}/g, '');
}

/** The id in an address of the form of §4.5. */
function rowInPath(href: string): string | undefined {
	const segment = /\/entities\/([^/?#{]+)/.exec(href)?.[1];
	if (segment === undefined) return undefined;
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
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

/** A list of changes, an object of changes by field, or the entry itself as the only change. */
function changesOf(raw: Raw): FieldChange[] {
	const listed = firstOf(raw, CHANGES, readChanges);
	return listed ?? [raw].flatMap((change) => changeOf(change, ['fieldId', 'field', 'column']) ?? []);
}

function readChanges(value: unknown): FieldChange[] | undefined {
	if (Array.isArray(value) && value.every(isJsonObject))
		return value.flatMap((change) => changeOf(change) ?? []);
	return isJsonObject(value)
		? Object.entries(value).map(([field, sides]) => ({ field, ...sidesOf(sides) }))
		: undefined;
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

/** `{ old, new }` under any of their names; any other value is the new value. */
function sidesOf(value: unknown): Pick<FieldChange, 'old' | 'new'> {
	const sides = asRecord(value);
	const known = sides && [...OLD_VALUES, ...NEW_VALUES].some((name) => name in sides);
	return sides && known
		? { old: oneOf(sides, OLD_VALUES), new: oneOf(sides, NEW_VALUES) }
		: { old: undefined, new: value };
}

const idOf = (record: Raw) => asId(record._id) ?? asId(record.id);

const oneOf = (record: Raw, names: readonly string[]) => firstOf(record, names, (value) => value);
