import type { Field } from '../fieldTypes';
import { column } from './conditions';
import type { Database } from './database';

/** Below this size a scan is quicker than it is worth to keep an index. */
const WORTH_INDEXING = 2000;
/** Every index makes every write a little slower; the one that was not asked for longest goes. */
const INDEXES_PER_GRID = 8;

/** Indexes on the fields that filters and sortings ask for, made when they are first needed. */
export class Indexes {
	/** Field ids by grid, least recently used first. */
	private readonly grids = new Map<number, Set<string>>();

	constructor(private readonly db: Database) {
		db.onRollback(() => this.grids.clear());
	}

	/** Makes sure that a large grid has an index on the field. */
	ensure(grid: number, size: number, field: Field): void {
		const fields = this.of(grid);
		if (fields.delete(field.id)) {
			fields.add(field.id);
			return;
		}
		if (size < WORTH_INDEXING) return;
		const [oldest] = fields;
		if (fields.size >= INDEXES_PER_GRID && oldest !== undefined) this.drop(grid, oldest);
		this.db.exec(`CREATE INDEX ${indexName(grid, field.id)} ON rows_${grid} (${column(field)})`);
		fields.add(field.id);
	}

	/** Removes the index on a field, if there is one. */
	drop(grid: number, fieldId: string): void {
		this.db.exec(`DROP INDEX IF EXISTS ${indexName(grid, fieldId)}`);
		this.grids.get(grid)?.delete(fieldId);
	}

	/** Forgets a deleted grid; its indexes went with its table. */
	forget(grid: number): void {
		this.grids.delete(grid);
	}

	private of(grid: number): Set<string> {
		let fields = this.grids.get(grid);
		if (!fields) {
			const prefix = indexName(grid, '');
			const rows = this.db.all<{ name: string }>(
				`SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND substr(name, 1, ?) = ?`,
				`rows_${grid}`,
				prefix.length,
				prefix,
			);
			fields = new Set(rows.map((row) => row.name.slice(prefix.length)));
			this.grids.set(grid, fields);
		}
		return fields;
	}
}

const indexName = (grid: number, fieldId: string) => `value_${grid}_${fieldId}`;
