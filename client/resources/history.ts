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
/** Maximum time for reading a history. */
const MAX_READING_MS = 3_600_000;

/** An item that is too large to read, by its sequence number in the list. */
export interface Unreadable {
	position: number;
	error: ResponseTooLarge;
}

export class History {
	constructor(private readonly session: Session) {}

	/**
	 * Who changed which value of an entity when (§4.5 events), in the service's order. The members of
	 * an event are not specified (§6 Gaps), so each is read under every plausible name; `raw` contains
	 * the original.
	 * @param entity its id, or its representation, whose link is then followed
	 * @param unreadable placeholder for an event that is too large to read; if omitted, it is an error
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
					? new EndlessPages('The history could not be read within an hour')
					: undefined,
			identity: ({ identity }) => identity,
			limiter: this.session.limiter,
			limit,
		});
		const events = items.map(({ event }) => event);
		// If the history kept changing, events that moved to the next page were read twice.
		return unstable ? { items: eachOnce(items), unstable } : { items: events };
	}
}

interface PlacedEvent {
	event: Update;
	/** The same on every page. */
	content: string;
	identity: string;
}

/**
 * Adds identities to events. Identical events without an id are distinguished by their page.
 * @param pageIndex undefined if the list is not counted and so only ends with a page without new
 * events
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

/** In the history of an entity, events may omit the entity. */
function eventOf(raw: Record<string, unknown>, entityId: string): Update {
	const event = readUpdate({ entityId, ...raw }) ?? readUpdate({ ...raw, entityId });
	return event ? { ...event, entityId, raw } : { kind: 'updated', entityId, changes: [], raw };
}
