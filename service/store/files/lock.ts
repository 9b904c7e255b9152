import { realpathSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { keepPrivate } from './privateFile';

/** Resolves symbolic links, because they are other names of the same data. */
function fileOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// The first start creates it.
		return path;
	}
}

/**
 * Ensures that only one service uses a data file, because its in-memory counts would become wrong
 * otherwise. It is a lock of the operating system on a separate file, so it ends with the process.
 * @returns function that releases the lock
 * @throws if another service uses the data file
 */
export function lockDataFile(path: string): () => void {
	const file = `${fileOf(path)}.lock`;
	keepPrivate(file);
	const lock = new DatabaseSync(file, { timeout: 0 });
	try {
		lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE;');
	} catch {
		lock.close();
		throw new Error(
			`${path} is in use by another service: stop that service, or set another file with --data`,
		);
	}
	return () => {
		lock.close();
	};
}
