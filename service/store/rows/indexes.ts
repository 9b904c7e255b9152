import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../../rules/errors';
import type { Field } from '../../rules/fieldTypes';
import { column, EMPTY } from './conditions';
import type { Database, SqlValue } from '../files/database';
import type { Positions } from './positions';
import { Portion, type Slices, type Steps } from '../files/slices';

/** Below this size a scan is quicker than it is worth to keep an index. */
const MIN_INDEXED_ROWS = 2000;
/** Every index makes every write a little slower; the one that was not asked for longest goes. */
const MAX_INDEXES_PER_GRID = 8;
/** Up to this many entities are put into an index at once, within the request that asks for it. */
const MAX_ROWS_AT_ONCE = 2000;
/** From this many entities on they are sorted before they are put into an index. */
const MIN_SORTED_ROWS = 20_000;

export interface IndexOptions {
	/** How long a request waits for an index that is being made, in milliseconds. */
	readonly waitMs: number;
	/** Told when an index could not be made; searches do without it then. */
	readonly onFault: (error: unknown) => void;
}

/** An index, and how far it goes. */
interface Index {
	/** One past the last position that is in it. */
	filled: number;
	/**
	 * Settles when all that there was is in it, or when that was given up; left out where nothing
	 * is being put in.
	 */
	filling?: Promise<void> | undefined;
}

/**
 * Indexes on the fields that filters and sortings ask for, made when they are first needed. An
 * index is a table of values and positions that triggers keep in step with changes and deletions:
 * SQLite's own indexes on a million entities would be made in one statement of about two seconds,
 * during which the service could answer nobody, whereas such a table is filled in portions.
 * Entities created later are put in when the index is next asked for: positions only grow, so it is
 * known from where on they are missing, and a creation costs the same however large the grid is and
 * whatever it was searched by.
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
	 * The table with the values of these fields as `k0`, `k1` … and the positions of their entities
	 * as `pos`, ordered by all of them. For a large grid it is made when it is first asked for; a
	 * small one has none.
	 * @throws ServiceError 503 when it is not made in time; it goes on being made for the next
	 * request
	 */
	async find(grid: number, size: number, fields: readonly Field[]): Promise<string | undefined> {
		const name = indexName(grid, fields);
		const indexes = this.of(grid);
		const index = indexes.get(name) ?? (size < MIN_INDEXED_ROWS ? undefined : this.make(grid, name, fields));
		if (!index) return undefined;
		indexes.delete(name);
		indexes.set(name, index);
		if (this.missing(grid, index) > MAX_ROWS_AT_ONCE) await this.filled(grid, name, index, fields);
		// Given up: the search does without.
		if (this.of(grid).get(name) !== index || this.missing(grid, index) > MAX_ROWS_AT_ONCE) return undefined;
		if (this.missing(grid, index) > 0) this.fill(grid, name, index, { fields, rows: MAX_ROWS_AT_ONCE });
		return name;
	}

	/** Removes the indexes that a field is part of. */
	dropField(grid: number, fieldId: string): void {
		for (const name of [...this.of(grid).keys()]) if (name.includes(fieldId)) this.drop(grid, name);
	}

	/** Forgets the indexes of a grid that is being deleted: they go with its tables. */
	forget(grid: number): void {
		this.grids.delete(grid);
	}

	/** Ends what is being made. */
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

	/** How many positions are not in an index yet. */
	private missing(grid: number, index: Index): number {
		return this.positions.end(grid) - index.filled;
	}

	/**
	 * Waits until an index is filled, or that was given up.
	 * @throws ServiceError 503 when it takes too long
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
				'The grid is large, and the index for this filter or sorting is still being made: try again soon',
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
			// Dropped or undone in the meantime.
			if (this.grids.get(grid)?.get(name) !== index) return;
		}
	}

	/**
	 * Puts all entities there are into an index in its own order: entities in the order of their
	 * creation would each change another page of it, and each page is written with every commit.
	 * What is sorted in memory are values of a moment ago; the index takes the present ones.
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
			this.db.forgetStatements();
			this.db.exec(`DROP TABLE IF EXISTS ${sorted}`);
		}
	}

	/**
	 * Puts the entities of one portion into an index; one that was changed before is there already.
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
			// In the order of the index: what lies together there is written together.
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
		this.db.forgetStatements();
		this.db.transaction(() => {
			this.db.exec(removalOfIndex(name));
			this.db.run('DELETE FROM indexes WHERE name = ?', name);
		});
	}

	/** The indexes of a grid, those of an earlier process among them. */
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
 * What an index holds of a row: its values, and for an empty cell what comes before every value.
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
