import type { Database } from './files/database';

/** Maximum number of cached records. */
const MAX_RECORDS = 10_000;

/**
 * Caches records that every request needs and that rarely change, by ID. Correct because one
 * service owns the data file (see lock.ts) and every write invalidates its record.
 */
export class RecordCache<Id, Item> {
	private readonly items = new Map<Id, Item>();

	constructor(db: Database) {
		db.onRollback(() => {
			this.clear();
		});
	}

	/** @param load reads the record on a cache miss */
	get(id: Id, load: () => Item | undefined): Item | undefined {
		const kept = this.items.get(id);
		if (kept !== undefined) return kept;
		const item = load();
		if (item === undefined) return undefined;
		if (this.items.size >= MAX_RECORDS) this.clear();
		this.items.set(id, item);
		return item;
	}

	forget(id: Id): void {
		this.items.delete(id);
	}

	clear(): void {
		this.items.clear();
	}
}
