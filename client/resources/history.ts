import { endpoints } from '../endpoints/endpoints';
import { partOfGrid } from '../endpoints/permission';
import { isJsonObject } from '../formats/json';
import { pagesOf, readPage } from '../lists/page';
import { readList, type Items } from '../lists/readList';
import type { Session } from '../session/session';
import type { Entity } from './entities';
import type { Grid } from './grids';
import { EntryIdentities, type IdentifiedUpdate } from './updates/updateIdentity';
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
		const identities = new EntryIdentities();
		const { items, ...rest } = await readList<IdentifiedUpdate>(
			{
				fetchPage: async (request) => {
					const query = { ...request };
					const answer = await this.session.follow(endpoints.eventList, target, { query });
					const page = readPage(eventPages, answer, request);
					return { ...page, items: identities.identified(page, request.pageIndex) };
				},
				identity: ({ identity }) => identity,
				limiter: this.session.limiter,
			},
			{ limit },
		);
		return { ...rest, items: items.map(({ update }) => update) };
	}
}

/** An event of the history of an entity, which it may omit. */
const eventIn = (entityId: string) =>
	entrySchema((raw) => {
		if (!isJsonObject(raw) || !saysWhatChanged(raw)) return undefined;
		const event = readUpdate({ ...raw, entityId });
		return event && { ...event, raw };
	}, 'it shows neither what changed nor when');
