import { linksIn } from '../../../client/hal/links';
import { isJsonObject } from '../../../client/formats/json';
import { statedKind } from '../../../client/resources/updates/updateKind';
import type { Update } from '../../../client/resources/updates/updates';
import { shortHash } from './eventKeys';

const CHANGING = new Set(['_links', '_embedded', 'links', 'entity', 'row', 'record', 'entry']);
const CHANGING_OR_ECHOED = new Set([...CHANGING, 'since', 'until', 'asOf']);
const KINDS = ['type', 'kind', 'event', 'eventType', 'action', 'operation', 'changeType', 'change'];
const ENTITY_IDS = ['entityId', 'entity_id', 'rowId', 'recordId', 'entryId'];
const ENTITIES = ['entity', 'row', 'record', 'entry'];

/** The keys of a change in states of older versions. */
export interface OlderKeys {
	/** Version 1 used any id as the event's own. */
	one: string;
	/** Version 2 used times and changed columns as written. */
	two: string;
}

/** The keys of a change in states of older versions. */
export function olderKeysOf(update: Update): OlderKeys {
	return {
		one: shortHash(JSON.stringify(identityOne(update))),
		two: shortHash(JSON.stringify(identityTwo(update))),
	};
}

function identityOne({ entityId, kind, timestamp, raw }: Update): unknown[] {
	const id = namedEntity(raw) ? [raw.id, raw._id, raw.eventId].find(isId) : undefined;
	return id === undefined
		? ['content', entityId, timestamp ?? null, formerKind(raw, kind), ...contentOf(raw, CHANGING)]
		: ['id', String(id)];
}

function identityTwo({ id, entityId, timestamp, changes, raw }: Update): unknown[] {
	const content = () => contentOf(raw, CHANGING_OR_ECHOED);
	if (id === undefined) return ['content', entityId, timestamp ?? null, content()];
	const kind = statedKind(raw, false) ?? null;
	const isOnce = kind === 'created' || kind === 'deleted';
	const values = changes.length > 0 ? ordered(changes) : isOnce ? [] : content();
	return ['id', id, entityId, timestamp ?? null, kind, values];
}

const contentOf = (raw: Record<string, unknown>, without: ReadonlySet<string>) =>
	Object.keys(raw)
		.filter((name) => !without.has(name))
		.sort()
		.map((name) => [name, ordered(raw[name])]);

function namedEntity(raw: Record<string, unknown>): boolean {
	if (ENTITY_IDS.some((name) => isId(raw[name]))) return true;
	const nested = ENTITIES.map((name) => raw[name]).find(isJsonObject);
	if (nested && (isId(nested._id) || isId(nested.id))) return true;
	return linksIn(raw._links).has('entity');
}

function formerKind(raw: Record<string, unknown>, kind: string): string {
	for (const name of KINDS) {
		const word = raw[name];
		if (typeof word !== 'string') continue;
		if (/creat|insert|add/i.test(word)) return 'created';
		if (/delet|remov/i.test(word)) return 'deleted';
		if (/updat|chang|modif|edit|restor/i.test(word)) return 'updated';
	}
	return kind === 'created' || kind === 'deleted' ? kind : 'updated';
}

const isId = (value: unknown) =>
	(typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && value !== '');

/** Sorts members by name, so that equal values have equal texts. */
function ordered(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(ordered);
	if (!isJsonObject(value)) return value;
	return Object.entries(value)
		.filter(([name]) => name !== '_links' && name !== '_embedded')
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, member]) => [name, ordered(member)]);
}
