import { DatabaseSync } from '@photostructure/sqlite';
import { Checkpoints } from './checkpoints';
import { keepPrivate, restrict } from './privateFile';

type Connection = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Connection['prepare']>;

/** Values of SQLite. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A source of rows: the connection of the service, or a snapshot. */
export type Reader = Pick<Database, 'all'>;

/** A user-defined SQL function. */
export type SqlFunction = (...values: SqlValue[]) => SqlValue;

/** Limits the cached statements of ad-hoc filters. */
const MAX_STATEMENTS = 500;

/**
 * Log size in pages (64 MiB) at which a commit runs the checkpoint; usually a thread does (see
 * Checkpoints).
 */
const MAX_LOG_PAGES = 16_384;

/** A transaction with the writes of several requests, which wait for the disk once. */
interface Group {
	/** Settles when all of them are committed or rolled back. */
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

/** A connection to the data file; the only code that uses the driver. */
export class Database {
	private readonly connection: Connection;
	private readonly statements = new Map<string, Statement>();
	/** By name. */
	readonly functions = new Map<string, SqlFunction>();
	private closed = false;
	/** Number of open snapshots, during which the log only grows. */
	private snapshots = 0;
	private depth = 0;
	private grouping = false;
	private group: Group | undefined;
	/** Number of groups whose commit failed, and the last error. */
	private failedGroups = 0;
	private lastFailure: unknown;
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
		// FULL: acknowledged writes survive a power cut, not just the end of the process. Not mapped
		// into memory: there, SQLite may read beyond a new end of the file, and the system would
		// end the process then, as for an error of the disk (https://sqlite.org/mmap.html).
		this.exec(
			// Has no effect on an existing file.
			'PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-131072; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA journal_size_limit=67108864;',
		);
		this.define('fold', (value = null) =>
			value === null || value instanceof Uint8Array ? null : String(value).toLowerCase(),
		);
	}

	/** Whether another process has written to the data file since the last call. */
	changedElsewhere(): boolean {
		const [row] = this.all<{ data_version: number }>('PRAGMA data_version');
		const changed = row?.data_version !== this.seenVersion;
		this.seenVersion = row?.data_version;
		return changed;
	}

	/** Defines an SQL function, here and in snapshots. */
	define(name: string, compute: SqlFunction): void {
		this.functions.set(name, compute);
		this.connection.function(name, { deterministic: true, varargs: true }, compute);
	}

	/** Runs statements without values and rows. */
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

	/** Runs a writing statement. @returns number of changed rows */
	run(sql: string, ...values: SqlValue[]): number {
		return Number(this.prepare(sql).run(...values).changes);
	}

	/**
	 * Enables group commit: transactions of the same turn of the event loop are committed together,
	 * right after it. Requests that arrive while a commit waits for the disk form the next group.
	 * No response may be sent before `committed`.
	 */
	groupCommits(): void {
		this.grouping = true;
		if (this.path === ':memory:') return;
		this.checkpoints = new Checkpoints(this.path);
		this.exec(`PRAGMA wal_autocheckpoint=${MAX_LOG_PAGES}`);
	}

	/** A point in time for `committed`. */
	mark(): number {
		return this.failedGroups;
	}

	/**
	 * Waits until all writes since a mark are on disk.
	 * @throws the error of the commit; then nothing was written
	 */
	async committed(since: number): Promise<void> {
		await this.group?.settled;
		if (this.failedGroups !== since) throw this.lastFailure;
	}

	/** Runs `work` in a transaction; a nested transaction joins the outer one. */
	transaction<Result>(work: () => Result): Result {
		if (this.depth > 0) return work();
		this.begin();
		this.depth = 1;
		try {
			const result = work();
			this.run(this.group ? 'RELEASE one' : 'COMMIT');
			return result;
		} catch (error) {
			this.rollBack(error);
			throw error;
		} finally {
			this.depth = 0;
		}
	}

	/** Runs `work` in a separate transaction and rolls it back. */
	withRollback<Result>(work: () => Result): Result {
		if (this.depth > 0) throw new Error('A nested transaction cannot be rolled back');
		this.begin();
		this.depth = 1;
		try {
			return work();
		} finally {
			this.rollBack(undefined);
			this.depth = 0;
		}
	}

	/** Registers a listener for rollbacks, to invalidate caches. */
	onRollback(listener: () => void): void {
		this.rollbackListeners.push(listener);
	}

	/**
	 * Runs work that reads a snapshot, during which the log only grows. Afterwards the thread, not
	 * a commit, copies the log into the data file.
	 */
	async withoutCheckpoints<Result>(work: () => Promise<Result>): Promise<Result> {
		this.snapshots += 1;
		this.exec('PRAGMA wal_autocheckpoint=0');
		try {
			return await work();
		} finally {
			void (this.checkpoints?.run() ?? Promise.resolve()).then(() => {
				this.snapshots -= 1;
				if (this.snapshots === 0 && !this.closed) this.exec(`PRAGMA wal_autocheckpoint=${MAX_LOG_PAGES}`);
			});
		}
	}

	/** Stops the checkpoints. Call before `close`. */
	async stop(): Promise<void> {
		await this.checkpoints?.stop();
	}

	/** Drops cached statements that name a table; required before the table is dropped. */
	forgetStatements(table: string): void {
		for (const sql of this.statements.keys()) if (sql.includes(table)) this.statements.delete(sql);
	}

	/** Commits and closes the file. */
	close(): void {
		this.closed = true;
		this.commitGroup();
		this.statements.clear();
		this.mergeLog();
		this.connection.close();
	}

	/**
	 * Closing alone would leave the log behind: the driver finalizes prepared statements only when
	 * they are garbage-collected.
	 */
	private mergeLog(): void {
		this.exec('PRAGMA busy_timeout=0');
		try {
			this.exec('PRAGMA journal_mode=DELETE');
		} catch {
			// Another connection is open (a command); the last one to close merges the log.
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
	 * Rolls back the failed transaction. The others of its group stay, unless SQLite rolled back
	 * all of them (e.g. disk full).
	 */
	private rollBack(error: unknown): void {
		if (this.group && this.connection.isTransaction) {
			this.run('ROLLBACK TO one');
			this.run('RELEASE one');
			this.notifyOfRollback();
		} else {
			this.abandonGroup(error);
		}
	}

	private commitGroup(): void {
		const { group } = this;
		if (!group) return;
		try {
			this.run('COMMIT');
		} catch (error) {
			this.abandonGroup(error);
			return;
		}
		this.group = undefined;
		group.settle();
		this.checkpoints?.schedule();
	}

	private abandonGroup(error: unknown): void {
		const { group } = this;
		this.group = undefined;
		if (this.connection.isTransaction) this.run('ROLLBACK');
		this.notifyOfRollback();
		if (!group) return;
		this.failedGroups += 1;
		this.lastFailure = error;
		group.settle();
	}

	private notifyOfRollback(): void {
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
