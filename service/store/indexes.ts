import type { Field } from '../fieldTypes';
import { column } from './conditions';
import type { Database } from './database';

/** Below this size a scan is quicker than it is worth to keep an index. */
const WORTH_INDEXING = 2000;
/** Every index makes every write a little slower; the one that was not asked for longest goes. */
const INDEXES_PER_GRID = 8;

/** Indexes on the fields that filters and sortings ask for, made when they are first needed. */
export class Indexes {
	/** Names of indexes by grid, least recently used first. */
	private readonly grids = new Map<number, Set<string>>();

	constructor(private readonly db: Database) {
		db.onRollback(() => {
			this.grids.clear();
		});
	}

	/** Makes sure that a large grid has an index on these fields, in this order. */
	ensure(grid: number, size: number, fields: readonly Field[]): void {
		const name = indexName(grid, fields);
		const names = this.of(grid);
		if (names.delete(name)) {
			names.add(name);
			return;
		}
		if (size < WORTH_INDEXING) return;
		const [oldest] = names;
		if (names.size >= INDEXES_PER_GRID && oldest !== undefined) this.drop(grid, oldest);
		this.db.exec(`CREATE INDEX ${name} ON rows_${grid} (${fields.map(column).join(', ')})`);
		names.add(name);
	}

	/** Removes the indexes that a field is part of. */
	dropField(grid: number, fieldId: string): void {
		for (const name of [...this.of(grid)]) if (name.includes(fieldId)) this.drop(grid, name);
	}

	private drop(grid: number, name: string): void {
		this.db.exec(`DROP INDEX ${name}`);
		this.of(grid).delete(name);
	}

	/** Forgets a deleted grid; its indexes went with its table. */
	forget(grid: number): void {
		this.grids.delete(grid);
	}

	private of(grid: number): Set<string> {
		let names = this.grids.get(grid);
		if (!names) {
			const prefix = indexName(grid, []);
			const rows = this.db.all<{ name: string }>(
				`SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND substr(name, 1, ?) = ?`,
				`rows_${grid}`,
				prefix.length,
				prefix,
			);
			names = new Set(rows.map((row) => row.name));
			this.grids.set(grid, names);
		}
		return names;
	}
}

const indexName = (grid: number, fields: readonly Field[]) =>
	['value', grid, ...fields.map((field) => field.id)].join('_');
