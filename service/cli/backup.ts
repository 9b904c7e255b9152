import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { UsageError } from '../rules/errors';
import { lockDataFile } from '../store/files/lock';
import { keepPrivate } from '../store/files/privateFile';
import { Store } from '../store/store';

/** Makes sure that a file, or the names in a folder, are on the disk. */
function sync(path: string): void {
	const file = openSync(path, 'r');
	fsyncSync(file);
	closeSync(file);
}

/**
 * Puts a finished file in its place: at every moment there is the former file or the whole new one.
 */
function putInPlace(part: string, file: string): void {
	sync(part);
	renameSync(part, file);
	sync(dirname(file) || '.');
}

/** @throws UsageError when it is no sound data file of this service */
function examine(path: string): void {
	let said: unknown;
	try {
		const db = new DatabaseSync(path, { readOnly: true });
		const rows: unknown = db.prepare('PRAGMA quick_check(1)').all();
		said = z.array(z.object({ quick_check: z.string() })).parse(rows)[0]?.quick_check;
		db.prepare('SELECT 1 FROM settings').get();
		db.close();
	} catch (error) {
		throw new UsageError(`${path} is no data file of this service: ${String(error)}`);
	}
	if (said !== 'ok') throw new UsageError(`${path} is damaged: ${String(said)}`);
}

/**
 * Writes a copy of a data file as it is at one moment, beside a running
 * service that goes on writing: SQLite reads it within one transaction.
 * (Copying the file itself would miss what is still in its log.)
 */
export function backUp(data: string, file: string) {
	if (!existsSync(data)) throw new UsageError(`There is no data file ${data}`);
	if (existsSync(file)) throw new UsageError(`${file} is there already`);
	const part = `${file}.part`;
	rmSync(part, { force: true });
	keepPrivate(part);
	const db = new DatabaseSync(data, { readOnly: true, timeout: 5000 });
	try {
		db.prepare('VACUUM INTO ?').run(part);
	} finally {
		db.close();
	}
	examine(part);
	putInPlace(part, file);
	return { data, backup: file };
}

/**
 * Until the backup takes its place the former file is
 * whole, without its log too. A damaged one has no say.
 */
function mergeLog(data: string): void {
	try {
		new Store({ path: data }).close();
	} catch (error) {
		process.stderr.write(`${data} cannot be opened: ${String(error)}\n`);
	}
}

/**
 * Puts a backup in place of a data file. The owner's key in the file beside it goes on if the
 * backup knows it; else the next start makes a new one.
 * @param force whether a data file that is there is replaced
 */
export function restore(data: string, file: string, force: boolean) {
	if (!existsSync(file)) throw new UsageError(`There is no backup ${file}`);
	const unlock = lockDataFile(data);
	try {
		if (existsSync(data) && !force) throw new UsageError(`${data} is there already: --force replaces it`);
		const part = `${data}.part`;
		keepPrivate(part);
		copyFileSync(file, part);
		examine(part);
		if (existsSync(data)) mergeLog(data);
		for (const end of ['-wal', '-shm', '-journal']) rmSync(data + end, { force: true });
		putInPlace(part, data);
		new Store({ path: data }).close();
		return { data, restored: file };
	} finally {
		unlock();
	}
}
