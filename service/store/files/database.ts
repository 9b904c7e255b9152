import { DatabaseSync } from '@photostructure/sqlite';
import { Checkpoints } from './checkpoints';
import { composed, folded } from '../../rules/text';
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
/** Log size in pages (16 MiB) from which on long operations wait for a checkpoint. */
const LONG_LOG_PAGES = 4096;

/** Transactions that are committed together, so that several requests wait for the disk once. */
interface Group {
	/** `failed`: nothing of it was written. */
	state: 'open' | 'written' | 'failed';
	/** Whether a read may have seen its rows before their commit. */
	seen: boolean;
	/** Settles when it is no longer open. */
	readonly settled: Promise<void>;
	readonly settle: () => void;
}

function newGroup(): Group {
	let settle = (): void => undefined;
	const settled = new Promise<void>((resolve) => {
		settle = resolve;
	});
	return { state: 'open', seen: false, settled, settle };
}

/** A result, or the error instead of it. */
type Attempt<Result> = { readonly result: Result } | { readonly error: unknown };

function attempt<Result>(work: () => Result): Attempt<Result> {
	try {
		return { result: work() };
	} catch (error) {
		return { error };
	}
}

const isPending = <Result>(result: Result | Promise<Result>): result is Promise<Result> =>
	result instanceof Promise;

