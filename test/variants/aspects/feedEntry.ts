import { z } from 'zod/v4';
import { isJsonObject, jsonSchema, type Json, type JsonObject } from '../exchange';
import type { Feed } from './feedSettings';

/** One change as the embedded service tells it. */
const changeSchema = z.object({
	id: z.string(),
	type: z.enum(['created', 'updated', 'deleted']),
	timestamp: z.string(),
	entityId: z.string(),
	userId: z.string(),
	changes: z.array(z.object({ fieldId: z.string(), oldValue: jsonSchema, newValue: jsonSchema })),
	entity: z.record(z.string(), jsonSchema).optional(),
});
/** With the link to its row, which the embedded service leaves out of what is gone. */
export type Change = z.infer<typeof changeSchema> & { self: JsonObject };

const KINDS: Record<Feed['kinds'], Record<Change['type'], string>> = {
	plain: { created: 'created', updated: 'updated', deleted: 'deleted' },
	upper: { created: 'CREATED', updated: 'UPDATED', deleted: 'DELETED' },
	dotted: { created: 'entity.created', updated: 'entity.updated', deleted: 'entity.deleted' },
	unknown: { created: 'created', updated: 'archived', deleted: 'deleted' },
};

/** A moment in the feed's spelling. */
function momentOf(feed: Feed, time: number): Json {
	const iso = new Date(time).toISOString();
	switch (feed.times) {
		case 'iso':
			return iso;
		case 'offset':
			return new Date(time + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
		case 'nanoseconds':
			return iso.replace('Z', '000001Z');
	}
}

function changesOf({ changes }: Change, feed: Feed): JsonObject {
	switch (feed.changes) {
		case 'list':
			return { changes: changes.map(({ fieldId, oldValue, newValue }) => ({ fieldId, oldValue, newValue })) };
		case 'by field':
			return {
				changes: Object.fromEntries(
					changes.map(({ fieldId, oldValue, newValue }) => [fieldId, { old: oldValue, new: newValue }]),
				),
			};
		case 'none':
			return {};
	}
}

function idOf(change: Change, feed: Feed): JsonObject {
	switch (feed.ids) {
		case 'own':
			return { id: change.id };
		case 'own _id':
			return { _id: change.id };
		case 'of the row':
			return { id: change.entityId };
		case '_id of the row':
			return { _id: change.entityId };
		case 'none':
			return {};
	}
}

/** One event as an entry of the feed, or of a history. */
export function eventEntry(change: Change, feed: Feed): JsonObject {
	const { type, timestamp, entityId, userId, entity, self } = change;
	const event = {
		...idOf(change, feed),
		type: KINDS[feed.kinds][type],
		timestamp: momentOf(feed, Date.parse(timestamp)),
		userId,
		...changesOf(change, feed),
	};
	switch (feed.entry) {
		case 'event':
		case 'row':
			return { ...event, entityId, ...(entity ? { entity } : {}), _links: { entity: self } };
		case 'linked':
			return { ...event, entity: { _links: { self } } };
		case 'nested':
			return { ...event, entity: { _id: entityId, ...entity, _links: { self } } };
	}
}

/**
 * A row that has changed, with what it holds now; one that is gone says so.
 * @param change the last one of the row
 */
export function rowEntry(change: Change, all: readonly Change[], feed: Feed): JsonObject {
	const { entityId, timestamp, type, entity, self } = change;
	const created = all.find((one) => one.entityId === entityId && one.type === 'created');
	const times = {
		createdAt: momentOf(feed, Date.parse(created?.timestamp ?? timestamp)),
		...(feed.rowTimes === 'both' ? { modifiedAt: momentOf(feed, Date.parse(timestamp)) } : {}),
	};
	const state: JsonObject = type === 'deleted' ? { deleted: true } : { ...entity };
	return {
		_id: entityId,
		_representation: 'summary',
		...state,
		...times,
		_links: { self },
	};
}

/** The last change of each row. */
export function lastOfEach<Event extends { entityId: string }>(changes: readonly Event[]): Event[] {
	const last = new Map(changes.map((change) => [change.entityId, change]));
	return changes.filter((change) => last.get(change.entityId) === change);
}

/** The changes of the embedded service in a body. @param grid the address of its grid */
export function changesIn(body: Json, grid: string): Change[] | undefined {
	if (!isJsonObject(body)) return undefined;
	return z
		.array(changeSchema)
		.safeParse(body['items'])
		.data?.map((change) => ({
			...change,
			self: { href: `${grid}/entities/${change.entityId}`, method: 'get' },
		}));
}
