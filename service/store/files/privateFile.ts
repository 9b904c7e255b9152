import { chmodSync, closeSync, openSync } from 'node:fs';

/**
 * Makes a file readable and writable by its owner only, creating it if it is missing. SQLite gives
 * its log the mode of the data file, so this has to happen before the file is opened.
 */
export function keepPrivate(path: string): void {
	closeSync(openSync(path, 'a', 0o600));
	restrict(path);
}

/**
 * The same for a file that may be missing. A file system
 * without modes, or a file of another owner, is left as it is.
 */
export function restrict(path: string): void {
	try {
		chmodSync(path, 0o600);
	} catch (error) {
		const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
		if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
	}
}
