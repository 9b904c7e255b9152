import { access, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from './faults.mjs';

/** @typedef {{ version: string, optional: boolean }} LockedPackage */

/**
 * Arguments for npm to install a lock exactly. `npm ci` would reject a lock without binaries of
 * other platforms that the registry lacks. `--no-save` prevents npm from adding them.
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
 * Parsed by hand, because zod may not be installed yet.
 * @param {string} file a package-lock.json, or the one that npm leaves in node_modules
 * @returns {Promise<Map<string, LockedPackage> | undefined>} by folder; undefined if it is missing
 *   or incomplete
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
			// `peer`: needed by peer dependencies only, which are not installed (see
			// INSTALL_AS_LOCKED).
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
		throw new Fault(`${folder} has no package-lock.json.`, 'Restore it with `git checkout` and run again.');
	}
	// npm decides which optional packages it installs.
	return [...lock].filter(([, { optional }]) => !optional);
}

/**
 * @param {string} folder one with a package-lock.json
 * @param {string} name of a package in it
 * @returns {Promise<string>} its version
 */
export async function lockedVersion(folder, name) {
	const found = (await neededPackages(folder)).find(([path]) => path === `node_modules/${name}`);
	if (found === undefined) throw new Fault(`The lock of ${folder} has no ${name}.`, 'Restore it with git.');
	return found[1].version;
}

/**
 * Whether all packages of the lock are installed. npm writes `node_modules/.package-lock.json`
 * last, so this detects interrupted installs and a changed lock.
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
 * Progress of an install.
 * @param {string} folder
 * @returns {() => Promise<string>} such as `812 of 2094 packages`
 */
export function countPackages(folder) {
	return async () => {
		const packages = await neededPackages(folder);
		const found = await Promise.allSettled(
			packages.map(([name]) => access(join(folder, name, 'package.json'))),
		);
		const count = found.filter(({ status }) => status === 'fulfilled').length;
		// npm downloads for a while before it unpacks the first package.
		if (count === 0) return 'downloading';
		return `${String(count)} of ${String(packages.length)} packages`;
	};
}

/**
 * @param {string} folder target folder
 * @param {number} gigabytes required space
 * @param {string} label purpose
 * @throws {Fault} if there is not enough space
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
