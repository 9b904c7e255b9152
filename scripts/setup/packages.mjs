import { access, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from './faults.mjs';

/** @typedef {{ version: string, optional: boolean }} LockedPackage */

/**
 * What npm is told to install exactly what a lock says. Not `npm ci`: it refuses a lock that leaves
 * out binaries of other platforms which the registry did not have. `--no-save` keeps npm from
 * writing such binaries into the lock.
 */
export const INSTALL_AS_LOCKED = Object.freeze(
	'install --no-save --legacy-peer-deps --ignore-scripts --no-audit --no-fund --prefer-offline'.split(' '),
);

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * Read by hand: zod is one of the packages that may be missing here.
 * @param {string} file a package-lock.json, or the one that npm leaves in node_modules
 * @returns {Promise<Map<string, LockedPackage> | undefined>}
 *   by folder; undefined where there is none or half a one
 */
async function readLock(file) {
	/** @type {unknown} */
	let lock;
	try {
		lock = JSON.parse(await readFile(file, 'utf8'));
	} catch {
		return undefined;
	}
	if (!isObject(lock) || !isObject(lock['packages'])) return undefined;
	/** @type {Map<string, LockedPackage>} */
	const packages = new Map();
	for (const [folder, entry] of Object.entries(lock['packages'])) {
		if (folder !== '' && isObject(entry)) {
			// `peer`: asked for by peer dependencies alone, which
			// are not installed here (see INSTALL_AS_LOCKED).
			const optional = entry['optional'] === true || entry['peer'] === true;
			packages.set(folder, { version: String(entry['version']), optional });
		}
	}
	return packages;
}

/** @param {string} folder one with a package-lock.json */
async function neededPackages(folder) {
	const lock = await readLock(join(folder, 'package-lock.json'));
	if (lock === undefined) {
		throw new Fault(`${folder} has no package-lock.json.`, 'Take it back with `git checkout` and run again.');
	}
	// Optional ones are for other platforms or other users: npm decides which of them to install.
	return [...lock].filter(([, { optional }]) => !optional);
}

/**
 * Whether what the lock asks for is installed. npm writes
 * `node_modules/.package-lock.json` last, so an install that was cut is not
 * taken for a whole one, and a lock that changed since (a pull) is noticed.
 * @param {string} folder
 * @returns {Promise<boolean>}
 */
export async function isInstalled(folder) {
	const installed = await readLock(join(folder, 'node_modules', '.package-lock.json'));
	if (installed === undefined) return false;
	return (await neededPackages(folder)).every(
		([name, { version }]) => installed.get(name)?.version === version,
	);
}

/**
 * How far an install is.
 * @param {string} folder
 * @returns {() => Promise<string>} such as `812 of 2094 packages`
 */
export function countPackages(folder) {
	return async () => {
		const packages = await neededPackages(folder);
		const there = await Promise.allSettled(
			packages.map(([name]) => access(join(folder, name, 'package.json'))),
		);
		const count = there.filter(({ status }) => status === 'fulfilled').length;
		// npm downloads for a while before it unpacks the first.
		if (count === 0) return 'downloading';
		return `${String(count)} of ${String(packages.length)} packages`;
	};
}

/**
 * @param {string} folder where it will be written
 * @param {number} gigabytes how much is needed
 * @param {string} label for what
 * @throws {Fault} when there is less
 */
export async function needDisk(folder, gigabytes, label) {
	const { bavail, bsize } = await statfs(folder);
	const free = (bavail * bsize) / 1e9;
	if (free < gigabytes) {
		throw new Fault(
			`${label} needs about ${String(gigabytes)} GB, but the disk has ${free.toFixed(1)} GB left.`,
			'Free some space and run the same command again.',
		);
	}
}
