import { keepsValues, type Field } from '../rules/fieldTypes';
import { Accounts } from './people/accounts';
import { Conversions } from './rows/conversions';
import { Database, type Reader } from './files/database';
import { DetachedGrids } from './structure/detachedGrids';
import { Entities } from './rows/entities';
import { EventRecords } from './events/eventRecords';
import { Events } from './events/events';
import { Fields, type FieldChange } from './structure/fields';
import { Grids, type Grid, type NewGrid } from './structure/grids';
import { Presentation } from './structure/presentation';
import { PublicLinks } from './people/publicLinks';
import { trimHistory } from './events/retention';
import { Selections } from './rows/selections';
import { Sharing } from './people/sharing';
import { Slices, type Steps } from './files/slices';
import { Snapshot } from './files/snapshot';
import { Spaces, type Space } from './structure/spaces';
import { prepareTables } from './files/tables';
import { VisibleEvents } from './events/visibleEvents';

export interface StoreOptions {
	/** A file, or `:memory:`. */
	readonly path: string;
	/** How long a search through entities may take, in milliseconds. */
	readonly statementMs?: number;
	/** The clock behind event timestamps, in milliseconds since 1970. */
	readonly now?: () => number;
	/** Cost N of the hashes of passwords of public links. */
	readonly passwordCost?: number;
	/** Called for background errors, e.g. an index that cannot be created. */
	readonly onFault?: (error: unknown) => void;
}

/** All data of the service, and operations that involve several kinds of records. */
export class Store {
	readonly accounts: Accounts;
	readonly spaces: Spaces;
	readonly sharing: Sharing;
	readonly grids: Grids;
	readonly fields: Fields;
	readonly presentation: Presentation;
	readonly publicLinks: PublicLinks;
	readonly events: Events;
	readonly visibleEvents: VisibleEvents;
	readonly eventRecords: EventRecords;
	readonly entities: Entities;
	readonly conversions: Conversions;
	readonly selections: Selections;
	readonly slices: Slices;
	readonly detached: DetachedGrids;
	private readonly db: Database;
	private readonly inMemory: boolean;

	constructor(options: StoreOptions) {
		this.db = new Database(options.path);
		prepareTables(this.db);
		this.inMemory = options.path === ':memory:';
		const onFault = options.onFault ?? (() => undefined);
		this.slices = new Slices(this.db);
		this.detached = new DetachedGrids(this.db, this.slices, onFault);
		this.accounts = new Accounts(this.db);
		this.spaces = new Spaces(this.db);
		this.sharing = new Sharing(this.db);
		this.grids = new Grids(this.db, this.detached);
		this.fields = new Fields(this.db);
		this.presentation = new Presentation(this.db);
		this.publicLinks = new PublicLinks(this.db, options.passwordCost);
		this.events = new Events(this.db, options.now ?? Date.now);
		this.visibleEvents = new VisibleEvents(this.db, this.slices, options.statementMs ?? 5000);
		this.conversions = new Conversions(this.db, this.events, this.slices, onFault);
		this.entities = new Entities(this.db, this.events, this.conversions);
		this.eventRecords = new EventRecords(this.db, this.entities);
		this.selections = new Selections(this.db, this.entities.positions, this.slices, {
			statementMs: options.statementMs ?? 5000,
			onFault,
		});
	}

	/** @throws if the data file cannot be read */
	check(): void {
		this.accounts.hasSetting('seed');
	}

	/** Deletes the history before a time, in slices. @param before milliseconds since 1970 */
	async trimHistory(before: number): Promise<void> {
		await this.slices.write(trimHistory(this.db, before));
	}

	/** Runs `work` in a transaction. */
	transaction<Result>(work: () => Result): Result {
		return this.db.transaction(work);
	}

	/** Runs work in a transaction and rolls it back, for previews. */
	withRollback<Result>(work: () => Result): Result {
		return this.db.withRollback(work);
	}

	/** Enables group commit (see Database). */
	groupCommits(): void {
		this.db.groupCommits();
	}

	/**
	 * Runs the work of a request and resolves when all it wrote or may have read is on disk.
	 * @throws the error of the work or of the commit; then nothing was written
	 */
	async serve<Result>(work: () => Result | Promise<Result>): Promise<Result> {
		const since = this.db.mark();
		try {
			const result = await work();
			await this.db.committed(since);
			return result;
		} catch (error) {
			await this.db.committed(since);
			throw error;
		}
	}

