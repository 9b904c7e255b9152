import { DatabaseSync } from '@photostructure/sqlite';
import { Checkpoints } from './checkpoints';
import { keepPrivate, restrict } from './privateFile';

type Connection = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Connection['prepare']>;

/** What SQLite takes and gives. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** What reads rows: the connection of the service, or a snapshot. */
export type Reader = Pick<Database, 'all'>;

/** A function that statements may call. */
export type SqlFunction = (...values: SqlValue[]) => SqlValue;

/** Statements of ad-hoc filters would otherwise pile up for as long as the service runs. */
const MAX_STATEMENTS = 500;

/**
 * A log of this many pages (64 MiB) is copied into the data file by a commit; until then a thread
 * does it (see Checkpoints).
 */
const MAX_LOG_PAGES = 16_384;

/** A transaction that holds the writes of several requests: they wait for the disk once. */
interface Group {
	/** Settles when all of them are on the disk, or none of them is. */
	readonly settled: Promise<void>;
	readonly settle: () => void;
}

function newGroup(): Group {
	let settle = (): void => undefined;
	const settled = new Promise<void>((resolve) => {
		settle = resolve;
	});
	return { settled, settle };
}

/** One connection to the data file; the only place that knows the driver. */
export class Database {
	private readonly connection: Connection;
	private readonly statements = new Map<string, Statement>();
	/** By name. */
	readonly functions = new Map<string, SqlFunction>();
	private closed = false;
	/** How many snapshots are being read. */
	private growing = 0;
	private depth = 0;
	private grouping = false;
	private group: Group | undefined;
	/** How many groups were lost, and to what. */
	private lost = 0;
	private lostTo: unknown;
	private checkpoints: Checkpoints | undefined;
	private seenVersion: number | undefined;
	private readonly rollbackListeners: Array<() => void> = [];

	/** @param path a file, or `:memory:` */
	constructor(readonly path: string) {
		if (path !== ':memory:') {
			keepPrivate(path);
			for (const end of ['-wal', '-shm', '-journal']) restrict(path + end);
		}
		this.connection = new DatabaseSync(path, { timeout: 5000 });
		// FULL: an acknowledged write survives a power cut, not only the end of the process.
		this.exec(
			// Says nothing to a file that there is already.
			'PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-131072; PRAGMA mmap_size=1073741824; PRAGMA temp_store=MEMORY; PRAGMA journal_size_limit=67108864;',
		);
		this.define('fold', (value = null) =>
			value === null || value instanceof Uint8Array ? null : String(value).toLowerCase(),
		);
	}

	/** Whether another process has written to the data file since this was last asked. */
	changedElsewhere(): boolean {
		const [row] = this.all<{ data_version: number }>('PRAGMA data_version');
		const changed = row?.data_version !== this.seenVersion;
		this.seenVersion = row?.data_version;
		return changed;
	}

	/** Makes a function that statements may call, here and in snapshots. */
	define(name: string, compute: SqlFunction): void {
		this.functions.set(name, compute);
		this.connection.function(name, { deterministic: true, varargs: true }, compute);
	}

	/** Runs statements that take no values and give no rows. */
	exec(sql: string): void {
		this.connection.exec(sql);
	}

	/** All rows; `Row` states what the statement selects. */
	all<Row extends object>(sql: string, ...values: SqlValue[]): Row[] {
		const rows: unknown[] = this.prepare(sql).all(...values);
		return rows.filter((row): row is Row => typeof row === 'object' && row !== null);
	}

	/** Whether the statement selects anything. */
	has(sql: string, ...values: SqlValue[]): boolean {
		return this.prepare(sql).get(...values) !== undefined;
	}

	/** Runs a writing statement. @returns how many rows it changed */
	run(sql: string, ...values: SqlValue[]): number {
		return Number(this.prepare(sql).run(...values).changes);
	}

	/**
	 * From now on, transactions that are made in the same turn of the event loop are committed
	 * together, just after it. A commit waits for the disk, and the requests that come in meanwhile
	 * make up the next group. So nothing may leave the service before `committed`.
	 */
	groupCommits(): void {
		this.grouping = true;
		if (this.path === ':memory:') return;
		this.checkpoints = new Checkpoints(this.path);
		this.exec(`PRAGMA wal_autocheckpoint=${MAX_LOG_PAGES}`);
	}

	/** A point in time for `committed`. */
	mark(): number {
		return this.lost;
	}

