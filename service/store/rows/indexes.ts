import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../../rules/errors';
import type { Field } from '../../rules/fieldTypes';
import { column, EMPTY } from './conditions';
import type { Database, SqlValue } from '../files/database';
import type { Positions } from './positions';
import { Portion, type Slices, type Steps } from '../files/slices';

/** Below this size, a scan is fast enough. */
const MIN_INDEXED_ROWS = 2000;
/** Every index slows down writes; the least recently used one is dropped. */
const MAX_INDEXES_PER_GRID = 8;
/** Up to this many entities are indexed within the request. */
const MAX_ROWS_AT_ONCE = 2000;
/** From this many entities on, they are sorted before they are indexed. */
const MIN_SORTED_ROWS = 20_000;

export interface IndexOptions {
	/** Maximum time a request waits for an index, in milliseconds. */
	readonly waitMs: number;
	/** Called if an index cannot be created; searches then work without it. */
	readonly onFault: (error: unknown) => void;
}

/** An index and its progress. */
interface Index {
	/** Position after the last indexed one. */
	filled: number;
	/** Settles when the index is filled or was abandoned; undefined if it is not being filled. */
	filling?: Promise<void> | undefined;
}

/**
 * Indexes for filters and sortings, created on demand. An index is a table of values and positions
 * that triggers keep up to date with updates and deletions. It is filled in portions, while `CREATE
 * INDEX` on a million entities would block for two seconds. New entities are added at the next use
 * of the index: positions are ascending, so the missing ones are known, and indexes do not slow
 * down creations.
 */
export class Indexes {
	/** By grid and name, least recently used first. */
	private readonly grids = new Map<number, Map<string, Index>>();

	constructor(
		private readonly db: Database,
		private readonly positions: Positions,
		private readonly slices: Slices,
		private readonly options: IndexOptions,
	) {
		db.onRollback(() => {
			this.grids.clear();
		});
	}

	/**
	 * Name of the table with the values of these fields as `k0`, `k1` … and the positions as `pos`,
	 * ordered by all of them. Created on demand; undefined for small grids.
	 * @throws ServiceError 503 if it is not ready in time; it is completed in the background
	 */
	async find(grid: number, size: number, fields: readonly Field[]): Promise<string | undefined> {
		const name = indexName(grid, fields);
		const indexes = this.of(grid);
		const index = indexes.get(name) ?? (size < MIN_INDEXED_ROWS ? undefined : this.make(grid, name, fields));
		if (!index) return undefined;
		indexes.delete(name);
		indexes.set(name, index);
		if (this.missing(grid, index) > MAX_ROWS_AT_ONCE) await this.filled(grid, name, index, fields);
		// Abandoned: the search works without it.
		if (this.of(grid).get(name) !== index || this.missing(grid, index) > MAX_ROWS_AT_ONCE) return undefined;
		if (this.missing(grid, index) > 0) this.fill(grid, name, index, { fields, rows: MAX_ROWS_AT_ONCE });
		return name;
	}

	/** Drops the indexes that contain a field. */
	dropField(grid: number, fieldId: string): void {
		for (const name of [...this.of(grid).keys()]) if (name.includes(fieldId)) this.drop(grid, name);
	}

	/** Drops cached data of a deleted grid; its indexes are deleted with its tables. */
	forget(grid: number): void {
		this.grids.delete(grid);
	}

	/** Aborts indexing. */
	close(): void {
		this.grids.clear();
	}

	private make(grid: number, name: string, fields: readonly Field[]): Index {
		const indexes = this.of(grid);
		const [oldest] = indexes.keys();
		if (indexes.size >= MAX_INDEXES_PER_GRID && oldest !== undefined) this.drop(grid, oldest);
		this.db.transaction(() => {
			this.db.exec(definition(grid, name, fields));
			this.db.run('INSERT INTO indexes VALUES (?, 0)', name);
		});
		const index: Index = { filled: 0 };
		indexes.set(name, index);
		return index;
	}

	/** Number of positions that are not indexed yet. */
	private missing(grid: number, index: Index): number {
		return this.positions.end(grid) - index.filled;
	}

	/**
	 * Waits until an index is filled or abandoned.
	 * @throws ServiceError 503 if it takes too long
	 */
	private async filled(grid: number, name: string, index: Index, fields: readonly Field[]): Promise<void> {
		index.filling ??= this.slices
			.write(this.filling(grid, name, index, fields))
			.catch((error: unknown) => {
				if (!this.slices.closed) this.options.onFault(error);
			})
			.finally(() => {
				index.filling = undefined;
			});
		const given = new AbortController();
		const late = delay(this.options.waitMs, true, { signal: given.signal }).catch(() => false);
		const tooLate = await Promise.race([index.filling, late]);
		given.abort();
		if (tooLate === true) {
			throw unavailable(
				'The index for this filter or sorting is still being built because the grid is large: try again soon',
			);
		}
	}

	private *filling(grid: number, name: string, index: Index, fields: readonly Field[]): Steps<void> {
		if (this.missing(grid, index) > MIN_SORTED_ROWS) yield* this.fillSorted(grid, name, index, fields);
		if (this.grids.get(grid)?.get(name) !== index) return;
		const portion = new Portion();
		while (this.missing(grid, index) > 0) {
			portion.measure((rows) => {
				this.fill(grid, name, index, { fields, rows });
			});
			yield;
			// Dropped or rolled back in the meantime.
			if (this.grids.get(grid)?.get(name) !== index) return;
		}
	}

