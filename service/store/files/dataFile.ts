import { execFile } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';

const damage = z.object({ sqliteCodeName: z.enum(['SQLITE_CORRUPT', 'SQLITE_NOTADB']) });
const records = z.array(z.object({ name: z.string() }));

/** A damaged data file. @param why what SQLite says */
const damaged = (path: string, why: unknown) =>
	new Error(
		`${path} is damaged, or not a data file of this service (${String(why).replace(/\s+/g, ' ')}). Stop the service, keep a copy of the file, and restore a backup: main.js restore FILE --force --data ${path}. Without a backup, export the grids that still open as CSV.`,
	);

/** Names the data file in the error of SQLite for a damaged one; other errors stay. */
export const namingDamage = (path: string, error: unknown): unknown =>
	damage.safeParse(error).success ? damaged(path, error) : error;

/** How to open a file without a change to it, nor a new file beside it. */
function openingOf(file: string): { query: string; readOnly: boolean } {
	// An interrupted transaction: SQLite rolls it back, whoever reads the file.
	if (existsSync(`${file}-journal`)) return { query: 'mode=rw', readOnly: false };
	return { query: existsSync(`${file}-wal`) ? 'mode=ro' : 'immutable=1', readOnly: true };
}

/** Names of the tables of a SQLite file. */
function tablesIn(path: string): readonly string[] {
	const file = realpathSync(path);
	const { query, readOnly } = openingOf(file);
	try {
		const db = new DatabaseSync(new URL(`${pathToFileURL(file).href}?${query}`), { readOnly });
		try {
			const rows: unknown = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
			return records.parse(rows).map(({ name }) => name);
		} finally {
			db.close();
		}
	} catch (error) {
		throw namingDamage(path, error);
	}
}

/**
 * Call before a data file or its lock is opened, which writes beside it.
 * @throws if it cannot be the data file of a service: names it and the next step
 */
export function requireUsable(path: string): void {
	const folder = dirname(resolve(path));
	if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
		throw new Error(`There is no folder ${folder} for ${path}: create it, or set another file with --data`);
	const file = statSync(path, { throwIfNoEntry: false });
	if (!file) return;
	if (file.isDirectory())
		throw new Error(`${path} is a folder: set a file with --data, such as ${join(path, 'data.db')}`);
	const tables = file.size === 0 ? [] : tablesIn(path);
	if (tables.length === 0) {
		const key = `${path}.owner.json`;
		if (existsSync(key))
			throw new Error(
				`${path} is empty, but ${key} has the key of its owner. Restore a backup: main.js restore FILE --force --data ${path}. To begin a new data file, delete both.`,
			);
	} else if (!['access_keys', 'sviews'].every((own) => tables.includes(own)))
		throw new Error(`${path} belongs to another program: set another file with --data`);
}

/** Delay of the check after the start, which the first requests have for themselves. */
const CHECK_DELAY_MS = 2000;

/** Code of the process that checks the file, as text, so that test runners do not compile it. */
const program = `
const [path, driver] = process.argv.slice(1);
const { DatabaseSync } = require(driver);
try {
	const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
	process.stdout.write(db.prepare('PRAGMA quick_check(1)').get().quick_check);
} catch (error) {
	process.stdout.write(String(error));
}`;

/**
 * Checks the structure of a data file, because SQLite notices damage only where it reads. In a
 * process of its own, which can be ended within a statement.
 * @param onFault called if the file is damaged or cannot be checked
 * @returns a function that ends the check
 */
export function checkInBackground(path: string, onFault: (error: Error) => void): () => void {
	let end = (): void => undefined;
	const timer = setTimeout(() => {
		const args = ['-e', program, path, require.resolve('@photostructure/sqlite')];
		const child = execFile(process.execPath, args, (error, verdict) => {
			if (child.killed) return;
			if (error) onFault(error);
			else if (verdict !== 'ok') onFault(damaged(path, verdict));
		});
		end = () => {
			child.kill('SIGKILL');
		};
	}, CHECK_DELAY_MS).unref();
	return () => {
		clearTimeout(timer);
		end();
	};
}
