import { endpoints } from '../endpoints/endpoints';
import { partOfGrid } from '../endpoints/permission';
import { EndlessPages } from '../errors';
import { jsonObject } from '../formats/json';
import { pageSchema, type Link, type Page } from '../hal/links';
import { outcomeOf } from '../http/limiter';
import type { ResponseTooLarge } from '../http/responseLimit';
import { isMissingPage } from '../session/missingPage';
import type { PageScanPlan } from '../session/pageScanPlan';
import { readPages, refuseRepetitive, type Items } from '../session/paging';
import { parseResponse, type Session } from '../session/session';
import type { Entity } from './entities';
import type { Grid } from './grids';
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
	 * Who changed which value of an entity when (§4.5 events), in the service's order. The members
	 * of an event are not specified (§6 Gaps), so each is read under every plausible name; `raw`
	 * contains the original.
	 * @param entity its id, or its representation, whose link is then followed
	 * @param unreadable placeholder for an event that is too large to read; if omitted, it is an
	 * error
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
		const target = partOfGrid(grid, { entityId }, typeof entity === 'string' ? undefined : entity);
		const places = new PagePlaces();
		const plan: PageScanPlan<PlacedEvent> = {
			fetchPage: async (pageIndex, pageSize) => {
				const query = { pageIndex, pageSize };
				const sent = await outcomeOf(this.session.follow(endpoints.eventList, target, { query }));
				if (sent.state === 'failed') {
					if (isMissingPage(sent.error, pageIndex)) places.noteEmpty(pageIndex);
					throw sent.error;
				}
				const answer = sent.value;
				if (answer.status === NO_CONTENT) {
					places.noteEmpty(pageIndex);
					return { items: [], _links: new Map<string, Link>() };
				}
				const page = parseResponse(eventsPage, answer);
				const events = page.items.map((raw) => eventOf(raw, entityId));
				return { ...page, items: places.placed(events, pageIndex, page) };
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
		};
		let found = await readPages(plan);
		if (places.learn()) found = await readPages(plan);
		const { items, unstable } = found;
		refuseRepetitive(places);
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

/** Distinguishes identical events without an id by their pages. */
class PagePlaces {
	/** Number of the first page with the same events. */
	private readonly first = new Map<string, number>();
	private readonly pages = new Set<number>();
	private isCounted = false;
	private hasOnlyPageCount = false;
	/**
	 * Number of the last page that is like no earlier one: the service does not repeat pages there.
	 */
	private last = 0;

	/** An empty or missing page proves that the pages before it are different ones. */
	noteEmpty(pageIndex: number): void {
		this.note(JSON.stringify([]), pageIndex);
	}

	/** Adds identities to the events of a page. */
	placed(
		events: Update[],
		pageIndex: number,
		{ numberOfItems, numberOfPages }: Pick<Page<unknown>, 'numberOfItems' | 'numberOfPages'>,
	): PlacedEvent[] {
		const contents = identitiesOf(events);
		const all = JSON.stringify(contents);
		this.note(all, pageIndex);
		this.hasOnlyPageCount = numberOfItems === undefined && numberOfPages !== undefined;
		// A list without any count may end with pages that repeat another one.
		this.isCounted = numberOfItems !== undefined || numberOfPages !== undefined;
		const place = this.isCounted || pageIndex <= this.last ? pageIndex : this.first.get(all);
		return events.map((event, index) => {
			const content = contents[index] ?? '';
			return { event, content, identity: event.id === undefined ? `${place} ${content}` : content };
		});
	}

	/**
	 * Whether a page in the middle was taken for a repeated one, so that the list is read again.
	 */
	learn(): boolean {
		const { last } = this;
		const own = new Set(this.first.values());
		this.last = Math.max(...own);
		const isOwn = (page: number) => this.isCounted || page <= last || page >= this.last || own.has(page);
		return ![...this.pages].every(isOwn);
	}

	/**
	 * Whether the service seems to ignore `pageIndex`, which only a count of events could disprove.
	 */
	get isRepetitive(): boolean {
		return this.hasOnlyPageCount && this.pages.size > 1 && this.first.size === 1;
	}

	private note(contents: string, pageIndex: number): void {
		this.first.set(contents, this.first.get(contents) ?? pageIndex);
		this.pages.add(pageIndex);
	}
}

const eachOnce = (items: readonly PlacedEvent[]) => [
	...new Map(items.map(({ content, event }) => [content, event])).values(),
];

/** In the history of an entity, events may omit the entity. */
function eventOf(raw: Record<string, unknown>, entityId: string): Update {
	const event = readUpdate({ entityId, ...raw }) ?? readUpdate({ ...raw, entityId });
	return event ? { ...event, entityId, raw } : { kind: 'updated', entityId, changes: [], raw };
}
