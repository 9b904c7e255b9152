import { DatabaseSync } from '@photostructure/sqlite';
import type { Reader, SqlFunction, SqlValue } from './database';

/**
 * A consistent view of the data at the time of its creation. Must be closed, because the log grows
 * until then.
 */
export class Snapshot implements Reader {
	private readonly connection: InstanceType<typeof DatabaseSync>;
	private readonly statements = new Map<string, ReturnType<InstanceType<typeof DatabaseSync>['prepare']>>();

	/** @param path the data file @param functions that statements may call, by name */
	constructor(path: string, functions: ReadonlyMap<string, SqlFunction>) {
		this.connection = new DatabaseSync(path, { readOnly: true });
		for (const [name, compute] of functions)
			this.connection.function(name, { deterministic: true, varargs: true }, compute);
		// The first read starts the snapshot.
		this.connection.exec('BEGIN; SELECT 1 FROM settings;');
	}

	all<Row extends object>(sql: string, ...values: SqlValue[]): Row[] {
		const statement = this.statements.get(sql) ?? this.connection.prepare(sql);
		this.statements.set(sql, statement);
		const rows: unknown[] = statement.all(...values);
		return rows.filter((row): row is Row => typeof row === 'object' && row !== null);
	}

	close(): void {
		// Closing alone would not end it before the statements are garbage-collected.
		this.connection.exec('COMMIT');
		this.connection.close();
	}
}
