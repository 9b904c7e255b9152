import { endpoints } from '../endpoints/endpoints';
import { partOfGrid } from '../endpoints/permission';
import { isJsonObject } from '../formats/json';
import { pagesOf, readPage } from '../lists/page';
import { readList, type Items } from '../lists/readList';
import type { Session } from '../session/session';
import type { Entity } from './entities';
import type { Grid } from './grids';
import { identitiesOf } from './updates/updateIdentity';
import { entrySchema, readUpdate, type Update } from './updates/updateRecord';
import { saysWhatChanged } from './updates/words';

export class History {
	constructor(private readonly session: Session) {}

	/**
	 * Who changed which value of an entity when (§4.5 events), in the service's order. The members
	 * of an event are not specified (§6 Gaps), so each is read under every plausible name; `raw`
	 * contains the original.
	 * @param entity its id, or its representation, whose link is then followed
	 * @throws NotFound, Forbidden (§7), and what `readList` throws
	 */
	async of(grid: Grid, entity: string | Entity, limit?: number): Promise<Items<Update>> {
		const entityId = typeof entity === 'string' ? entity : entity._id;
		const target = partOfGrid(grid, { entityId }, typeof entity === 'string' ? undefined : entity);
		const eventPages = pagesOf(eventIn(entityId));
		const { items, unstable } = await readList<PlacedEvent>(
			{
				fetchPage: async (request) => {
					const query = { ...request };
					const answer = await this.session.follow(endpoints.eventList, target, { query });
					const page = readPage(eventPages, answer, request);
					return { ...page, items: placed(page.items, request.pageIndex) };
				},
				identity: ({ identity }) => identity,
				limiter: this.session.limiter,
				isPositional: true,
			},
			{ limit },
		);
		if (!unstable) return { items: items.map(({ event }) => event) };
		// Events that moved to another page were read twice.
		const eachOnce = new Map(items.map(({ content, event }) => [content, event]));
		return { items: [...eachOnce.values()], unstable };
	}
}

interface PlacedEvent {
	event: Update;
	/** The same on every page. */
	content: string;
	identity: string;
}

/** Events of a page. Equal ones without an id are told apart by their pages. */
function placed(events: Update[], pageIndex: number): PlacedEvent[] {
	const contents = identitiesOf(events);
	return events.map((event, index) => {
		const content = contents[index] ?? '';
		return { event, content, identity: event.id === undefined ? `${pageIndex} ${content}` : content };
	});
}

/** An event of the history of an entity, which it may omit. */
const eventIn = (entityId: string) =>
	entrySchema((raw) => {
		if (!isJsonObject(raw) || !saysWhatChanged(raw)) return undefined;
		const event = readUpdate({ ...raw, entityId });
		return event && { ...event, raw };
	}, 'it shows neither what changed nor when');
