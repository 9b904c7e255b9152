import { z } from 'zod/v4';
import type { Filter, Sorting } from './entities';
import { gridSchema, type Grid } from './grids';
import { endpoints } from '../endpoints/endpoints';
import { partOfGrid } from '../endpoints/permission';
import { listSource, mapped } from '../lists/listSource';
import { listOf } from '../lists/page';
import type { ListSource } from '../lists/readList';
import { jsonObject, recordOf } from '../formats/json';
import type { Created, Session } from '../session/session';

const viewList = listOf(gridSchema);

/** §2.8: the content of a view. `fields` are field ids in order; a filter `{}` means none. */
export interface ViewContent {
	name: string;
	fields: string[];
	filter: Filter;
	sorting?: Sorting | undefined;
}

const sortingSchema = recordOf(z.looseObject({ $order: z.string() }));

/** The filter of a view; its representation may lack it. */
export function filterOf(view: Grid): Filter | undefined {
	return jsonObject.safeParse(view.filter).data;
}

/** The sorting of a view; undefined if its representation lacks it. */
export function sortingOf(view: Grid): Sorting | undefined {
	return sortingSchema.safeParse(view.sorting).data;
}

/** Virtual grids (§2.4, §2.8), read, renamed and deleted at the same addresses as grids. */
export class Views {
	constructor(private readonly session: Session) {}

	/** The views of a grid (§4.4). @throws LinkMissing */
	list(grid: Grid): ListSource<Grid> {
		const identity = ({ id }: { id: string }) => id;
		const source = listSource(this.session, viewList, [endpoints.viewList, grid], { identity });
		return mapped(source, (views) => views.map((view) => inSpaceOf(grid, view)), identity);
	}

	/** Creates a view of a grid (§4.4). @throws LinkMissing, BadRequest if a field is unknown */
	async create(grid: Grid, content: ViewContent): Promise<Created> {
		return await this.session.createAt(endpoints.viewCreate, grid, { body: content });
	}

	/** Replaces the whole content of a view (§4.4 PUT). @throws LinkMissing, BadRequest */
	async replace(grid: Grid, view: Grid, content: ViewContent): Promise<void> {
		await this.session.follow(endpoints.viewReplace, viewTarget(grid, view), { body: content });
	}

	/** @throws LinkMissing, BadRequest if a field is unknown (§4.4 FilterChange) */
	async changeFilter(grid: Grid, view: Grid, filter: Filter): Promise<void> {
		await this.session.follow(endpoints.viewFilterChange, viewTarget(grid, view), { body: { filter } });
	}

	/** Deletes a view; the entities remain (§4.4 DELETE GRID). @throws LinkMissing */
	async remove(grid: Grid, view: Grid): Promise<void> {
		await this.session.follow(endpoints.viewDelete, viewTarget(grid, view));
	}
}

/** A view has a grid's address in the same space (§2.8). */
const inSpaceOf = (grid: Grid, view: z.infer<typeof gridSchema>): Grid => ({
	...view,
	address: { ...grid.address, gridId: view.id },
});

const viewTarget = (grid: Grid, view: Grid) => partOfGrid(grid, view.address, view);
