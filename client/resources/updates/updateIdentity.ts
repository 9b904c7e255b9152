import { isJsonObject } from '../../formats/json';
import { parseMoment } from '../../formats/moment';
import { statedKind } from './updateKind';
import { tellsOnlyRow, type Update } from './updateRecord';

/**
 * Members that may read otherwise each time: links, the row as it is now, and what only echoes the
 * request.
 */
const CHANGING = new Set([
	'_links',
	'_embedded',
	'links',
	'entity',
	'row',
	'record',
	'entry',
	'since',
	'until',
	'asOf',
]);

/** Of a row without a time, each column may be the one that has changed, whatever it is called. */
const CHANGING_IN_ROW = new Set(['_links', '_embedded', 'links']);

/** Lists whose order means nothing: a service may read them from a set. */
const UNORDERED = new Set(['changes', 'changedFields', 'diff', 'fields']);

/**
 * One text for the same change whenever it is read, however the service writes it this time. An id
 * alone proves nothing: it may be the row's, unique only within the row, used again later, or
 * shared by all changes of one transaction. So it counts together with row, time, kind and content.
 */
function identityOf(update: Update): string {
	const { id, entityId, time, timestamp, changes, entity, raw } = update;
	const moment = timestamp === undefined ? null : (momentText(timestamp) ?? timestamp);
	if (id === undefined) {
		const isRow = entity === raw;
		const content = contentOf(raw, isRow && time === undefined ? CHANGING_IN_ROW : CHANGING);
		const row = entity && !isRow && tellsOnlyRow(update) ? [contentOf(entity, CHANGING_IN_ROW)] : [];
		return JSON.stringify(['content', entityId, moment, content, ...row]);
	}
	const kind = statedKind(raw, false) ?? null;
	// Creations and deletions change the row once; any other change without values is identified by
	// all its members.
	const isOnce = kind === 'created' || kind === 'deleted';
	const content = changes.length > 0 ? sorted(changes.map(comparable)) : isOnce ? [] : contentOf(raw);
	return JSON.stringify(['id', id, entityId, moment, kind, content]);
}

/**
 * The identities of the changes of one page. A page shows one moment of the feed, so changes that
 * are alike in everything are as many as it lists.
 */
export function identitiesOf(updates: readonly Update[]): string[] {
	const counts = new Map<string, number>();
	return updates.map((update) => {
		const identity = identityOf(update);
		const count = (counts.get(identity) ?? 0) + 1;
		counts.set(identity, count);
		// With an id of its own it is one change that is listed twice.
		return count === 1 || update.id !== undefined ? identity : `${identity}#${count}`;
	});
}

function contentOf(raw: Record<string, unknown>, without = CHANGING): unknown[] {
	return Object.keys(raw)
		.filter((name) => !without.has(name))
		.sort()
		.map((name) => {
			const value = comparable(raw[name]);
			return [name, Array.isArray(value) && UNORDERED.has(name) ? sorted(value) : value];
		});
}

const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();

/**
 * The same value reads the same, in whatever order its members come and with whatever offset its
 * moments.
 */
function comparable(value: unknown): unknown {
	if (typeof value === 'string') return momentText(value) ?? value;
	if (Array.isArray(value)) return value.map(comparable);
	return isJsonObject(value) ? membersOf(value).map(([name, member]) => [name, comparable(member)]) : value;
}

const membersOf = (value: Record<string, unknown>) =>
	Object.entries(value)
		.filter(([name]) => name !== '_links' && name !== '_embedded')
		.sort(([one], [other]) => (one < other ? -1 : 1));

/** Length of the shortest text that names a moment with an offset, such as `2026-03-01T12:00Z`. */
const MIN_MOMENT_LENGTH = 17;

/**
 * A moment in milliseconds, with the digits below them; undefined for a text that names no offset.
 */
function momentText(text: string): string | undefined {
	if (text.length < MIN_MOMENT_LENGTH || text[4] !== '-') return undefined;
	const written = parseMoment(text);
	if (written?.offset === undefined) return undefined;
	const beyond = /[.,]\d{3}(\d*[1-9])/.exec(text)?.[1] ?? '';
	return `${written.wall - written.offset}.${beyond}`;
}
