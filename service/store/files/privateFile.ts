import { chmodSync, closeSync, openSync } from 'node:fs';

/**
 * Makes a file readable and writable by its owner only, creating it if missing. Must be called
 * before SQLite opens the file, because the log gets the same mode.
 */
export function keepPrivate(path: string): void {
	closeSync(openSync(path, 'a', 0o600));
	restrict(path);
}

/** Restricts a file if it exists and its mode can be changed. */
export function restrict(path: string): void {
	try {
		chmodSync(path, 0o600);
	} catch (error) {
		const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
		if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
	}
}