	/**
	 * Fills an index in its own order. In creation order, each entity would change another page,
	 * and every commit would write many pages. The sorted values may be outdated, so the index
	 * reads the current ones.
	 */
	private *fillSorted(grid: number, name: string, index: Index, fields: readonly Field[]): Steps<void> {
		const end = this.positions.end(grid);
		const columns = [...fields.map((_, n) => `k${n}`), 'pos'].join(', ');
		const selected = `${keys(fields, '').join(', ')}, pos FROM rows_${grid}`;
		const sorted = `temp.sorted_${name}`;
		const isGone = () => this.grids.get(grid)?.get(name) !== index;
		this.db.exec(
			`DROP TABLE IF EXISTS ${sorted}; CREATE TABLE ${sorted} (${columns}, PRIMARY KEY (${columns})) WITHOUT ROWID;`,
		);
		try {
			const reading = new Portion();
			for (let from = index.filled; from < end; ) {
				const to = Math.min(end, from + reading.rows);
				const sql = `INSERT OR IGNORE INTO ${sorted} SELECT ${selected} WHERE pos >= ? AND pos < ?`;
				reading.measure(() => this.db.run(sql, from, to));
				from = to;
				yield;
				if (isGone()) return;
			}
			const writing = new Portion();
			const after = `(${columns}) > (${[...fields, 'pos'].map(() => '?').join(', ')})`;
			for (let last: SqlValue[] | undefined; ; ) {
				const where = last ? `WHERE ${after}` : '';
				const next = writing.measure((rows) => {
					const sql = `SELECT ${columns} FROM ${sorted} ${where} ORDER BY ${columns} LIMIT ?`;
					const found = this.db.all<Record<string, SqlValue>>(sql, ...(last ?? []), rows);
					this.db.run(
						`INSERT OR IGNORE INTO ${name} SELECT ${selected} WHERE pos IN (SELECT value FROM json_each(?))`,
						JSON.stringify(found.map(({ pos }) => pos)),
					);
					return found.at(-1);
				});
				if (!next) break;
				last = Object.values(next);
				yield;
				if (isGone()) return;
			}
			this.db.run('UPDATE indexes SET filled = ? WHERE name = ?', end, name);
			index.filled = end;
		} finally {
			this.db.forgetStatements(sorted);
			this.db.exec(`DROP TABLE IF EXISTS ${sorted}`);
		}
	}

	/**
	 * Adds a portion of entities to an index. Entities that were updated in the meantime are
	 * already in it.
	 */
	private fill(
		grid: number,
		name: string,
		index: Index,
		{ fields, rows }: { fields: readonly Field[]; rows: number },
	): void {
		const from = index.filled;
		const to = Math.min(from + rows, this.positions.end(grid));
		this.db.transaction(() => {
			// In the order of the index, so that few pages are written.
			this.db.run(
				`INSERT OR IGNORE INTO ${name} SELECT ${keys(fields, '').join(', ')}, pos FROM rows_${grid}
				 WHERE pos >= ? AND pos < ? ORDER BY ${fields.map((_, n) => String(n + 1)).join(', ')}`,
				from,
				to,
			);
			this.db.run('UPDATE indexes SET filled = ? WHERE name = ?', to, name);
		});
		index.filled = to;
	}

	private drop(grid: number, name: string): void {
		this.of(grid).delete(name);
		this.db.forgetStatements(name);
		this.db.transaction(() => {
			this.db.exec(removalOfIndex(name));
			this.db.run('DELETE FROM indexes WHERE name = ?', name);
		});
	}

	/** The indexes of a grid, including those of an earlier process. */
	private of(grid: number): Map<string, Index> {
		const known = this.grids.get(grid);
		if (known) return known;
		const prefix = indexName(grid, []);
		const stored = this.db.all<{ name: string; filled: number }>(
			'SELECT name, filled FROM indexes WHERE substr(name, 1, ?) = ?',
			prefix.length,
			prefix,
		);
		const indexes = new Map<string, Index>(stored.map(({ name, filled }) => [name, { filled }]));
		this.grids.set(grid, indexes);
		return indexes;
	}
}

const indexName = (grid: number, fields: readonly Field[]) =>
	['value', grid, ...fields.map((field) => field.id)].join('_') + (fields.length === 0 ? '_' : '');

/**
 * Key columns of a row: its values, or EMPTY for empty cells.
 * @param row `NEW.`, `OLD.` or nothing
 */
const keys = (fields: readonly Field[], row: string) =>
	fields.map((field) => `coalesce(${column(field, row)}, ${EMPTY})`);

/** Drops an index and its triggers. */
export const removalOfIndex = (name: string): string =>
	`DROP TRIGGER IF EXISTS ${name}_change; DROP TRIGGER IF EXISTS ${name}_remove; DROP TABLE ${name};`;

function definition(grid: number, name: string, fields: readonly Field[]): string {
	const columns = fields.map((_, n) => `k${n}`).join(', ');
	const [before, after] = [keys(fields, 'OLD.'), keys(fields, 'NEW.')];
	const add = `INSERT OR IGNORE INTO ${name} VALUES (${after.join(', ')}, NEW.pos)`;
	const remove = `DELETE FROM ${name} WHERE ${before.map((key, n) => `k${n} = ${key}`).join(' AND ')} AND pos = OLD.pos`;
	const changed = before.map((key, n) => `${key} IS NOT ${after[n] ?? key}`).join(' OR ');
	return `
CREATE TABLE ${name} (${columns}, pos INTEGER NOT NULL, PRIMARY KEY (${columns}, pos)) WITHOUT ROWID;
CREATE TRIGGER ${name}_change AFTER UPDATE OF v ON rows_${grid} WHEN ${changed} BEGIN ${remove}; ${add}; END;
CREATE TRIGGER ${name}_remove AFTER DELETE ON rows_${grid} BEGIN ${remove}; END;`;
}
