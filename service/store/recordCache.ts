import type { Database } from './files/database';

/** Maximum number of cached records. */
const MAX_RECORDS = 10_000;
/** Maximum size of the parts of all records that may be large, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Caches records that every request needs and that rarely change, by ID. Correct because one
 * service owns the data file (see lock.ts) and every write invalidates its record.
 */
export class RecordCache<Id, Item> {
	private readonly items = new Map<Id, Item>();
	private bytes = 0;

	/** @param sizeOf size of the parts of a record that may be large, in bytes */
	constructor(
		db: Database,
		private readonly sizeOf: (item: Item) => number = () => 0,
	) {
		db.onRollback(() => {
			this.clear();
		});
	}

	/** @param load reads the record on a cache miss */
	get<Loaded extends Item | undefined>(id: Id, load: () => Loaded): Item | Loaded {
		const kept = this.items.get(id);
		if (kept !== undefined) return kept;
		const item = load();
		if (item === undefined) return item;
		this.bytes += this.sizeOf(item);
		if (this.items.size >= MAX_RECORDS || this.bytes > MAX_BYTES) {
			this.clear();
			this.bytes = this.sizeOf(item);
		}
		this.items.set(id, item);
		return item;
	}

	/** Its size stays counted, so that the cache is cleared earlier than necessary at worst. */
	forget(id: Id): void {
		this.items.delete(id);
	}

	clear(): void {
		this.items.clear();
		this.bytes = 0;
	}
}
