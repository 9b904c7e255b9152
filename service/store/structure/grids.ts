import { z } from 'zod/v4';
import { badRequest } from '../../rules/errors';
import type { ViewDefinition } from '../../rules/viewDefinition';
import { filterSchema, sortingSchema } from '../../rules/filter';
import type { Database } from '../files/database';
import type { DetachedGrids } from './detachedGrids';
import { newId } from '../ids';
import { iconColumn, propertiesColumn, readColumn } from '../json';
import { RecordCache } from '../recordCache';
import { keyFor, type SymbolObject } from './spaces';
import { createGridTables } from '../files/tables';

/** A grid, persistent or virtual (§2.4). */
export interface Grid {
	/** Internal number, used in table names. */
	readonly no: number;
	readonly id: string;
	readonly spaceId: string;
	/** The persistent grid of a virtual grid; null for a persistent grid. */
	readonly baseNo: number | null;
	readonly name: string;
	readonly key: string;
	readonly icon: SymbolObject;
	readonly properties: Record<string, unknown>;
	readonly definition: ViewDefinition | null;
	readonly createdAt: number;
}

export interface NewGrid {
	readonly name: string;
	readonly key?: string | undefined;
	readonly icon?: SymbolObject | undefined;
	readonly properties?: Record<string, unknown> | undefined;
}

/** Members to update. */
export interface GridChange {
	readonly name?: string | undefined;
	readonly key?: string | undefined;
	readonly icon?: SymbolObject | undefined;
	readonly properties?: Record<string, unknown> | undefined;
	/** Virtual grids only. */
	readonly definition?: ViewDefinition | undefined;
}

interface GridRow {
	no: number;
	id: string;
	space_id: string;
	base_no: number | null;
	name: string;
	key: string;
	icon: string;
	properties: string;
	cut: string | null;
	created_at: number;
}

const DEFAULT_GRID_ICON: SymbolObject = { name: 'table', iconset: 'material', color: '#5a7d4f' };

const definitionColumn = z.object({
	fields: z.array(z.string()).nullable(),
	filter: filterSchema,
	sorting: sortingSchema,
});

const toGrid = (row: GridRow): Grid => ({
	no: row.no,
	id: row.id,
	spaceId: row.space_id,
	baseNo: row.base_no,
	name: row.name,
	key: row.key,
	icon: readColumn(iconColumn, row.icon),
	properties: readColumn(propertiesColumn, row.properties),
	definition: row.cut === null ? null : readColumn(definitionColumn, row.cut),
	createdAt: row.created_at,
});

/**
 * Persistent and virtual grids share one table, because names, keys and addresses are common to
 * both.
 */
export class Grids {
	private readonly byId: RecordCache<string, Grid>;
	private readonly byNumber: RecordCache<number, Grid>;

	constructor(
		private readonly db: Database,
		private readonly detached: DetachedGrids,
	) {
		this.byId = new RecordCache(db);
		this.byNumber = new RecordCache(db);
	}

	/**
	 * @param made definition of a virtual grid, or the draft that becomes this grid (see
	 *   DetachedGrids)
	 * @throws ServiceError 400 if the name or key is taken within the space (§8)
	 */
	create(
		spaceId: string,
		given: NewGrid,
		made?: { base: Grid; definition: ViewDefinition } | { draft: number },
	): Grid {
		return this.db.transaction(() => {
			const draft = made && 'draft' in made ? made.draft : undefined;
			const virtual = made && 'base' in made ? made : undefined;
			const { name } = given;
			const key = given.key ?? keyFor(name, (candidate) => this.isTaken(spaceId, 'key', candidate));
			this.requireUnused(spaceId, { name, key });
			const id = newId();
			this.db.run(
				'INSERT INTO grids (no, id, space_id, base_no, name, key, icon, properties, cut, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
				draft ?? null,
				id,
				spaceId,
				virtual?.base.no ?? null,
				name,
				key,
				JSON.stringify(given.icon ?? DEFAULT_GRID_ICON),
				JSON.stringify(given.properties ?? {}),
				virtual ? JSON.stringify(virtual.definition) : null,
				Date.now(),
			);
			const grid = this.get(id);
			if (!grid) throw new Error('The grid that was just written is missing');
			if (draft !== undefined) this.detached.attach(draft);
			else if (!virtual) createGridTables(this.db, grid.no);
			return grid;
		});
	}

