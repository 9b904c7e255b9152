import { linksIn } from '../../../client/hal/links';
import { isJsonObject } from '../../../client/formats/json';
import { ordered } from '../../../client/resources/updates/updateIdentity';
import type { Update } from '../../../client/resources/updates/updates';
import { shortHash } from './key';

const CHANGING = new Set(['_links', '_embedded', 'links', 'entity', 'row', 'record', 'entry']);
const KINDS = ['type', 'kind', 'event', 'eventType', 'action', 'operation', 'changeType', 'change'];
const ENTITY_IDS = ['entityId', 'entity_id', 'rowId', 'recordId', 'entryId'];
const ENTITIES = ['entity', 'row', 'record', 'entry'];

/** The key that states of version 1 hold for a change: its id was taken for its own without proof. */
export function formerKeyOf({ entityId, kind, timestamp, raw }: Update): string {
	const id = namedEntity(raw) ? [raw.id, raw._id, raw.eventId].find(isId) : undefined;
	const content = Object.keys(raw)
		.filter((name) => !CHANGING.has(name))
		.sort()
		.map((name) => [name, ordered(raw[name])]);
	const identity =
		id === undefined
			? ['content', entityId, timestamp ?? null, formerKind(raw, kind), ...content]
			: ['id', String(id)];
	return shortHash(JSON.stringify(identity));
}

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
