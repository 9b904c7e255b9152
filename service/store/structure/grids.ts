import { z } from 'zod/v4';
import { badRequest } from '../../rules/errors';
import type { ViewDefinition } from '../../rules/viewDefinition';
import { filterSchema, sortingSchema } from '../../rules/filter';
import type { Database, SqlValue } from '../files/database';
import { pageOfRecords, type SizedRecord, type StoredPage } from '../rows/storedPage';
import type { Leftovers } from './leftovers';
import { newId } from '../ids';
import { iconColumn, propertiesColumn, readColumn } from '../json';
import { RecordCache } from '../recordCache';
import { freeName } from '../../rules/text';
import { keyFor, type SymbolObject } from './spaces';

/** A grid, persistent or virtual (§2.4). */
export interface Grid {
	/** Internal number, with which the keys of its rows begin (see keys.ts). */
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
	space_id: string | null;
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
	// A discarded grid belongs to no space, so no address leads to it.
	spaceId: row.space_id ?? '',
	baseNo: row.base_no,
	name: row.name,
	key: row.key,
	icon: readColumn(iconColumn, row.icon),
	properties: readColumn(propertiesColumn, row.properties),
	definition: row.cut === null ? null : readColumn(definitionColumn, row.cut),
	createdAt: row.created_at,
});

type GridType = 'persistent' | 'virtual';
const typeConditions = { persistent: 'AND base_no IS NULL', virtual: 'AND base_no IS NOT NULL', all: '' };

/** Part of a list. */
interface Range {
	readonly offset: number;
	readonly limit: number;
}

const sizeOf = ({ properties, definition }: Grid): number =>
	JSON.stringify(properties).length + JSON.stringify(definition).length;

/**
 * Persistent and virtual grids share one table, because names, keys and addresses are common to
 * both.
 */
export class Grids {
	private readonly byId: RecordCache<string, Grid>;
	private readonly byNumber: RecordCache<number, Grid>;

	constructor(
		private readonly db: Database,
		private readonly leftovers: Leftovers,
	) {
		this.byId = new RecordCache(db, sizeOf);
		this.byNumber = new RecordCache(db, sizeOf);
	}

	/**
	 * @param made definition of a virtual grid, or the draft that becomes this grid (see
	 *   Leftovers)
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
			if (draft !== undefined) this.leftovers.attach(draft);
			return grid;
		});
	}

	get(id: string): Grid | undefined {
		return this.byId.get(id, () => {
			const [row] = this.db.all<GridRow>('SELECT * FROM grids WHERE id = ? AND space_id IS NOT NULL', id);
			return row && toGrid(row);
		});
	}

	/** The first grid with this key in any space. */
	byKey(key: string): Grid | undefined {
		const [row] = this.db.all<GridRow>(
			'SELECT * FROM grids WHERE key = ? AND space_id IS NOT NULL ORDER BY no LIMIT 1',
			key,
		);
		return row && toGrid(row);
	}

	byNo(no: number): Grid | undefined {
		return this.byNumber.get(no, () => {
			const [row] = this.db.all<GridRow>('SELECT * FROM grids WHERE no = ? AND space_id IS NOT NULL', no);
			return row && toGrid(row);
		});
	}

	/** A page of the grids of a space, oldest first, which reads no others. */
	page(spaceId: string, type: GridType | undefined, range: Range): StoredPage<Grid> {
		return this.pageOf(this.records(`space_id = ? ${typeConditions[type ?? 'all']}`, spaceId), range);
	}

	/** A page of the virtual grids of a grid that are accessible. @param isAccessible by number */
	pageOfViews(baseNo: number, isAccessible: (no: number) => boolean, range: Range): StoredPage<Grid> {
		return this.pageOf(
			this.records('base_no = ?', baseNo).filter(({ key }) => isAccessible(key)),
			range,
		);
	}