	get(id: string): Grid | undefined {
		return this.byId.get(id, () => {
			const [row] = this.db.all<GridRow>('SELECT * FROM grids WHERE id = ?', id);
			return row && toGrid(row);
		});
	}

	/** The first grid with this key in any space. */
	byKey(key: string): Grid | undefined {
		const [row] = this.db.all<GridRow>('SELECT * FROM grids WHERE key = ? ORDER BY no LIMIT 1', key);
		return row && toGrid(row);
	}

	byNo(no: number): Grid | undefined {
		return this.byNumber.get(no, () => {
			const [row] = this.db.all<GridRow>('SELECT * FROM grids WHERE no = ?', no);
			return row && toGrid(row);
		});
	}

	/** Grids of a space, oldest first. */
	list(spaceId: string, type: 'persistent' | 'virtual' | undefined): Grid[] {
		const which = { persistent: 'AND base_no IS NULL', virtual: 'AND base_no IS NOT NULL', all: '' }[
			type ?? 'all'
		];
		return this.db
			.all<GridRow>(`SELECT * FROM grids WHERE space_id = ? ${which} ORDER BY no`, spaceId)
			.map(toGrid);
	}

	/** Virtual grids of a grid, oldest first. */
	views(baseNo: number): Grid[] {
		return this.db.all<GridRow>('SELECT * FROM grids WHERE base_no = ? ORDER BY no', baseNo).map(toGrid);
	}

	/** @throws ServiceError 400 if the new name or key is taken */
	update(grid: Grid, change: GridChange): void {
		this.db.transaction(() => {
			this.requireUnused(grid.spaceId, change, grid.id);
			this.forget();
			const definition = change.definition ?? grid.definition;
			this.db.run(
				'UPDATE grids SET name = ?, key = ?, icon = ?, properties = ?, cut = ? WHERE id = ?',
				change.name ?? grid.name,
				change.key ?? grid.key,
				JSON.stringify(change.icon ?? grid.icon),
				JSON.stringify(change.properties ?? grid.properties),
				definition ? JSON.stringify(definition) : null,
				grid.id,
			);
		});
	}

	/**
	 * Deletes a grid with its virtual grids, fields, forms, stateful views and links. Detaches its
	 * tables; clear them afterwards.
	 */
	remove(grid: Grid): void {
		this.db.transaction(() => {
			this.forget();
			this.db.run('DELETE FROM grids WHERE no = ?', grid.no);
			if (grid.baseNo === null) this.detached.detach(grid.no);
		});
	}

	/** Clears the cache of all grids, because virtual grids are deleted with their grid. */
	private forget(): void {
		this.byId.clear();
		this.byNumber.clear();
	}

	/** Whether another grid has this name or key. @param except ID of the grid to ignore */
	isTaken(spaceId: string, what: 'name' | 'key', value: string, except = ''): boolean {
		return this.db.has(
			`SELECT 1 FROM grids WHERE space_id = ? AND ${what} = ? AND id <> ?`,
			spaceId,
			value,
			except,
		);
	}

	/** @throws ServiceError 400 if the name or key is taken within the space */
	requireUnused(spaceId: string, { name, key }: GridChange, except?: string): void {
		if (name !== undefined && this.isTaken(spaceId, 'name', name, except))
			throw badRequest(`There is already a grid with the name "${name}" in this space`);
		if (key !== undefined && this.isTaken(spaceId, 'key', key, except))
			throw badRequest(`There is already a grid with the key "${key}" in this space`);
	}
}
