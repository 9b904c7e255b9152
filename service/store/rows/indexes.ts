import { z } from 'zod/v4';
import type { Field } from '../../rules/fieldTypes';
import { keyOf } from './conditions';
import type { Database } from '../files/database';
import type { Positions } from './positions';
import { SortedKeys } from './sortedKeys';
import { Portion, type Slices, type Steps } from '../files/slices';
import { readColumn } from '../json';
import { firstKey } from '../keys';
import type { Leftovers } from '../structure/leftovers';

/** Below this size, a scan is fast enough. */
const MIN_INDEXED_ROWS = 2000;
/** Every index slows down writes; the least recently used one is dropped. */
const MAX_INDEXES_PER_GRID = 8;
/** Maximum number of grids whose indexes are known, besides those with an index being filled. */
const MAX_CACHED_GRIDS = 10_000;
/** From this many entities on, they are sorted before they are indexed. */
const MIN_SORTED_ROWS = 20_000;

/** Number of fields of the longest index. */
export const MAX_INDEXED_FIELDS = 2;

/** An index and its progress. */
interface Index {
	readonly no: number;
	readonly fieldIds: readonly string[];
	/** SQL expressions of its keys. */
	readonly keys: readonly string[];
	/** Position after the last indexed one. */
	filled: number;
	/** Settles when the index is filled or was abandoned; undefined if it is not being filled. */
	filling?: Promise<void> | undefined;
	/** Positions changed or removed while it is being filled with sorted values. */
	changed?: Set<number> | undefined;
}

/** IDs of the indexed fields, and the SQL expressions of their keys. */
const indexedFields = z.object({ ids: z.array(z.string()), keys: z.array(z.string()) });

/**
 * Indexes for filters and sortings, created on demand: the values and positions of one or two
 * fields, kept up to date with updates and deletions (see StoredRows). All share one table, so that
 * creating or dropping one takes a record. They are filled in slices, while `CREATE INDEX` on a
 * million entities would block for two seconds. New entities are added at the next use of the
 * index: positions ascend, so the missing ones are known, and indexes do not slow down creations.
 */
export class Indexes {
	/** By grid, least recently used first. */
	private readonly grids = new Map<number, Index[]>();

	constructor(
		private readonly db: Database,
		private readonly positions: Positions,
		private readonly slices: Slices,
		private readonly leftovers: Leftovers,
		/** Called for errors; searches then work without the index. */
		private readonly onFault: (error: unknown) => void,
	) {
		db.onRollback(() => {
			this.grids.clear();
		});
	}

	/**
	 * Number of the index with the values of these fields as `k0` and `k1`, ordered by both and then
	 * by `pos`. Created on demand; undefined for small grids.
	 */
	async find(grid: number, fields: readonly Field[]): Promise<number | undefined> {
		try {
			const index = this.existing(grid, fields) ?? this.make(grid, fields);
			if (!index) return undefined;
			this.used(grid, index);
			if (this.missing(grid, index) > 0) await this.filled(grid, index, fields);
			// Abandoned: the search works without it.
			return this.isCurrent(grid, index) && this.missing(grid, index) === 0 ? index.no : undefined;
		} catch (error) {
			// Reading goes on without the index, also if the disk is full.
			this.onFault(error);
			return undefined;
		}
	}

	/** Whether `find` would wait for longer than a search of the grid takes. */
	isSlow(grid: number, fields: readonly Field[]): boolean {
		const { filled } = this.existing(grid, fields) ?? { filled: firstKey(grid) };
		return this.positions.end(grid) - filled > MIN_SORTED_ROWS;
	}

	/** Changes the values of an entity, and its keys in the indexes on these fields. */
	change(grid: number, pos: number, fieldIds: readonly string[], write: () => void): void {
		const concerned = this.of(grid).filter((index) => index.fieldIds.some((id) => fieldIds.includes(id)));
		for (const index of concerned) this.removeKey(index, pos);
		write();
		for (const index of concerned)
			this.db.run(`INSERT OR IGNORE INTO keys ${keysOfRows(index)} WHERE pos = ?`, pos);
	}

