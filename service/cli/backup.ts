import {
	closeSync,
	copyFileSync,
	existsSync,
	fsyncSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { UsageError } from '../rules/errors';
import { isSameFile, lockDataFile } from '../store/files/lock';
import { keepPrivate } from '../store/files/privateFile';
import { Store } from '../store/store';

/** What the names of SQLite's logs add to that of the file. */
const LOG_ENDS = ['-wal', '-shm', '-journal'];

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

/**
 * @param name of the file, or of the one that it is a copy of, for the message
 * @throws unless it is an intact data file of this service
 */
function requireIntact(path: string, name: string): void {
	let verdict: unknown;
	try {
		const db = new DatabaseSync(path, { readOnly: true });
		const rows: unknown = db.prepare('PRAGMA quick_check(1)').all();
		verdict = z.array(z.object({ quick_check: z.string() })).parse(rows)[0]?.quick_check;
		db.prepare('SELECT 1 FROM settings').get();
		db.close();
	} catch (error) {
		throw new Error(`${name} is not a data file of this service: ${String(error)}`);
	}
	if (verdict !== 'ok') throw new Error(`${name} is damaged: ${String(verdict)}`);
}

/**
 * Copies a data file beside the file that it will replace. Deletes the copy if that fails.
 * @returns its path
 */
function writePart(file: string, source: string, fill: (part: string) => void): string {
	const part = `${file}.part`;
	rmSync(part, { force: true });
	try {
		keepPrivate(part);
		fill(part);
		requireIntact(part, source);
	} catch (error) {
		for (const end of ['', ...LOG_ENDS]) rmSync(part + end, { force: true });
		throw error;
	}
	return part;
}

/**
 * Writes a consistent copy of a data file, also while a service runs: SQLite reads it in one
 * transaction. A plain copy of the file would miss the contents of its log.
 */
export function backUp(data: string, file: string) {
	if (!existsSync(data)) throw new Error(`There is no data file ${data}`);
	if (existsSync(file)) throw new Error(`${file} already exists`);
	const copy = (part: string) => {
		const db = new DatabaseSync(data, { readOnly: true, timeout: 5000 });
		try {
			db.prepare('VACUUM INTO ?').run(part);
		} finally {
			db.close();
		}
	};
	replaceFile(writePart(file, data, copy), file);
	return { data, backup: file };
}

/** Opens a copy as the service does. @throws if it cannot be opened */
function openOnce(part: string, source: string): void {
	requireIntact(part, source);
	new Store({ path: part }).close();
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

/** @throws if a file is the data file, or lacks the changes that are still in its log */
function requireWhole(file: string, data: string): void {
	if (isSameFile(file, data)) throw new Error(`${file} is the data file itself, not a backup of it`);
	const log = `${file}-wal`;
	if (statSync(log, { throwIfNoEntry: false })?.size)
		throw new Error(`Some changes of ${file} are only in ${log}: make a backup of it, and restore that`);
}

/**
 * Replaces a data file by a backup. The existing file of the owner's key stays valid if the backup
 * contains the key; otherwise the next start creates a new one.
 * @param force whether to replace an existing data file
 */
export function restore(data: string, file: string, force: boolean) {
	if (data === ':memory:') throw new UsageError('--data must be a file');
	if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`There is no backup ${file}`);
	if (!existsSync(dirname(data))) throw new Error(`There is no folder ${dirname(data)}`);
	requireWhole(file, data);
	const unlock = lockDataFile(data);
	try {
		if (existsSync(data) && !force) throw new Error(`${data} already exists: add --force to replace it`);
		const part = writePart(data, file, (target) => {
			copyFileSync(file, target);
			// Converts a backup of an older version, and refuses one of a newer version.
			openOnce(target, file);
		});
		if (existsSync(data)) mergeLog(data);
		for (const end of LOG_ENDS) rmSync(data + end, { force: true });
		replaceFile(part, data);
		return { data, restored: file };
	} finally {
		unlock();
	}
}
