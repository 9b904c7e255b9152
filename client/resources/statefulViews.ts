import { z } from 'zod/v4';
import type { Grid } from './grids';
import { findLink, pageSchema, resourceSchema, type Link, type Page } from '../hal/links';
import { jsonObject } from '../formats/json';
import { createdBy } from '../session/created';
import { readPages, type Items } from '../session/paging';
import { paths } from '../endpoints/paths';
import { changeLink, likelyLink, type UnnamedLink } from '../endpoints/permission';
import { Session, type Created } from '../session/session';

/** §4 Gaps: of stateful views only the create body is known; all else stays in it as it comes. */
export const statefulViewSchema = resourceSchema.extend({
	id: z.string().min(1),
	name: z.string().optional().catch(undefined),
	displayValue: z.string().optional().catch(undefined),
	type: z.string().optional().catch(undefined),
	properties: jsonObject.optional().catch(undefined),
	slotProperties: jsonObject.optional().catch(undefined),
});
export type StatefulView = z.infer<typeof statefulViewSchema>;

/** §2.8 Stateful view body. */
export interface StatefulViewContent {
	/** For example kanban or calendar (§1). */
	type: string;
	properties: Record<string, unknown>;
	slotProperties: Record<string, unknown>;
}

/** §2.8: role, emails, users; what else there is stays in it. */
export const shareSchema = resourceSchema;
export type Share = z.infer<typeof shareSchema>;

const viewsPage = pageSchema(statefulViewSchema);
const sharesPage = pageSchema(shareSchema);
const jsonSchema = z.looseObject({});

interface Paging {
	pageIndex?: number;
	pageSize?: number;
}

/** Stateful views (§1) of a grid or of a virtual grid: how its entities are shown. */
export class StatefulViews {
	constructor(private readonly session: Session) {}

	/** One page of the stateful views of a grid (§4.4). @param nested also those of its virtual grids */
	async page(grid: Grid, nested: boolean, query: Paging = {}): Promise<Page<StatefulView>> {
		const href = paths.statefulViews(grid.address);
		const link = likelyLink(grid, { rels: ['sviews', 'statefulViews'], method: 'GET', href });
		return await this.session.read(viewsPage, Session.callOf(link, { query: { ...query, nested } }));
	}

	/** The stateful views of a grid, up to `limit` of them. @throws what `page` throws */
	async many(grid: Grid, nested: boolean, limit = Infinity): Promise<Items<StatefulView>> {
		return await readPages({
			fetchPage: (pageIndex, pageSize) => this.page(grid, nested, { pageIndex, pageSize }),
			identity: ({ id }) => id,
			limiter: this.session.limiter,
			limit,
		});
	}

	/** One stateful view (§4.4). @throws NotFound */
	async get(grid: Grid, viewId: string): Promise<StatefulView> {
		const href = paths.statefulView(grid.address, viewId);
		return await this.session.read(statefulViewSchema, { method: 'GET', href });
	}

	/** Creates a stateful view (§4.4). @throws LinkMissing, BadRequest */
	async create(grid: Grid, content: StatefulViewContent): Promise<Created> {
		const link = changeLink(
			grid,
			findLink(grid, 'addEntity'),
			{
				rels: ['addSview', 'addStatefulView', 'createSview'],
				method: 'POST',
				href: paths.statefulViews(grid.address),
			},
			`add stateful views to "${grid.name}"`,
		);
		return await this.session.create(Session.callOf(link, { body: content }, 'POST'), 'statefulView');
	}

	/** Changes what is given of a stateful view; the rest stays (§4.4 PATCH). @throws LinkMissing, BadRequest */
	async update(grid: Grid, view: StatefulView, change: Partial<StatefulViewContent>): Promise<void> {
		const href = paths.statefulView(grid.address, view.id);
		const link = this.ownLink(grid, view, { rels: ['update', 'edit'], method: 'PATCH', href });
		await this.session.send(Session.callOf(link, { body: change }));
	}

	/** Deletes a stateful view (§4.4); the entities stay. @throws LinkMissing */
	async remove(grid: Grid, view: StatefulView): Promise<void> {
		const href = paths.statefulView(grid.address, view.id);
		const link = this.ownLink(grid, view, { rels: ['remove', 'delete'], method: 'DELETE', href });
		await this.session.send(Session.callOf(link));
	}

	/** The JSON schema of the entities of a stateful view (§4.4). */
	async schema(grid: Grid, view: StatefulView): Promise<z.infer<typeof jsonSchema>> {
		const href = paths.statefulViewSchema(grid.address, view.id);
		const link = likelyLink(view, { rels: ['schema'], method: 'GET', href });
		return await this.session.read(jsonSchema, Session.callOf(link));
	}

	/** With whom a stateful view is shared (§4.4), up to `limit` of them. @throws LinkMissing where this identity only reads */
	async shares(grid: Grid, view: StatefulView, limit = Infinity): Promise<Items<Share>> {
		const href = paths.statefulViewShares(grid.address, view.id);
		// §4.4 names no role; for the shares of a space it is admin (§4.3).
		const link = likelyLink(view, { rels: ['shares'], method: 'GET', href });
		return await readPages({
			fetchPage: (pageIndex, pageSize) =>
				this.session.read(sharesPage, Session.callOf(link, { query: { pageIndex, pageSize } })),
			identity: (share) => String(share.id ?? JSON.stringify({ ...share, _links: undefined })),
			limiter: this.session.limiter,
			limit,
		});
	}

	/**
	 * Shares a stateful view with a person (§4.4; the body is that of the shares of a space, §4.3).
	 * @returns where the share is, if the service tells (§4 Gaps)
	 * @throws LinkMissing, BadRequest
	 */
	async share(
		grid: Grid,
		view: StatefulView,
		share: { email: string; role: string },
	): Promise<Created | undefined> {
		const href = paths.statefulViewShares(grid.address, view.id);
		const link = this.ownLink(grid, view, {
			rels: ['addShare', 'share', 'shares'],
			method: 'POST',
			href,
		});
		const answer = await this.session.send(Session.callOf(link, { body: share }));
		return await createdBy(this.session, answer, 'share');
	}

	private ownLink(grid: Grid, view: StatefulView, operation: UnnamedLink): Link {
		const what = `change stateful views of "${grid.name}"`;
		return changeLink(view, findLink(grid, 'addEntity'), operation, what);
	}
}
