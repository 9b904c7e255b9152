import { z } from 'zod/v4';
import type { Filter, Sorting } from './entities';
import { gridSchema, type Grid } from './grids';
import { findLink, linkOf, pageSchema, type Page } from '../hal/links';
import { jsonObject, recordOf } from '../formats/json';
import { readPages, type Items } from '../session/paging';
import { paths } from '../endpoints/paths';
import { changeLink, type UnnamedLink } from '../endpoints/permission';
import { Session, type Created } from '../session/session';

const viewsPage = pageSchema(gridSchema);

/** §2.8: what a view shows. `fields` are field ids, in their order; `{}` is no filter. */
export interface ViewContent {
	name: string;
	fields: string[];
	filter: Filter;
	sorting?: Sorting | undefined;
}

const sortingSchema = recordOf(z.looseObject({ $order: z.string() }));

/** The filter of a view; undefined where its representation does not tell: the spec does not say that it does. */
export function filterOf(view: Grid): Filter | undefined {
	return jsonObject.safeParse(view.filter).data;
}

/** The sorting of a view; undefined where its representation does not tell. */
export function sortingOf(view: Grid): Sorting | undefined {
	return sortingSchema.safeParse(view.sorting).data;
}

/** Virtual grids (§2.4, §2.8). Each is read, renamed and deleted as a grid: it has an address of the form of a grid's. */
export class Views {
	constructor(private readonly session: Session) {}

	/** One page of the views of a grid (§4.4). @throws LinkMissing where this identity may not read them */
	async page(grid: Grid, query: { pageIndex?: number; pageSize?: number } = {}): Promise<Page<Grid>> {
		const link = linkOf(grid, 'virtualGrids', `read the views of "${grid.name}"`);
		const page = await this.session.read(viewsPage, Session.callOf(link, { query }));
		const items = page.items.map((view) => ({ ...view, address: { ...grid.address, gridId: view.id } }));
		return { ...page, items };
	}

	/** The views of a grid, up to `limit` of them. @throws what `page` throws */
	async many(grid: Grid, limit = Infinity): Promise<Items<Grid>> {
		return await readPages({
			fetchPage: (pageIndex, pageSize) => this.page(grid, { pageIndex, pageSize }),
			identity: ({ id }) => id,
			limiter: this.session.limiter,
			limit,
		});
	}

	/** Creates a view of a grid (§4.4). @throws LinkMissing, BadRequest where a field is unknown */
	async create(grid: Grid, content: ViewContent): Promise<Created> {
		const operation: UnnamedLink = {
			rels: ['addVirtualGrid', 'createVirtualGrid', 'addView'],
			method: 'POST',
			href: paths.virtualGrids(grid.address),
		};
		const link = changeLink(grid, findLink(grid, 'addEntity'), operation, `add views to "${grid.name}"`);
		return await this.session.create(Session.callOf(link, { body: content }, 'POST'), 'grid');
	}

	/** Writes all that a view shows (§4.4 PUT: filter, fields and name are required). @throws LinkMissing, BadRequest */
	async replace(grid: Grid, view: Grid, content: ViewContent): Promise<void> {
		const operation: UnnamedLink = {
			rels: ['replace', 'update', 'edit'],
			method: 'PUT',
			href: paths.grid(view.address),
		};
		const what = `change views of "${grid.name}"`;
		const link = changeLink(view, findLink(grid, 'addEntity'), operation, what);
		await this.session.send(Session.callOf(link, { body: content }));
	}

	/** Writes the filter of a view (§4.4 FilterChange). @throws LinkMissing, BadRequest where a field is unknown */
	async changeFilter(grid: Grid, view: Grid, filter: Filter): Promise<void> {
		const operation: UnnamedLink = {
			rels: ['filterChange', 'changeFilter', 'updateFilter'],
			method: 'POST',
			href: paths.filterChange(view.address),
		};
		const what = `change views of "${grid.name}"`;
		const link = changeLink(view, findLink(grid, 'addEntity'), operation, what);
		await this.session.send(Session.callOf(link, { body: { filter } }));
	}

	/** Deletes a view; the entities stay (§4.4 DELETE GRID on its own address). @throws LinkMissing */
	async remove(grid: Grid, view: Grid): Promise<void> {
		const operation: UnnamedLink = {
			rels: ['remove', 'delete'],
			method: 'DELETE',
			href: paths.grid(view.address),
		};
		const what = `delete views of "${grid.name}"`;
		await this.session.send(Session.callOf(changeLink(view, findLink(grid, 'addEntity'), operation, what)));
	}
}
