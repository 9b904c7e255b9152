import { isJsonObject } from '../../formats/json';
import { statedKind } from './updateKind';
import type { Update } from './updateRecord';

/** Members that may read otherwise each time: links, the row as it is now, and what only echoes the request. */
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

/**
 * One text for the same change whenever it is read. An id alone proves nothing: it may be the row's, unique only within the row,
 * used again later, or shared by all changes of one transaction. So it counts together with row, time, kind and content.
 */
export function identityOf(update: Update): string {
	const { id, entityId, timestamp, changes, raw } = update;
	if (id === undefined) return JSON.stringify(['content', entityId, timestamp ?? null, contentOf(raw)]);
	const kind = statedKind(raw, false) ?? null;
	// Creations and deletions change the row once; any other change without values is told by all that the entry holds.
	const isOnce = kind === 'created' || kind === 'deleted';
	const content = changes.length > 0 ? ordered(changes) : isOnce ? [] : contentOf(raw);
	return JSON.stringify(['id', id, entityId, timestamp ?? null, kind, content]);
}

/**
 * The identities of the changes of one page. A page is made at one moment, so changes that are alike in everything are still as many as
 * stand on it.
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

function contentOf(raw: Record<string, unknown>): unknown[] {
	return Object.keys(raw)
		.filter((name) => !CHANGING.has(name))
		.sort()
		.map((name) => [name, ordered(raw[name])]);
}

/** The same value reads the same, in whatever order its members come. */
export function ordered(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(ordered);
	if (!isJsonObject(value)) return value;
	return Object.entries(value)
		.filter(([name]) => name !== '_links' && name !== '_embedded')
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, member]) => [name, ordered(member)]);
}