	/** Removes an entity from all indexes. Call before it is deleted. */
	remove(grid: number, pos: number): void {
		for (const index of this.of(grid)) this.removeKey(index, pos);
	}

	/** Drops the indexes that contain a field. */
	dropField(grid: number, fieldId: string): void {
		for (const index of this.of(grid).filter(({ fieldIds }) => fieldIds.includes(fieldId)))
			this.drop(grid, index);
	}

	/** Drops cached data of a deleted grid; its indexes are deleted with its rows. */
	forget(grid: number): void {
		this.grids.delete(grid);
	}

	/** Aborts indexing. */
	close(): void {
		this.grids.clear();
	}

	private existing(grid: number, fields: readonly Field[]): Index | undefined {
		return this.of(grid).find(
			({ fieldIds, keys }) =>
				fieldIds.length === fields.length &&
				// An earlier version may have made it with other keys.
				fields.every((field, n) => field.id === fieldIds[n] && keyOf(field) === keys[n]),
		);
	}

	private make(grid: number, fields: readonly Field[]): Index | undefined {
		if (this.positions.total(grid) < MIN_INDEXED_ROWS) return undefined;
		return this.db.alone(() => {
			const [oldest] = this.of(grid);
			if (oldest && this.of(grid).length >= MAX_INDEXES_PER_GRID) this.drop(grid, oldest);
			const fieldIds = fields.map(({ id }) => id);
			const keys = fields.map(keyOf);
			const filled = firstKey(grid);
			this.db.run(
				'INSERT INTO indexes (grid_no, fields, filled) VALUES (?, ?, ?)',
				grid,
				JSON.stringify({ ids: fieldIds, keys }),
				filled,
			);
			const [made] = this.db.all<{ no: number }>('SELECT last_insert_rowid() AS no');
			const index: Index = { no: made?.no ?? 0, fieldIds, keys, filled };
			this.of(grid).push(index);
			return index;
		});
	}

	private used(grid: number, index: Index): void {
		const others = this.of(grid).filter((one) => one !== index);
		this.grids.set(grid, [...others, index]);
	}

	/** Number of positions that are not indexed yet. */
	private missing(grid: number, index: Index): number {
		return this.positions.end(grid) - index.filled;
	}

	/** Whether it was neither dropped nor rolled back. */
	private isCurrent(grid: number, index: Index): boolean {
		return this.grids.get(grid)?.includes(index) ?? false;
	}

	/** Waits until an index is filled or abandoned. */
	private async filled(grid: number, index: Index, fields: readonly Field[]): Promise<void> {
		index.filling ??= this.slices
			.write(this.filling(grid, index, fields))
			.catch((error: unknown) => {
				if (!this.slices.closed) this.onFault(error);
			})
			.finally(() => {
				index.filling = undefined;
			});
		await index.filling;
	}

	private *filling(grid: number, index: Index, fields: readonly Field[]): Steps<void> {
		if (this.missing(grid, index) > MIN_SORTED_ROWS) yield* this.fillSorted(grid, index, fields);
		const portion = new Portion();
		while (this.isCurrent(grid, index) && this.missing(grid, index) > 0) {
			portion.measure((rows) => {
				this.fill(grid, index, rows);
			});
			yield;
		}
	}

