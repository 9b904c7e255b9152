import { realpathSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { keepPrivate } from './privateFile';

/** The file that a path leads to: a symbolic link is another name of the same data. */
function fileOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// A first start makes it.
		return path;
	}
}

/**
 * Makes sure that one service at a time works on a data file: it keeps counts in memory that a
 * second one would make wrong. The lock is one of the operating system on a file beside the data,
 * so it ends with the process, however that ends.
 * @returns how to let go
 * @throws when another service has the data file
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
			`${path} is in use by another service: stop that one, or choose another file with --data`,
		);
	}
	return () => {
		lock.close();
	};
}
