import type { ResponseTooLarge } from '../http/responseLimit';
import type { Entity } from './entities';
import { EndlessPages } from '../errors';
import type { Grid } from './grids';
import { pageSchema, type Link } from '../hal/links';
import { jsonObject } from '../formats/json';
import { readPages, type Items } from '../session/paging';
import { endpoints } from '../endpoints/endpoints';
import { partOf } from '../endpoints/permission';
import { parseResponse, type Session } from '../session/session';
import { identitiesOf } from './updates/updateIdentity';
import { readUpdate, type Update } from './updates/updateRecord';

const eventsPage = pageSchema(jsonObject);

/** Status of a response without events. */
const NO_CONTENT = 204;
/** Maximum duration of reading a history. */
const MAX_READING_MS = 3_600_000;

/** An item that is too large to read, by its sequence number in the list. */
export interface Unreadable {
	position: number;
	error: ResponseTooLarge;
}

export class History {
	constructor(private readonly session: Session) {}

	/**
	 * Who changed which value of an entity when (§4.5 events), in the service's order. The fields of
	 * an event are not specified (§6, gaps), so each is read under every plausible name and kept in
	 * `raw`.
	 * @param entity its id, or its representation, whose link is then followed
	 * @param unreadable stands for an event that is too large by itself; without it, that is thrown
	 * @throws NotFound, Forbidden (§7)
	 */
	async of(
		grid: Grid,
		entity: string | Entity,
		limit?: number,
		unreadable?: (problem: Unreadable) => Update,
	): Promise<Items<Update>> {
		const until = this.session.transport.now() + MAX_READING_MS;
		const entityId = typeof entity === 'string' ? entity : entity._id;
		const target = partOf(grid, { entityId }, typeof entity === 'string' ? undefined : entity);
		const { items, unstable } = await readPages({
			fetchPage: async (pageIndex, pageSize) => {
				const answer = await this.session.follow(endpoints.eventList, target, {
					query: { pageIndex, pageSize },
				});
				if (answer.status === NO_CONTENT) return { items: [], _links: new Map<string, Link>() };
				const page = parseResponse(eventsPage, answer);
				const events = page.items.map((raw) => eventOf(raw, entityId));
				return { ...page, items: placed(events, page.numberOfItems === undefined ? undefined : pageIndex) };
			},
			unreadable:
				unreadable &&
				((position, error) => {
					const identity = `unreadable ${position}`;
					return { event: unreadable({ position, error }), content: identity, identity };
				}),
			refusal: () =>
				this.session.transport.now() > until
					? new EndlessPages('The history has not come to its end within an hour')
					: undefined,
			identity: ({ identity }) => identity,
			limiter: this.session.limiter,
			limit,
		});
		const events = items.map(({ event }) => event);
		// In a history that keeps changing, an event that moved to the next page was read twice.
		return unstable ? { items: eachOnce(items), unstable } : { items: events };
	}
}

interface PlacedEvent {
	event: Update;
	/** The same on whichever page it stands. */
	content: string;
	identity: string;
}

/**
 * Events without an id of their own may be alike in everything: then they are told apart by where
 * they stand.
 * @param pageIndex undefined if the list is not counted: then only a page that brings nothing new
 * ends it
 */
function placed(events: Update[], pageIndex: number | undefined): PlacedEvent[] {
	const contents = identitiesOf(events);
	return events.map((event, index) => {
		const content = contents[index] ?? '';
		const isPlaced = event.id === undefined && pageIndex !== undefined;
		return { event, content, identity: isPlaced ? `${pageIndex} ${content}` : content };
	});
}

const eachOnce = (items: readonly PlacedEvent[]) => [
	...new Map(items.map(({ content, event }) => [content, event])).values(),
];

/** In an entity's own history an event need not say which entity it is about. */
function eventOf(raw: Record<string, unknown>, entityId: string): Update {
	const event = readUpdate({ entityId, ...raw }) ?? readUpdate({ ...raw, entityId });
	return event ? { ...event, entityId, raw } : { kind: 'updated', entityId, changes: [], raw };
}
