import { isJsonObject } from '../../formats/json';
import { kindOfWord, hasKindOfChange, statedKind } from './updateKind';
import { entryTime } from './entryTimes';

type JsonObject = Record<string, unknown>;

/** The changes in a page of the feed. */
export interface FeedEntries {
	/** One per change, even if the feed groups them by row or by kind. */
	entries: unknown[];
	/** Number of members of the list itself: entries, or groups of them. */
	listed: number;
	/**
	 * Whether the members are groups of changes, so that their number is not the number of changes.
	 */
	isGrouped: boolean;
}

/** Members of a page other than its list (§2.2). */
const PAGING = new Set(
	'page pageSize size numberOfItems numberOfPages since until _links _representation _embedded'.split(' '),
);
/** Names under which a row lists its changes. */
const GROUPS = ['events', 'updates', 'history', 'entries', 'items', 'changes', 'log'];
/** Names of a list that cannot be ids of rows. */
const LIST_NAMES = new Set([
	...GROUPS,
	'data',
	'results',
	'rows',
	'records',
	'entities',
	'value',
	'values',
	'list',
]);
/** Names under which a group identifies its row; `readUpdate` reads all of them. */
const ROW_MEMBERS = [
	'entityId',
	'entity_id',
	'rowId',
	'recordId',
	'entryId',
	'entity',
	'row',
	'record',
	'entry',
	'_id',
	'id',
	'_links',
];

/**
 * Finds the changes in a page of the feed: a bare array, a paged collection (§2.2), a list under
 * `_embedded` or one other name, each grouped by row or not; an object of lists by row, or by kind
 * (`{ created: […], deleted: […] }`).
 * @param body parsed JSON
 * @returns undefined if the body has none of these shapes
 */
export function entriesIn(body: unknown): FeedEntries | undefined {
	const list = listIn(body);
	if (list) {
		const groups = list.map(groupIn);
		const beside = besideList(body, list);
		const entries = [...list.flatMap((entry, index) => groups[index] ?? [entry]), ...beside];
		const isGrouped = beside.length > 0 || groups.some((group) => group !== undefined);
		return { entries, listed: list.length, isGrouped };
	}
	if (!isJsonObject(body)) return undefined;
	if ([body, body['items']].some(isEmptyObject)) return { entries: [], listed: 0, isGrouped: true };
	return [body, body['items'], body['_embedded']].map((value) => byKind(value) ?? byRow(value)).find(Boolean);
}

/** An object of lists by row is empty if nothing has changed. */
const isEmptyObject = (value: unknown) => isJsonObject(value) && Object.keys(value).length === 0;

function listIn(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (!isJsonObject(body)) return undefined;
	if (Array.isArray(body['items'])) return body['items'];
	return onlyList(body['_embedded']) ?? onlyList(body) ?? nullList(body) ?? nullList(body['_embedded']);
}

/** Some services write an empty list as null. */
function nullList(value: unknown): [] | undefined {
	if (!isJsonObject(value) || Number(value['size'] ?? value['numberOfItems'] ?? 0) !== 0) return undefined;
	const isNamed = Object.entries(value).some(([name, member]) => member === null && LIST_NAMES.has(name));
	return isNamed ? [] : undefined;
}

/** The only list in an object, unless its name is the id of a row or a kind of change. */
function onlyList(value: unknown): unknown[] | undefined {
	if (!isJsonObject(value)) return undefined;
	const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
	const [name, list] = lists[0] ?? [];
	if (lists.length !== 1 || name === undefined || !Array.isArray(list)) return undefined;
	if (LIST_NAMES.has(name)) return list;
	return kindOfList(name) !== undefined || list.some((entry) => isOrphan(entry)) ? undefined : list;
}

/**
 * Whether an object describes a change but not its row: an `id` next to the kind of change is the
 * id of the event.
 */
function isOrphan(value: unknown): value is JsonObject {
	if (!isJsonObject(value) || !isEvent(value)) return false;
	const named = ROW_MEMBERS.filter((name) => Object.hasOwn(value, name));
	return named.every((name) => name === 'id' && hasKindOfChange(value));
}

const isEvent = (value: JsonObject) => hasKindOfChange(value) || entryTime(value) !== undefined;

/** The changes of one row, if an entry is a group of them. */
function groupIn(entry: unknown): unknown[] | undefined {
	if (!isJsonObject(entry)) return undefined;
	for (const name of GROUPS) {
		const group = entry[name];
		if (!Array.isArray(group)) continue;
		const events = group.filter(
			(member) =>
				isJsonObject(member) && (isEvent(member) || (name !== 'changes' && statedKind(member, false))),
		);
		// Changed fields may have times, too; then the entry itself is the event.
		const isGroup = name === 'changes' ? !hasKindOfChange(entry) && group.length > 0 : true;
		if (isGroup && events.length === group.length) return group.map((event) => ofRow(entry, event));
	}
	return undefined;
}

/**
 * A change with the members of its group that identify the row; its own members take precedence.
 */
function ofRow(group: JsonObject, event: unknown): unknown {
	if (!isJsonObject(event)) return event;
	const named = ROW_MEMBERS.filter((name) => Object.hasOwn(group, name)).map((name) => [name, group[name]]);
	const own = Object.fromEntries(named);
	const id = own['_id'] ?? own['id'];
	return { ...(id === undefined || 'entityId' in own ? {} : { entityId: id }), ...own, ...event };
}

/** `{ "<row id>": [change, …] }`, or one change per row. */
function byRow(value: unknown): FeedEntries | undefined {
	const members = membersOf(value);
	if (members.length === 0) return undefined;
	const groups = members.map(([entityId, group]) => {
		const events: unknown[] = Array.isArray(group) ? group : [group];
		const orphans = events.filter(isOrphan);
		return orphans.length === events.length ? orphans.map((event) => ({ entityId, ...event })) : undefined;
	});
	if (groups.some((group) => group === undefined)) return undefined;
	return { entries: groups.flatMap((group) => group ?? []), listed: members.length, isGrouped: true };
}

/** `{ "created": [row, …], "deleted": [row id, …] }` */
function byKind(value: unknown): FeedEntries | undefined {
	const members = membersOf(value);
	if (members.length === 0) return undefined;
	const isKind = ([name, list]: readonly [string, unknown]) =>
		(list === null || Array.isArray(list)) && kindOfList(name) !== undefined;
	if (!members.every(isKind)) return undefined;
	const entries = members.flatMap(([name, list]) => ofKind(kindOfList(name), list));
	return { entries, listed: entries.length, isGrouped: true };
}

/** Entries for rows, or ids of rows, with the same kind of change. */
const ofKind = (type: string | undefined, list: unknown) =>
	(Array.isArray(list) ? list : []).map((entry: unknown) => ({
		type,
		...(isJsonObject(entry) ? entry : { entityId: entry }),
	}));

/**
 * The changes that a page lists by kind in addition to its list: `{ items: […], deletedIds: […] }`.
 */
function besideList(body: unknown, list: readonly unknown[]): unknown[] {
	if (!isJsonObject(body)) return [];
	return [...membersOf(body), ...membersOf(body['_embedded'])].flatMap(([name, member]) =>
		member === list ? [] : ofKind(kindOfList(name), kindOfList(name) === undefined ? [] : member),
	);
}

/** The kind of change in the name of a list: "deleted", "removedRows", "deletedIds". */
const kindOfList = (name: string) => kindOfWord(name.replace(/_?ids?$/i, ''));

const membersOf = (value: unknown) =>
	isJsonObject(value)
		? Object.entries(value).filter(([name, member]) => !PAGING.has(name) && typeof member === 'object')
		: [];
