import { isJsonObject } from '../../formats/json';
import { parseMoment } from '../../formats/moment';
import { statedKind } from './updateKind';
import { isIdentifiedByRow, type Update } from './updateRecord';

/**
 * Members that may differ at each reading: links, the current row, and echoed parameters of the
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

/** The same for a row without a time, in which any other member may be the changed column. */
const CHANGING_IN_ROW = new Set(['_links', '_embedded', 'links']);

/** Lists in any order, which a service may read from a set. */
const UNORDERED = new Set(['changes', 'changedFields', 'diff', 'fields']);

/**
 * The same text for the same change at each reading, even if the service writes it differently. An
 * id alone is not sufficient: it may be the id of the row, unique only within the row, reused
 * later, or shared by all changes of a transaction. So it is combined with row, time, kind and
 * content.
 */
function identityOf(update: Update): string {
	const { id, entityId, time, timestamp, changes, entity, raw } = update;
	const moment = timestamp === undefined ? null : (momentText(timestamp) ?? timestamp);
	if (id === undefined) {
		const isRow = entity === raw;
		const content = contentOf(raw, isRow && time === undefined ? CHANGING_IN_ROW : CHANGING);
		const row = entity && !isRow && isIdentifiedByRow(update) ? [contentOf(entity, CHANGING_IN_ROW)] : [];
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
 * The identities of the changes of one page. A page is a snapshot of the feed, so identical changes
 * on it are different changes.
 */
export function identitiesOf(updates: readonly Update[]): string[] {
	const counts = new Map<string, number>();
	return updates.map((update) => {
		const identity = identityOf(update);
		const count = (counts.get(identity) ?? 0) + 1;
		counts.set(identity, count);
		// With an id, it is one change that is listed twice.
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
 * A canonical value: independent of the order of members and the offsets of moments.
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

/** Length of the shortest moment with an offset, `2026-03-01T12:00Z`. */
const MIN_MOMENT_LENGTH = 17;

/**
 * A moment in milliseconds, with further digits; undefined for a text without an offset.
 */
function momentText(text: string): string | undefined {
	if (text.length < MIN_MOMENT_LENGTH || text[4] !== '-') return undefined;
	const written = parseMoment(text);
	if (written?.offset === undefined) return undefined;
	const beyond = /[.,]\d{3}(\d*[1-9])/.exec(text)?.[1] ?? '';
	return `${written.wall - written.offset}.${beyond}`;
}
