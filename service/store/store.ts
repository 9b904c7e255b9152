import { Accounts } from './accounts';
import { Database } from './database';
import { Entities } from './entities';
import { Events } from './events';
import { Fields } from './fields';
import { Grids, type Grid } from './grids';
import { Spaces, type Space } from './spaces';
import { prepareTables } from './tables';

export interface StoreOptions {
	/** A file, or `:memory:`. */
	readonly path: string;
	/** How long a search through entities may take, in milliseconds. */
	readonly statementMs?: number;
	/** The clock behind event timestamps, in milliseconds since 1970. */
	readonly now?: () => number;
}

/** Everything the service keeps. */
export class Store {
	readonly accounts: Accounts;
	readonly spaces: Spaces;
	readonly grids: Grids;
	readonly fields: Fields;
	readonly events: Events;
	readonly entities: Entities;
	protected readonly db: Database;

	constructor(options: StoreOptions) {
		this.db = new Database(options.path);
		prepareTables(this.db);
		this.accounts = new Accounts(this.db);
		this.spaces = new Spaces(this.db);
		this.grids = new Grids(this.db);
		this.fields = new Fields(this.db);
		this.events = new Events(this.db, options.now ?? Date.now);
		this.entities = new Entities(this.db, this.events, options.statementMs ?? 5000);
	}

	/** All of `work` or nothing of it. */
	transaction<Result>(work: () => Result): Result {
		return this.db.transaction(work);
	}

	/** Deletes a grid and what hangs on it (§4.4). */
	removeGrid(grid: Grid): void {
		this.grids.remove(grid);
		this.fields.forget(grid.no);
		this.events.forget(grid.no);
		this.entities.positions.forget(grid.no);
		this.entities.indexes.forget(grid.no);
	}

	/** Deletes a space and everything in it (§4.3). */
	removeSpace(space: Space): void {
		this.transaction(() => {
			for (const grid of this.grids.list(space.id, 'persistent')) this.removeGrid(grid);
			this.spaces.remove(space.id);
		});
	}

	close(): void {
		this.db.close();
	}
}