	/** Stops background work. Call before `close`. */
	async stop(): Promise<void> {
		this.slices.close();
		await this.db.stop();
	}

	/**
	 * Reads a snapshot in slices while others write. A database in memory has no snapshots, so
	 * concurrent writes are visible there.
	 * @param work receives the snapshot
	 */
	async withSnapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
		await this.db.committed(this.db.mark());
		if (this.inMemory) return work(this.db);
		return this.db.withoutCheckpoints(async () => {
			const snapshot = new Snapshot(this.db.path, this.db.functions);
			try {
				return await work(snapshot);
			} finally {
				snapshot.close();
			}
		});
	}

	/**
	 * Fills new grids in slices and publishes them atomically, even if the process is killed.
	 * @param fill steps that insert the entities of each grid, by the number of the grid
	 * @param publish creates the records of the grids, with the same numbers in the same order (see
	 *   addGrid)
	 * @param check refuses to publish them by an error
	 */
	async fillGrids<Result>(
		fill: ReadonlyArray<(no: number) => Steps<void>>,
		publish: (numbers: readonly number[]) => Result,
		check: () => Promise<void> = () => Promise.resolve(),
	): Promise<Result> {
		const drafts = this.transaction(() => fill.map((steps) => ({ no: this.detached.draft(), steps })));
		try {
			for (const { no, steps } of drafts) await this.slices.write(steps(no));
			await check();
			return this.transaction(() => publish(drafts.map(({ no }) => no)));
		} catch (error) {
			for (const { no } of drafts) this.detached.discard(no);
			throw error;
		}
	}

	/**
	 * Creates a grid with its form, which §4.4 requires for submissions.
	 * @param draft number of a filled grid (see fillGrids); an empty grid if omitted
	 */
	addGrid(spaceId: string, given: NewGrid, draft?: number): Grid {
		return this.transaction(() => {
			const grid = this.grids.create(spaceId, given, draft === undefined ? undefined : { draft });
			this.presentation.addForm(grid.no, given.name, null);
			return grid;
		});
	}

	/** Deletes a grid with its dependent records (§4.4). */
	removeGrid(grid: Grid): void {
		this.transaction(() => {
			this.grids.remove(grid);
			this.selections.indexes.forget(grid.no);
			this.fields.forget(grid.no);
			this.events.forget(grid.no);
			this.entities.positions.forget(grid.no);
		});
		this.detached.clear();
	}

	/** Deletes a space and everything in it (§4.3). */
	removeSpace(space: Space): void {
		this.transaction(() => {
			for (const grid of this.grids.list(space.id, 'persistent')) this.removeGrid(grid);
			this.spaces.remove(space.id);
		});
	}

	/**
	 * Updates a field. With a new type, values are converted if that is unambiguous and cleared
	 * otherwise; each changed entity gets an event.
	 * @throws ServiceError 503 during an earlier type change
	 */
	changeField(grid: Grid, field: Field, change: FieldChange, userId: string): void {
		this.transaction(() => {
			if (change.type) this.conversions.requireConverted(grid.no, field);
			const next = this.fields.update(grid.no, field, change);
			if (keepsValues(field.type, next.type)) return;
			this.selections.indexes.dropField(grid.no, field.id);
			this.conversions.begin(grid.no, next, userId, this.entities.positions.end(grid.no));
		});
	}

	/**
	 * Deletes a field, also from virtual grids; their conditions on it match nothing (see
	 * viewDefinition.ts).
	 */
	removeField(grid: Grid, field: Field): void {
		this.transaction(() => {
			for (const view of this.grids.views(grid.no)) {
				if (!view.definition) continue;
				const fields = view.definition.fields && view.definition.fields.filter((id) => id !== field.id);
				this.grids.update(view, { definition: { ...view.definition, fields } });
			}
			this.selections.indexes.dropField(grid.no, field.id);
			this.fields.remove(grid.no, field);
		});
	}

	close(): void {
		this.slices.close();
		this.selections.indexes.close();
		this.db.close();
	}
}
