import type { Entity } from './entities';
import type { Grid } from './grids';
import { pageSchema } from './hal';
import { jsonObject } from './json';
import { readPages, type Items } from './pages';
import { paths } from './paths';
import { likelyLink } from './permission';
import { Session } from './session';
import { readUpdate, type Update } from './updateRecord';

const eventsPage = pageSchema(jsonObject);

export class History {
	constructor(private readonly session: Session) {}

	/**
	 * Who changed which value of an entity when (§4.5 events), in the service's order. The fields of an event are not
	 * specified (§6, gaps), so each is read under every plausible name and kept in `raw`.
	 * @param entity its id, or its representation, whose link is then followed
	 * @throws NotFound, Forbidden (§7)
	 */
	async of(grid: Grid, entity: string | Entity, limit?: number): Promise<Items<Update>> {
		const entityId = typeof entity === 'string' ? entity : entity._id;
		const href = paths.entityEvents(grid.address, entityId);
		const link =
			typeof entity === 'string'
				? { href }
				: likelyLink(entity, { rels: ['events', 'history'], method: 'GET', href });
		return await readPages({
			fetchPage: async (pageIndex, pageSize) => {
				const page = await this.session.read(
					eventsPage,
					Session.callOf(link, { query: { pageIndex, pageSize } }),
				);
				return { ...page, items: page.items.map((raw) => eventOf(raw, entityId)) };
			},
			identity: (event) => event.id ?? JSON.stringify(event.raw),
			limiter: this.session.limiter,
			limit,
		});
	}
}

/** In an entity's own history an event need not say which entity it is about. */
function eventOf(raw: Record<string, unknown>, entityId: string): Update {
	const event = readUpdate({ entityId, ...raw }) ?? readUpdate({ ...raw, entityId });
	return event ? { ...event, entityId, raw } : { kind: 'updated', entityId, changes: [], raw };
}
