import { DatabaseSync } from '@photostructure/sqlite';

type Connection = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Connection['prepare']>;

/** What SQLite takes and gives. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Statements of ad-hoc filters would otherwise pile up for as long as the service runs. */
const STATEMENTS_KEPT = 500;

/** One connection to the data file; the only place that knows the driver. */
export class Database {
	private readonly connection: Connection;
	private readonly statements = new Map<string, Statement>();
	private depth = 0;
	private readonly rollbackListeners: Array<() => void> = [];

	/** @param path a file, or `:memory:` */
	constructor(path: string) {
		this.connection = new DatabaseSync(path, { timeout: 5000 });
		// FULL: an acknowledged write survives a power cut, not only the end of the process.
		this.exec(
			'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-131072; PRAGMA mmap_size=1073741824; PRAGMA temp_store=MEMORY; PRAGMA journal_size_limit=67108864;',
		);
		this.connection.function('fold', { deterministic: true }, (value: SqlValue) =>
			value === null || value instanceof Uint8Array ? null : String(value).toLowerCase(),
		);
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

	/** All of `work` or nothing of it. A transaction within a transaction joins it. */
	transaction<Result>(work: () => Result): Result {
		if (this.depth > 0) return work();
		this.exec('BEGIN IMMEDIATE');
		this.depth = 1;
		try {
			const result = work();
			this.exec('COMMIT');
			return result;
		} catch (error) {
			this.exec('ROLLBACK');
			for (const listener of this.rollbackListeners) listener();
			throw error;
		} finally {
			this.depth = 0;
		}
	}

	/** Called after a transaction was undone, so that what is kept in memory can be forgotten. */
	onRollback(listener: () => void): void {
		this.rollbackListeners.push(listener);
	}

	/** Drops cached statements: needed before a table they name is dropped. */
	forgetStatements(): void {
		this.statements.clear();
	}

	close(): void {
		this.statements.clear();
		this.connection.close();
	}

	private prepare(sql: string): Statement {
		let statement = this.statements.get(sql);
		if (!statement) {
			statement = this.connection.prepare(sql);
			this.statements.set(sql, statement);
			if (this.statements.size > STATEMENTS_KEPT) {
				const [oldest] = this.statements.keys();
				if (oldest !== undefined) this.statements.delete(oldest);
			}
		}
		return statement;
	}
}
