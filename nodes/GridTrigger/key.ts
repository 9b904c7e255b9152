import { createHash } from 'crypto';
import type { Update } from '../../client/updates';
import { KEY_LENGTH } from './seen';

/** Members that may read otherwise each time: links, and the entity as it is now rather than as it was then. */
const CHANGING = new Set(['_links', '_embedded', 'links', 'entity', 'row', 'record', 'entry']);

/**
 * What an event is known by when it is read again (A2): its own id where it has one, else entity, time, kind and content.
 * @returns 12 characters of base64url, 72 bits: among 200,000 events, two alike by chance once in 100 thousand million
 */
export function keyOf(update: Update): string {
	const { id, entityId, timestamp, kind, raw } = update;
	const identity =
		id === undefined ? ['content', entityId, timestamp ?? null, kind, ...contentOf(raw)] : ['id', id];
	return createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, KEY_LENGTH);
}

function contentOf(raw: Record<string, unknown>): unknown[] {
	return Object.keys(raw)
		.filter((name) => !CHANGING.has(name))
		.sort()
		.map((name) => [name, ordered(raw[name])]);
}

/** The same value reads the same, in whatever order its members come. */
function ordered(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(ordered);
	if (typeof value !== 'object' || value === null) return value;
	return Object.entries(value)
		.filter(([name]) => name !== '_links' && name !== '_embedded')
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([name, member]) => [name, ordered(member)]);
}
