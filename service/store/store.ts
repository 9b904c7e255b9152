import { keepsValues, type Field } from '../rules/fieldTypes';
import { Accounts } from './people/accounts';
import { Conversions } from './rows/conversions';
import { checkInBackground, requireUsable } from './files/dataFile';
import { Database, type Reader } from './files/database';
import { Entities } from './rows/entities';
import { EventRecords } from './events/eventRecords';
import { Events } from './events/events';
import { Fields, type FieldChange } from './structure/fields';
import { Grids, type Grid, type NewGrid } from './structure/grids';
import { Presentation } from './structure/presentation';
import { PublicLinks } from './people/publicLinks';
import { trimHistory } from './events/retention';
import { Indexes } from './rows/indexes';
import { newToken } from './ids';
import { Leftovers } from './structure/leftovers';
import { Positions } from './rows/positions';
import { Selections } from './rows/selections';
import { StoredRows } from './rows/storedRows';
import { Sharing } from './people/sharing';
import { Slices, type Steps } from './files/slices';
import { Snapshot } from './files/snapshot';
import { Spaces, type Space, type SpaceChange } from './structure/spaces';
import { prepareTables } from './files/tables';
import { VisibleEvents } from './events/visibleEvents';

export interface StoreOptions {
	/** A file, or `:memory:`. */
	readonly path: string;
	/** Maximum processor time of a search through entities, in milliseconds. */
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
	readonly leftovers: Leftovers;
	/** Key of the numbers of receipts; made at once, because reads need it as well. */
	readonly receiptSecret: string;
	private readonly indexes: Indexes;
	private readonly db: Database;
	private readonly inMemory: boolean;
	/** Ends a running check of the data file. */
	private endCheck: (() => void) | undefined;

	constructor(options: StoreOptions) {
		this.inMemory = options.path === ':memory:';
		if (!this.inMemory) requireUsable(options.path);
		this.db = new Database(options.path);
		prepareTables(this.db);
		const onFault = options.onFault ?? (() => undefined);
		this.slices = new Slices(this.db);
		this.leftovers = new Leftovers(this.db, this.slices, onFault);
		this.accounts = new Accounts(this.db, options.passwordCost);
		this.receiptSecret = this.accounts.setting('receipts', newToken);
		this.spaces = new Spaces(this.db);
		this.sharing = new Sharing(this.db);
		this.grids = new Grids(this.db, this.leftovers);
		this.fields = new Fields(this.db);
		this.presentation = new Presentation(this.db);
		this.publicLinks = new PublicLinks(this.db, options.passwordCost);
		const statementMs = options.statementMs ?? 5000;
		const positions = new Positions(this.db);
		this.indexes = new Indexes(this.db, positions, this.slices, this.leftovers, onFault);
		const storedRows = new StoredRows(this.db, this.indexes);
		this.events = new Events(this.db, options.now ?? Date.now);
		this.conversions = new Conversions(this.db, this.events, storedRows, this.slices, onFault);
		const { conversions, events, indexes, slices } = this;
		this.entities = new Entities(this.db, events, conversions, storedRows, positions);
		this.visibleEvents = new VisibleEvents(this.db, { events, conversions }, slices, statementMs);
		this.eventRecords = new EventRecords(this.db, this.entities);
		this.selections = new Selections(
			this.db,
			{ positions, indexes, conversions, slices, events },
			statementMs,
		);
	}

	/** Checks the data file in the background. @param onFault called if it is damaged */
	checkFile(onFault: (error: Error) => void): void {
		if (!this.inMemory) this.endCheck = checkInBackground(this.db.path, onFault);
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

	/** Runs the work of a request that writes (see Database). */
	write<Result>(work: () => Result | Promise<Result>): Promise<Result> {
		return this.db.write(work);
	}

	/** Runs the work of a request that only reads (see Database). */
	read<Result>(work: () => Result | Promise<Result>): Promise<Result> {
		return this.db.read(work);
	}

	/** Changes with every write, also by a command. */
	version(): string {
		return this.db.version();
	}

	/** Stops background work. Call before `close`. */
	async stop(): Promise<void> {
		this.slices.close();
		this.endCheck?.();
		await this.db.stop();
	}

	/**
	 * Reads a snapshot in slices while others write. A database in memory has no snapshots, so
	 * concurrent writes are visible there.
	 * @param work receives the snapshot
	 */
	async withSnapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
		await this.db.settled();
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
	 * Fills a new grid in slices and publishes it with all of its rows, or not at all, even if the
	 * process is killed.
	 * @param fill steps that insert the entities, given the number of the grid
	 * @param publish creates the record of the grid with this number (see addGrid)
	 * @param check refuses to publish it by an error
	 */
	async fillGrid<Result>(
		fill: (no: number) => Steps<void>,
		publish: (no: number) => Result,
		check: () => Promise<void> = () => Promise.resolve(),
	): Promise<Result> {
		const no = this.leftovers.draft();
		try {
			await this.slices.write(fill(no));
			await check();
			return this.db.alone(() => publish(no));
		} finally {
			this.leftovers.endDraft(no);
		}
	}

	/**
	 * Fills a new space in slices and publishes it as a whole, like `fillGrid`.
	 * @throws ServiceError 400 if its name is taken
	 */
	async fillSpace(
		ownerId: string,
		given: SpaceChange,
		fill: (space: Space) => Steps<void>,
		check: () => Promise<void>,
	): Promise<Space> {
		const space = this.db.alone(() => this.spaces.draft(ownerId, given));
		try {
			await this.slices.write(fill(space));
			await check();
			this.db.alone(() => {
				this.spaces.publish(space.id);
			});
			return space;
		} catch (error) {
			this.db.alone(() => {
				this.removeSpace(space);
			});
			throw error;
		}
	}

	/** Removes what a killed process left behind, in the background. */
	clearLeftovers(): void {
		for (const id of this.spaces.leftDrafts()) this.removeSpace({ id });
		this.leftovers.clear();
	}

	/**
	 * Creates a grid with its form, which §4.4 requires for submissions.
	 * @param draft number of a filled grid (see fillGrid); an empty grid if omitted
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
			this.forget(grid);
		});
		this.leftovers.clear();
	}

	/** Deletes the discarded grids of before a time, in milliseconds since 1970. */
	removeDiscarded(before: number): void {
		for (const grid of this.grids.discardedBefore(before)) this.removeGrid(grid);
	}

	/** Deletes a space and everything in it (§4.3). */
	removeSpace({ id }: Pick<Space, 'id'>): void {
		this.transaction(() => {
			for (const grid of this.grids.list(id, 'persistent')) this.forget(grid);
			for (const { grid } of this.grids.discarded(id)) this.removeGrid(grid);
			this.grids.removeAll(id);
			this.spaces.remove(id);
		});
		this.leftovers.clear();
	}

	/** Drops cached data of a deleted grid. */
	private forget({ no }: Grid): void {
		this.indexes.forget(no);
		this.fields.forget(no);
		this.events.forget(no);
		this.entities.positions.forget(no);
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
			this.indexes.dropField(grid.no, field.id);
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
			this.indexes.dropField(grid.no, field.id);
			this.fields.remove(grid.no, field, !this.conversions.includes(grid.no, field.id));
		});
	}

	close(): void {
		this.slices.close();
		this.indexes.close();
		this.db.close();
	}
}
