import { z } from 'zod/v4';
import type { Filter, Sorting } from './entities';
import type { Field } from './fields';
import { gridSchema, type Grid } from './grids';
import { endpoints } from '../endpoints/endpoints';
import { partOfGrid } from '../endpoints/permission';
import { listSource, mapped } from '../lists/listSource';
import { listOf } from '../lists/page';
import { readList, type Items, type ListSource } from '../lists/readList';
import { isJsonObject, jsonObject, recordOf } from '../formats/json';
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

/**
 * The filter of a view; undefined if its representation lacks it, which the specification allows.
 */
export function filterOf(view: Grid): Filter | undefined {
	return jsonObject.safeParse(view.filter).data;
}

/** The sorting of a view; undefined if its representation lacks it. */
export function sortingOf(view: Grid): Sorting | undefined {
	return sortingSchema.safeParse(view.sorting).data;
}

/** Operators whose operand is a value, or a list of values. */
const OF_VALUES: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin']);

/**
 * What the filter or sorting of a view names (§2.8: field ids, §2.5: options) that its grid does
 * not have any more: no row meets such a filter.
 * @returns a clause for a message; undefined if there is nothing
 */
export function missingInGrid(view: Grid, fields: readonly Field[]): string | undefined {
	const columns = new Map(
		fields.flatMap((field) => [field.name, field.key, field.id].map((name) => [name, field])),
	);
	const problemOf = (condition: unknown, field?: Field): string | undefined => {
		if (Array.isArray(condition)) return firstOf(condition, (part) => problemOf(part, field));
		if (!isJsonObject(condition)) return undefined;
		return firstOf(Object.entries(condition), ([name, operand]) => {
			if (OF_VALUES.has(name) && field) return missingOption(field, operand);
			if (name.startsWith('$')) return problemOf(operand, field);
			const column = columns.get(name);
			return column ? problemOf(operand, column) : `its filter names the column "${name}", which is gone`;
		});
	};
	const sorted = Object.keys(sortingOf(view) ?? {}).find((name) => !columns.has(name));
	if (sorted !== undefined) return `its sorting names the column "${sorted}", which is gone`;
	return problemOf(filterOf(view));
}

function missingOption({ name, type }: Field, operand: unknown): string | undefined {
	const options = type.options?.flatMap((option) => [option.value, option.name]);
	const values: unknown[] = Array.isArray(operand) ? operand : [operand];
	const gone = values.find(
		(value) => typeof value === 'string' && value !== '' && options?.includes(value) === false,
	);
	if (gone === undefined) return undefined;
	return `its filter names the option "${String(gone)}" of "${name}", which is gone`;
}

function firstOf<Part>(parts: readonly Part[], find: (part: Part) => string | undefined): string | undefined {
	for (const part of parts) {
		const result = find(part);
		if (result !== undefined) return result;
	}
	return undefined;
}

/**
 * Virtual grids (§2.4, §2.8). They are read, renamed and deleted like grids, because their
 * addresses have the same form.
 */
export class Views {
	constructor(private readonly session: Session) {}

	/** The views of a grid (§4.4). @throws LinkMissing */
	list(grid: Grid): ListSource<Grid> {
		const identity = ({ id }: { id: string }) => id;
		const source = listSource(this.session, viewList, [endpoints.viewList, grid], { identity });
		return mapped(source, (views) => views.map((view) => inSpaceOf(grid, view)), identity);
	}

	/** The same, up to `limit` of them. @throws what `readList` throws */
	async many(grid: Grid, limit?: number): Promise<Items<Grid>> {
		return await readList(this.list(grid), { limit });
	}

	/** Creates a view of a grid (§4.4). @throws LinkMissing, BadRequest if a field is unknown */
	async create(grid: Grid, content: ViewContent): Promise<Created> {
		return await this.session.createAt(endpoints.viewCreate, grid, { body: content });
	}

	/**
	 * Replaces the content of a view (§4.4 PUT: filter, fields and name are required).
	 * @throws LinkMissing, BadRequest
	 */
	async replace(grid: Grid, view: Grid, content: ViewContent): Promise<void> {
		await this.session.follow(endpoints.viewReplace, viewTarget(grid, view), { body: content });
	}

	/**
	 * Replaces the filter of a view (§4.4 FilterChange).
	 * @throws LinkMissing, BadRequest if a field is unknown
	 */
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