	/**
	 * Waits until everything written since a point in time is on the disk.
	 * @throws what kept it from getting there; then none of it was written
	 */
	async committed(since: number): Promise<void> {
		await this.group?.settled;
		if (this.lost !== since) throw this.lostTo;
	}

	/** All of `work` or nothing of it. A transaction within a transaction joins it. */
	transaction<Result>(work: () => Result): Result {
		if (this.depth > 0) return work();
		this.begin();
		this.depth = 1;
		try {
			const result = work();
			this.run(this.group ? 'RELEASE one' : 'COMMIT');
			return result;
		} catch (error) {
			this.undo(error);
			throw error;
		} finally {
			this.depth = 0;
		}
	}

	/** Does `work` in a transaction of its own, and undoes what it wrote. */
	undone<Result>(work: () => Result): Result {
		if (this.depth > 0) throw new Error('Only a whole transaction can be undone');
		this.begin();
		this.depth = 1;
		try {
			return work();
		} finally {
			this.undo(undefined);
			this.depth = 0;
		}
	}

	/** Called after a transaction was undone, so that what is kept in memory can be forgotten. */
	onRollback(listener: () => void): void {
		this.rollbackListeners.push(listener);
	}

	/**
	 * Does work during which the log only grows, because a snapshot is read; afterwards what has
	 * gathered is copied into the data file by the thread and not by a commit.
	 */
	async growingLog<Result>(work: () => Promise<Result>): Promise<Result> {
		this.growing += 1;
		this.exec('PRAGMA wal_autocheckpoint=0');
		try {
			return await work();
		} finally {
			void (this.checkpoints?.run() ?? Promise.resolve()).then(() => {
				this.growing -= 1;
				if (this.growing === 0 && !this.closed) this.exec(`PRAGMA wal_autocheckpoint=${MAX_LOG_PAGES}`);
			});
		}
	}

	/** Ends what is done beside the connection. Call before `close`. */
	async stop(): Promise<void> {
		await this.checkpoints?.stop();
	}

	/** Drops cached statements: needed before a table they name is dropped. */
	forgetStatements(): void {
		this.statements.clear();
	}

	/** Closes the file, with all that was written. */
	close(): void {
		this.closed = true;
		this.commitGroup();
		this.statements.clear();
		this.mergeLog();
		this.connection.close();
	}

	/**
	 * Closing alone would leave the log beside the data file: the driver cannot end its prepared
	 * statements before they are collected.
	 */
	private mergeLog(): void {
		this.exec('PRAGMA busy_timeout=0');
		try {
			this.exec('PRAGMA journal_mode=DELETE');
		} catch {
			// Another connection has the file open (a command beside the service): whoever closes
			// last does it.
		}
	}

	private begin(): void {
		if (!this.group) {
			this.run('BEGIN IMMEDIATE');
			if (!this.grouping) return;
			this.group = newGroup();
			setImmediate(() => {
				this.commitGroup();
			});
		}
		this.run('SAVEPOINT one');
	}

	/**
	 * Undoes the transaction that failed; the others of its group stay, unless SQLite gave up all
	 * of it (a full disk, for instance).
	 */
	private undo(error: unknown): void {
		if (this.group && this.connection.isTransaction) {
			this.run('ROLLBACK TO one');
			this.run('RELEASE one');
			this.tellOfRollback();
		} else {
			this.giveUp(error);
		}
	}

	private commitGroup(): void {
		const { group } = this;
		if (!group) return;
		try {
			this.run('COMMIT');
		} catch (error) {
			this.giveUp(error);
			return;
		}
		this.group = undefined;
		group.settle();
		this.checkpoints?.wanted();
	}

	private giveUp(error: unknown): void {
		const { group } = this;
		this.group = undefined;
		if (this.connection.isTransaction) this.run('ROLLBACK');
		this.tellOfRollback();
		if (!group) return;
		this.lost += 1;
		this.lostTo = error;
		group.settle();
	}

	private tellOfRollback(): void {
		for (const listener of this.rollbackListeners) listener();
	}

	private prepare(sql: string): Statement {
		let statement = this.statements.get(sql);
		if (!statement) {
			statement = this.connection.prepare(sql);
			this.statements.set(sql, statement);
			if (this.statements.size > MAX_STATEMENTS) {
				const [oldest] = this.statements.keys();
				if (oldest !== undefined) this.statements.delete(oldest);
			}
		}
		return statement;
	}
}
