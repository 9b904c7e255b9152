import { entitySchema, type Entity, type Layout, type Values } from './entities';
import { entityPages, rowAfter } from './entityRows';
import { endpoints } from '../endpoints/endpoints';
import { findLink, resourceSchema } from '../hal/links';
import { listSource } from '../lists/listSource';
import { readList, type Items } from '../lists/readList';
import { withRequiredAccess, type LinkAccess } from './publicForms';
import type { Session } from '../session/session';

/** Rows behind a public link (§4.6): those of a shared view, or the one row of an edit link. */
export class PublicRows {
	/**
	 * @param session of the link's own service, which sends what `access` says
	 * @param href the address of the link
	 */
	constructor(
		private readonly session: Session,
		private readonly href: string,
		private readonly access: LinkAccess,
	) {}

	/**
	 * Rows of the shared view, in its order, up to `limit` of them. The specification names neither
	 * link nor path (§4 Gaps): uses the link `entities` of the view, otherwise the path `entities`
	 * below the public link.
	 * @throws LinkProtected (§5), LinkNotFound, Forbidden (§7)
	 */
	async many(layout: Layout, limit?: number): Promise<Items<Entity>> {
		const { href } = this;
		const view = await this.clearly(
			this.session.fetch(resourceSchema, endpoints.publicFormGet, {}, { href }),
		);
		const source = listSource(this.session, entityPages, [endpoints.publicRowList, view], {
			href: `${href.split(/[?#]/, 1).join().replace(/\/$/, '')}/entities`,
			query: { layout },
			identity: ({ _id }) => _id,
		});
		return await this.clearly(readList(source, { limit }));
	}

	/** The row of an edit link. @throws LinkProtected (§5), LinkNotFound, Forbidden (§7) */
	async get(layout: Layout): Promise<Entity> {
		const options = { href: this.href, query: { layout } };
		return await this.clearly(this.session.fetch(entitySchema, endpoints.publicRowGet, {}, options));
	}

	/**
	 * Writes the given values of the row of an edit link; the others stay unchanged, null clears one
	 * (§4.5). The row is read first for its link `update`.
	 * @returns the row in its new state
	 * @throws LinkProtected (§5), BadRequest, LinkNotFound, Forbidden (§7)
	 */
	async update(values: Values, layout: Layout): Promise<Entity> {
		const before = await this.get(layout);
		const answer = await this.clearly(
			this.session.follow(endpoints.publicRowUpdate, before, {
				link: findLink(before, 'update', 'edit'),
				href: this.href,
				query: { layout },
				body: values,
			}),
		);
		return await rowAfter(answer, async () => await this.get(layout));
	}

	private async clearly<Value>(pending: Promise<Value>): Promise<Value> {
		return await withRequiredAccess(pending, this.access);
	}
}