	private records(where: string, value: SqlValue): SizedRecord[] {
		return this.db.all<SizedRecord>(
			`SELECT no AS key, octet_length(properties) + coalesce(octet_length(cut), 0) AS bytes FROM grids WHERE ${where} ORDER BY no`,
			value,
		);
	}

	private pageOf(records: readonly SizedRecord[], range: Range): StoredPage<Grid> {
		return pageOfRecords(this.db, records, range, (numbers) =>
			this.db
				.all<GridRow>(
					'SELECT * FROM grids WHERE no IN (SELECT value FROM json_each(?)) ORDER BY no',
					JSON.stringify(numbers),
				)
				.map(toGrid),
		);
	}

	/** Grids of a space, oldest first. */
	list(spaceId: string, type: GridType | undefined): Grid[] {
		const which = typeConditions[type ?? 'all'];
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
	 * Deletes a grid with its virtual grids, fields, forms, stateful views and links. Its rows are
	 * left over; clear them afterwards.
	 */
	remove(grid: Grid): void {
		this.db.transaction(() => {
			this.forget();
			this.db.run('DELETE FROM grids WHERE no = ?', grid.no);
			if (grid.baseNo === null) this.leftovers.detach(grid.no);
		});
	}

	/** Takes a grid with its views out of its space, until it is restored or deleted. */
	discard({ no, spaceId }: Grid): void {
		this.db.transaction(() => {
			this.forget();
			this.db.run('INSERT INTO discarded_grids VALUES (?, ?, ?)', no, spaceId, Date.now());
			this.db.run('UPDATE grids SET space_id = NULL WHERE no = ?1 OR base_no = ?1', no);
		});
	}

	/** The discarded grids of a space, newest first. */
	discarded(spaceId: string): Array<{ grid: Grid; discardedAt: number }> {
		return this.db
			.all<GridRow & { at: number }>(
				`SELECT g.*, d.discarded_at AS at FROM discarded_grids d JOIN grids g ON g.no = d.no
				 WHERE d.space_id = ? ORDER BY d.discarded_at DESC, d.no`,
				spaceId,
			)
			.map((row) => ({ grid: toGrid(row), discardedAt: row.at }));
	}

	/** Grids that were discarded before a time, in milliseconds since 1970. */
	discardedBefore(time: number): Grid[] {
		return this.db
			.all<GridRow>(
				'SELECT * FROM grids WHERE no IN (SELECT no FROM discarded_grids WHERE discarded_at < ?)',
				time,
			)
			.map(toGrid);
	}

	/**
	 * Returns a discarded grid to its space, with its views. A view whose name or key is taken gets
	 * a free one.
	 * @throws ServiceError 400 if the name or key of the grid is taken
	 */
	restore(spaceId: string, grid: Grid): void {
		this.db.transaction(() => {
			this.requireUnused(spaceId, { name: grid.name, key: grid.key });
			this.forget();
			this.db.run('DELETE FROM discarded_grids WHERE no = ?', grid.no);
			this.db.run('UPDATE grids SET space_id = ? WHERE no = ?', spaceId, grid.no);
			for (const view of this.views(grid.no)) {
				const isNameTaken = this.isTaken(spaceId, 'name', view.name);
				const name = isNameTaken
					? freeName(view.name, ' view', (one) => this.isTaken(spaceId, 'name', one))
					: view.name;
				const isTaken = this.isTaken(spaceId, 'key', view.key);
				const key = isTaken ? keyFor(name, (one) => this.isTaken(spaceId, 'key', one)) : view.key;
				this.db.run(
					'UPDATE grids SET space_id = ?, name = ?, key = ? WHERE no = ?',
					spaceId,
					name,
					key,
					view.no,
				);
			}
		});
	}

	/** Deletes all grids of a space, like `remove`. */
	removeAll(spaceId: string): void {
		this.forget();
		this.db.run(
			'INSERT INTO detached_grids SELECT no FROM grids WHERE space_id = ? AND base_no IS NULL',
			spaceId,
		);
		this.db.run('DELETE FROM grids WHERE space_id = ?', spaceId);
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
