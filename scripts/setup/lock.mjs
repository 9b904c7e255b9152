import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { kill, pid } from 'node:process';
import { Fault } from './faults.mjs';
import { root } from './paths.mjs';

/**
 * @param {number} id a process id
 * @returns {boolean} whether it runs
 */
export function isRunning(id) {
	try {
		kill(id, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/**
 * Runs `work` under a lock. The file contains the owner's process ID; the lock of a dead process is
 * taken over.
 *
 * @template T
 * @param {string} file
 * @param {string} doing what the other process is doing, for the message
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, doing, work) {
	await mkdir(dirname(file), { recursive: true });
	await acquire(file, doing);
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}

/**
 * A lock that works of this process share and other processes do not get meanwhile.
 * @param {string} file
 * @param {string} doing what the other process is doing, for the message
 */
export function sharedLock(file, doing) {
	let works = 0;
	/** Resolves when this process has the lock. @type {Promise<void>} */
	let locked = Promise.resolve();
	/**
	 * @template T
	 * @param {() => Promise<T>} work
	 * @returns {Promise<T>}
	 */
	return async (work) => {
		works += 1;
		if (works === 1) locked = mkdir(dirname(file), { recursive: true }).then(() => acquire(file, doing));
		let has = false;
		try {
			await locked;
			has = true;
			return await work();
		} finally {
			works -= 1;
			if (works === 0 && has) await rm(file, { force: true });
		}
	};
}

/** Runs what installs or builds a part of the project, which no other process does meanwhile. */
export const withSetupLock = sharedLock(join(root, 'build', 'setup.lock'), 'setting up this project');

/**
 * @param {string} file
 * @param {string} doing
 */
async function acquire(file, doing) {
	for (;;) {
		try {
			const handle = await open(file, 'wx');
			await handle.writeFile(String(pid));
			await handle.close();
			return;
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
		}
		const owner = Number(await readFile(file, 'utf8').catch(() => ''));
		if (owner > 0 && isRunning(owner)) {
			throw new Fault(
				`Another process (${String(owner)}) is ${doing}.`,
				`Wait for it or end it. If ${String(owner)} is another program, remove ${file}.`,
			);
		}
		await rm(file, { force: true });
	}
}
