import { gridSchema, type Grid } from './grids';
import { linkOf, pageSchema, type Page } from './hal';
import { Session } from './session';

const viewsPage = pageSchema(gridSchema);

export class Views {
	constructor(private readonly session: Session) {}

	/** One page of the virtual grids of a grid (§4.4). @throws LinkMissing where this identity may not read them */
	async page(grid: Grid, query: { pageIndex?: number; pageSize?: number } = {}): Promise<Page<Grid>> {
		const link = linkOf(grid, 'virtualGrids', `read the views of "${grid.name}"`);
		const page = await this.session.read(viewsPage, Session.callOf(link, { query }));
		// §2.8: a view has an address of the form of a grid's, in the same space.
		const items = page.items.map((view) => ({ ...view, address: { ...grid.address, gridId: view.id } }));
		return { ...page, items };
	}
}
