import type { Database } from './files/database';

/**
 * Records kept in memory: enough for what is in use at the
 * same time, and a bound on what many accounts can fill.
 */
const MAX_RECORDS = 10_000;

/**
 * Records that every request asks for and that change seldom, by id. Right because one service owns
 * a data file (see lock.ts), and because whoever writes a record forgets it here.
 */
export class RecordCache<Id, Item> {
	private readonly items = new Map<Id, Item>();

	constructor(db: Database) {
		db.onRollback(() => {
			this.clear();
		});
	}

	/** @param load reads it from the data file when it is not here */
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
