import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { UsageError } from '../rules/errors';
import { lockDataFile } from '../store/files/lock';
import { keepPrivate } from '../store/files/privateFile';
import { Store } from '../store/store';

/** Flushes a file, or the entries of a folder, to disk. */
function sync(path: string): void {
	const file = openSync(path, 'r');
	fsyncSync(file);
	closeSync(file);
}

/** Replaces a file atomically. */
function replaceFile(part: string, file: string): void {
	sync(part);
	renameSync(part, file);
	sync(dirname(file) || '.');
}

/** @throws UsageError unless it is an intact data file of this service */
function requireIntact(path: string): void {
	let verdict: unknown;
	try {
		const db = new DatabaseSync(path, { readOnly: true });
		const rows: unknown = db.prepare('PRAGMA quick_check(1)').all();
		verdict = z.array(z.object({ quick_check: z.string() })).parse(rows)[0]?.quick_check;
		db.prepare('SELECT 1 FROM settings').get();
		db.close();
	} catch (error) {
		throw new UsageError(`${path} is not a data file of this service: ${String(error)}`);
	}
	if (verdict !== 'ok') throw new UsageError(`${path} is damaged: ${String(verdict)}`);
}

/**
 * Fills a new file beside the one that it will replace. Deletes it if that fails.
 * @returns its path
 */
function writePart(file: string, fill: (part: string) => void): string {
	const part = `${file}.part`;
	rmSync(part, { force: true });
	try {
		keepPrivate(part);
		fill(part);
		requireIntact(part);
	} catch (error) {
		rmSync(part, { force: true });
		throw error;
	}
	return part;
}

/**
 * Writes a consistent copy of a data file, also while a service runs: SQLite reads it in one
 * transaction. A plain copy of the file would miss the contents of its log.
 */
export function backUp(data: string, file: string) {
	if (!existsSync(data)) throw new UsageError(`There is no data file ${data}`);
	if (existsSync(file)) throw new UsageError(`${file} already exists`);
	const copy = (part: string) => {
		const db = new DatabaseSync(data, { readOnly: true, timeout: 5000 });
		try {
			db.prepare('VACUUM INTO ?').run(part);
		} finally {
			db.close();
		}
	};
	replaceFile(writePart(file, copy), file);
	return { data, backup: file };
}

/**
 * Merges the log into the data file, so that the file is complete until the backup replaces it.
 * Errors of a damaged file are only reported.
 */
function mergeLog(data: string): void {
	try {
		new Store({ path: data }).close();
	} catch (error) {
		process.stderr.write(`${data} cannot be opened: ${String(error)}\n`);
	}
}

/**
 * Replaces a data file by a backup. The existing file of the owner's key stays valid if the backup
 * contains the key; otherwise the next start creates a new one.
 * @param force whether to replace an existing data file
 */
export function restore(data: string, file: string, force: boolean) {
	if (!existsSync(file)) throw new UsageError(`There is no backup ${file}`);
	const unlock = lockDataFile(data);
	try {
		if (existsSync(data) && !force) throw new UsageError(`${data} already exists: add --force to replace it`);
		const part = writePart(data, (target) => {
			copyFileSync(file, target);
		});
		if (existsSync(data)) mergeLog(data);
		for (const end of ['-wal', '-shm', '-journal']) rmSync(data + end, { force: true });
		replaceFile(part, data);
		new Store({ path: data }).close();
		return { data, restored: file };
	} finally {
		unlock();
	}
}