function outcome<Result>(made: Attempt<Result>): Result {
	if ('error' in made) throw made.error;
	return made.result;
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
	/** Number of transactions so far. */
	private transactions = 0;
	private grouping = false;
	private group: Group | undefined;
	/** Whether `write` waits for the outcome of the running code. */
	private isWriting = false;
	/** Number of failed groups that a read may have seen. */
	private seenFailures = 0;
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
		// end the process then, as for an error of the disk (https://sqlite.org/mmap.html). Each commit
		// passes all changed pages in the cache of temporary tables: a small one makes sorting fast.
		this.exec(
			// Has no effect on an existing file.
			'PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-131072; PRAGMA mmap_size=0; PRAGMA temp_store=FILE; PRAGMA temp.cache_size=-8192; PRAGMA journal_size_limit=67108864;',
		);
		for (const [name, convert] of Object.entries({ composed, folded }))
			this.define(name, (text = null, bytes = null) =>
				// The driver truncates some texts and replaces lone surrogates.
				typeof text === 'string' && Buffer.byteLength(text) === Number(bytes) ? convert(text) : null,
			);
	}

	/** Whether another process has written to the data file since the last call. */
	changedElsewhere(): boolean {
		const version = this.versionElsewhere();
		const changed = version !== this.seenVersion;
		this.seenVersion = version;
		return changed;
	}

	/** Changes with every transaction, also of another process. */
	version(): string {
		return `${this.transactions}/${this.versionElsewhere()}`;
	}

	private versionElsewhere(): number {
		return this.all<{ data_version: number }>('PRAGMA data_version')[0]?.data_version ?? 0;
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
		if (this.group && !this.isWriting) this.group.seen = true;
		const rows: unknown[] = this.prepare(sql).all(...values);
		return rows.filter((row): row is Row => typeof row === 'object' && row !== null);
	}

	/** Whether the statement selects anything. */
	has(sql: string, ...values: SqlValue[]): boolean {
		return this.all(sql, ...values).length > 0;
	}

	/**
	 * Runs a writing statement, by itself a transaction if there is none.
	 * @returns number of changed rows
	 */
	run(sql: string, ...values: SqlValue[]): number {
		if (this.depth === 0) return this.transaction(() => this.run(sql, ...values));
		return this.scratch(sql, ...values);
	}

	/** Runs a statement that writes to temporary tables only. @returns number of changed rows */
	scratch(sql: string, ...values: SqlValue[]): number {
		return Number(this.prepare(sql).run(...values).changes);
	}

	/**
	 * Enables group commit: transactions of the same turn of the event loop are committed together,
	 * right after it. Requests that arrive while a commit waits for the disk form the next group.
	 * From then on, transactions are part of `write` or `alone`.
	 */
	groupCommits(): void {
		this.grouping = true;
		if (this.path === ':memory:') return;
		this.checkpoints = new Checkpoints(this.path);
		this.exec(`PRAGMA wal_autocheckpoint=${MAX_LOG_PAGES}`);
	}

	/**
	 * Runs the work of a request and resolves when all it wrote is on disk. If the group fails,
	 * perhaps because of another request, the work is run again in a transaction of its own: each
	 * request has its own outcome.
	 * @param work may only be asynchronous if it writes nothing before its first pause
	 * @throws the error of the work or of its commit; then nothing was written
	 */
	async write<Result>(work: () => Result | Promise<Result>): Promise<Result> {
		const outer = this.isWriting;
		this.isWriting = true;
		const made = attempt(work);
		this.isWriting = outer;
		const { group } = this;
		if ('result' in made && isPending(made.result)) return await made.result;
		// An error may also be due to rows of other requests that are not written yet.
		await group?.settled;
		return await (group?.state === 'failed' ? this.alone(work) : outcome(made));
	}

	/**
	 * Runs reading work, which is based on nothing but what is on disk, so that no failure of a
	 * writer concerns it.
	 */
	async read<Result>(work: () => Result | Promise<Result>): Promise<Result> {
		for (;;) {
			await this.settled();
			const before = this.seenFailures;
			const made = await Promise.resolve()
				.then(work)
				.then(
					(result) => ({ result }),
					(error: unknown) => ({ error }),
				);
			await this.settled();
			if (this.seenFailures === before) return outcome(made);
		}
	}

	/** Waits until all rows that can be read are on disk. */
	async settled(): Promise<void> {
		while (this.group) await this.group.settled;
	}

	/** Runs `work` in a transaction; a nested transaction joins the outer one. */
	transaction<Result>(work: () => Result): Result {
		if (this.depth > 0) return work();
		if (!this.grouping) return this.alone(work);
		if (!this.isWriting) throw new Error('This transaction would be committed without a report');
		this.group ??= this.openGroup();
		this.control('SAVEPOINT one');
		this.transactions += 1;
		this.depth = 1;
		try {
			const result = work();
			this.control('RELEASE one');
			return result;
		} catch (error) {
			this.rollBackOne();
			throw error;
		} finally {
			this.depth = 0;
		}
	}

	/** Runs `work` in a transaction that is committed at once; nested in another, it joins that. */
	alone<Result>(work: () => Result): Result {
		if (this.depth > 0) return work();
		return this.separately(work, 'COMMIT');
	}

	/** Runs `work` in a separate transaction and rolls it back. */
	withRollback<Result>(work: () => Result): Result {
		if (this.depth > 0) throw new Error('A nested transaction cannot be rolled back');
		try {
			return this.separately(work, 'ROLLBACK');
		} finally {
			this.notifyOfRollback();
		}
	}

	/** Commits the open group, so that nothing more becomes part of it. */
	commitGroup(): void {
		const { group } = this;
		if (!group) return;
		try {
			this.control('COMMIT');
		} catch {
			// `write` repeats the work of each member, which then has the error of its own commit.
			this.abandonGroup(group);
			return;
		}
		this.settleGroup(group, 'written');
		this.checkpoints?.schedule();
	}

	/**
	 * Waits between the commits of a long operation while the log is long, so that a thread copies
	 * it, not a commit. The log starts again only after a checkpoint without a commit during it. A
	 * snapshot keeps the log anyway.
	 */
	async keepLogShort(): Promise<void> {
		if (this.snapshots > 0 || !this.checkpoints) return;
		// Within a transaction, SQLite does not tell the size.
		while (this.group) await this.group.settled;
		const [size] = this.all<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
		if (size && size.log >= LONG_LOG_PAGES && size.checkpointed < size.log) await this.checkpoints.run();
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

	/** Drops cached statements that name a table; required before a temporary table is dropped. */
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

	private control(sql: string): void {
		this.prepare(sql).run();
	}

	private separately<Result>(work: () => Result, end: 'COMMIT' | 'ROLLBACK'): Result {
		this.commitGroup();
		this.control('BEGIN IMMEDIATE');
		this.transactions += 1;
		this.depth = 1;
		try {
			const result = work();
			this.control(end);
			this.checkpoints?.schedule();
			return result;
		} catch (error) {
			if (this.connection.isTransaction) this.control('ROLLBACK');
			this.notifyOfRollback();
			throw error;
		} finally {
			this.depth = 0;
		}
	}

	private openGroup(): Group {
		this.control('BEGIN IMMEDIATE');
		const group = newGroup();
		setImmediate(() => {
			if (this.group === group) this.commitGroup();
		});
		return group;
	}

	/**
	 * Rolls back the failed transaction. The others of its group stay, unless SQLite rolled back
	 * all of them (e.g. disk full).
	 */
	private rollBackOne(): void {
		if (this.group && !this.connection.isTransaction) {
			this.abandonGroup(this.group);
			return;
		}
		this.control('ROLLBACK TO one');
		this.control('RELEASE one');
		this.notifyOfRollback();
	}

	private abandonGroup(group: Group): void {
		if (this.connection.isTransaction) this.control('ROLLBACK');
		this.notifyOfRollback();
		if (group.seen) this.seenFailures += 1;
		this.settleGroup(group, 'failed');
	}

	private settleGroup(group: Group, state: 'written' | 'failed'): void {
		this.group = undefined;
		group.state = state;
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
