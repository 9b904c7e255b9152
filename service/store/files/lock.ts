import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { keepPrivate } from './privateFile';

/** Another process holds the lock: SQLITE_BUSY. */
const busy = z.object({ errcode: z.literal(5) });

/** Resolves symbolic links, because they are other names of the same data. */
function fileOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// The first start creates it.
		return path;
	}
}

/** Whether two paths are names of one file. */
export function isSameFile(one: string, other: string): boolean {
	const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
	return a && b ? a.dev === b.dev && a.ino === b.ino : resolve(fileOf(one)) === resolve(fileOf(other));
}

/** What the names of the files beside a data file add to its own. */
const ENDS = ['', '-wal', '-shm', '-journal', '.lock', '.owner.json'];

/** @throws if a log of requests would be written into a data file or one beside it */
export function requireOtherFile(data: string, log: string): void {
	const own = ENDS.map((end) => fileOf(data) + end).find((file) => isSameFile(file, log));
	if (own !== undefined) throw new Error(`--log would write into ${own}, which belongs to the data file`);
}

/**
 * Ensures that only one service uses a data file, because its in-memory counts would become wrong
 * otherwise. It is a lock of the operating system on a separate file, so it ends with the process.
 * @returns function that releases the lock
 * @throws if another service uses the data file, or it cannot be locked
 */
export function lockDataFile(path: string): () => void {
	// SQLite's log and the lock are beside one name of a file only.
	if ((statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1)
		throw new Error(`${path} has several names (hard links): set a copy of it with --data`);
	const file = `${fileOf(path)}.lock`;
	keepPrivate(file);
	const lock = new DatabaseSync(file, { timeout: 0 });
	try {
		lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE;');
	} catch (error) {
		lock.close();
		if (!busy.safeParse(error).success)
			throw new Error(`${path} cannot be locked by ${file}: ${String(error)}`, { cause: error });
		throw new Error(
			`${path} is in use by another service: stop that service, or set another file with --data`,
		);
	}
	return () => {
		lock.close();
	};
}