	/**
	 * Fills an index in its own order. In creation order, each entity would change another page,
	 * and every commit would write many pages. The rows are not read again, in another order than
	 * theirs: those that were changed in the meantime are already in the index.
	 */
	private *fillSorted(grid: number, index: Index, fields: readonly Field[]): Steps<void> {
		const end = this.positions.end(grid);
		const orders = fields.map((field) => ({ field, descending: false }));
		const sorted = new SortedKeys(this.db, orders);
		const changed = (index.changed = new Set<number>());
		const keys = [index.no, ...fields.map((_, n) => `k${n}`), ...padding(fields), 'pos'].join(', ');
		try {
			const reading = new Portion();
			for (let from = index.filled; from < end; ) {
				const to = Math.min(end, from + reading.rows);
				reading.measure(() => sorted.add('rows WHERE pos >= ? AND pos < ?', from, to));
				from = to;
				yield;
				if (!this.isCurrent(grid, index)) return;
			}
			const writing = new Portion();
			for (;;) {
				const found = writing.measure((rows) =>
					sorted.take(rows, (positions, first) => {
						this.db.run(
							`INSERT OR IGNORE INTO keys SELECT ${keys} FROM (${first}) WHERE pos NOT IN (SELECT value FROM json_each(?))`,
							rows,
							JSON.stringify(positions.filter((pos) => changed.has(pos))),
						);
					}),
				);
				if (found.length === 0) break;
				yield;
				if (!this.isCurrent(grid, index)) return;
			}
			this.setFilled(index, end);
		} finally {
			index.changed = undefined;
			sorted.drop();
		}
	}

	/**
	 * Adds a portion of entities to an index. Entities that were updated in the meantime are
	 * already in it.
	 */
	private fill(grid: number, index: Index, rows: number): void {
		const to = Math.min(index.filled + rows, this.positions.end(grid));
		// In the order of the index, so that few pages are written.
		this.db.run(
			`INSERT OR IGNORE INTO keys ${keysOfRows(index)} WHERE pos >= ? AND pos < ? ORDER BY 2, 3`,
			index.filled,
			to,
		);
		this.setFilled(index, to);
	}

	private setFilled(index: Index, to: number): void {
		this.db.run('UPDATE indexes SET filled = ? WHERE no = ?', to, index.no);
		index.filled = to;
	}

	private drop(grid: number, index: Index): void {
		this.grids.set(
			grid,
			this.of(grid).filter((one) => one !== index),
		);
		this.db.transaction(() => {
			this.db.run('DELETE FROM indexes WHERE no = ?', index.no);
			this.db.run('INSERT INTO dropped_indexes VALUES (?)', index.no);
		});
		this.leftovers.clear();
	}

	private removeKey({ no, keys, changed }: Index, pos: number): void {
		changed?.add(pos);
		const equal = keys.map((key, n) => `k${n} = (SELECT ${key} FROM rows WHERE pos = ?)`);
		this.db.run(
			`DELETE FROM keys WHERE index_no = ? AND ${equal.join(' AND ')} AND pos = ?`,
			no,
			...keys.map(() => pos),
			pos,
		);
	}

	/** The indexes of a grid, including those of an earlier process. */
	private of(grid: number): Index[] {
		const known = this.grids.get(grid);
		if (known) return known;
		const stored = this.db.all<{ no: number; fields: string; filled: number }>(
			'SELECT no, fields, filled FROM indexes WHERE grid_no = ? ORDER BY no',
			grid,
		);
		const indexes = stored.map(({ no, fields, filled }): Index => {
			const { ids, keys } = readColumn(indexedFields, fields);
			return { no, fieldIds: ids, keys, filled };
		});
		if (this.grids.size >= MAX_CACHED_GRIDS)
			for (const [one, ofOne] of this.grids)
				if (ofOne.every(({ filling }) => filling === undefined)) this.grids.delete(one);
		this.grids.set(grid, indexes);
		return indexes;
	}
}

/** `SELECT` of the keys of rows, in the columns of the table of keys. */
const keysOfRows = ({ no, keys }: Index) =>
	`SELECT ${[no, ...keys, ...padding(keys), 'pos'].join(', ')} FROM rows`;

/** Values for the columns of the table of keys that an index does not use. */
const padding = ({ length }: readonly unknown[]): number[] => (length < MAX_INDEXED_FIELDS ? [0] : []);
