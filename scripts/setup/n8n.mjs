import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { npm } from './command.mjs';
import { Fault } from './faults.mjs';
import { withSetupLock } from './lock.mjs';
import { headersOf, nodeOfAtLeast } from './node.mjs';
import { countPackages, INSTALL_AS_LOCKED, isInstalled, lockedVersion, needDisk } from './packages.mjs';
import { root } from './paths.mjs';
import { withProgress } from './terminal.mjs';

/** The n8n that `npm start` runs. */
export const PINNED_N8N = '2.41.1';

/** Minimum major version of Node for each pinned n8n. @type {Readonly<Record<string, number>>} */
const MIN_NODE = { '2.41.1': 24, '1.123.81': 20 };

/** What the end-to-end tests run in: the newest n8n, and the oldest that the package supports. */
export const N8N_VERSIONS = Object.freeze(Object.keys(MIN_NODE));

/**
 * @typedef {object} N8nInstall
 * @property {string} version
 * @property {string} node the binary to run it with
 * @property {string} script n8n's own command
 */

const DRIVER = 'sqlite3';
const BINARY = 'node_sqlite3.node';
const RELEASE = join('node_modules', DRIVER, 'build', 'Release');

/**
 * Installs a pinned n8n version if it is missing or incomplete.
 * @param {string} version one with a folder `testbed/installs/n8n-<version>`
 * @returns {Promise<N8nInstall>}
 */
export async function installN8n(version) {
	const folder = join(root, 'testbed', 'installs', `n8n-${version}`);
	const minNode = MIN_NODE[version];
	if (minNode === undefined || !existsSync(folder)) {
		throw new Fault(
			`There is no testbed/installs/n8n-${version}.`,
			`Choose one of ${N8N_VERSIONS.join(', ')}.`,
		);
	}
	const node = await nodeOfAtLeast(minNode);
	const isComplete = async () => (await isInstalled(folder)) && (await sqliteRuns(node, folder));
	if (!(await isComplete())) await withSetupLock(() => complete(version, node, folder));
	return { version, node, script: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/**
 * Installs what is missing of an n8n. Its database driver is compiled meanwhile: that takes as long
 * as the packages.
 * @param {string} version
 * @param {string} node
 * @param {string} folder
 */
async function complete(version, node, folder) {
	if (await isInstalled(folder)) await provideSqlite(version, node, folder);
	else {
		await needDisk(root, 3.5, `n8n ${version}`);
		const label = `Installing n8n ${version}`;
		const driver = await lockedVersion(folder, DRIVER);
		const progress = { label, usually: '3 to 5 minutes; 2.2 GB', measure: countPackages(folder) };
		const [installed, compiled] = await Promise.allSettled([
			withProgress(progress, () => npm({ label, node, args: INSTALL_AS_LOCKED, cwd: folder })),
			(await compiledSqlite(driver)) ?? compileSqlite(driver, node),
		]);
		for (const one of [installed, compiled]) if (one.status === 'rejected') throw one.reason;
		await provideSqlite(version, node, folder);
	}
}

/**
 * Gives an n8n the database driver, compiled for this project.
 * @param {string} version
 * @param {string} node
 * @param {string} folder
 */
async function provideSqlite(version, node, folder) {
	if (await sqliteRuns(node, folder)) return;
	const driver = await lockedVersion(folder, DRIVER);
	const binary = (await compiledSqlite(driver)) ?? (await compileSqlite(driver, node));
	const release = join(folder, RELEASE);
	await mkdir(release, { recursive: true });
	await copyFile(binary, join(release, BINARY));
	if (await sqliteRuns(node, folder)) return;
	throw new Fault(
		`The database driver of n8n ${version} was built but does not run.`,
		`Remove testbed/installs/n8n-${version}/node_modules and build/driver, and run the same command again.`,
	);
}

/**
 * Loads the database driver, because an interrupted compilation leaves files, too.
 * @param {string} node
 * @param {string} folder
 */
async function sqliteRuns(node, folder) {
	const probe = "new (require('sqlite3').Database)(':memory:', (e) => process.exit(e ? 1 : 0))";
	try {
		await promisify(execFile)(node, ['-e', probe], { cwd: folder, timeout: 30_000 });
		return true;
	} catch {
		return false;
	}
}

/**
 * Folder in which the driver is compiled, once for all n8n with this version of it.
 * @param {string} driver
 */
const driverFolder = (driver) => join(root, 'build', 'driver', driver);

/**
 * The driver that was compiled before, here or in an n8n.
 * @param {string} driver its version
 * @returns {Promise<string | undefined>} the file
 */
async function compiledSqlite(driver) {
	const installs = N8N_VERSIONS.map((version) => join(root, 'testbed', 'installs', `n8n-${version}`));
	for (const folder of [driverFolder(driver), ...installs]) {
		const binary = join(folder, RELEASE, BINARY);
		if (!existsSync(binary) || (await lockedVersion(folder, DRIVER).catch(() => '')) !== driver) continue;
		if (await sqliteRuns(execPath, folder)) return binary;
	}
	return undefined;
}

/**
 * Compiles the database driver. Node 20 crashes on one that was compiled for Node 24, which loads
 * both: it is compiled for the running Node, if that has brought its headers.
 * @param {string} driver its version
 * @param {string} node another one
 * @returns {Promise<string>} the file
 */
async function compileSqlite(driver, node) {
	const label = 'Preparing the database driver of n8n';
	const folder = driverFolder(driver);
	const own = await headersOf(execPath);
	const of = Object.keys(own).length > 0 ? execPath : node;
	const env = { ...(await headersOf(of)), JOBS: 'max' };
	await mkdir(folder, { recursive: true });
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({ private: true, dependencies: { [DRIVER]: driver } }),
	);
	const install = [...INSTALL_AS_LOCKED.filter((arg) => arg !== '--no-save')];
	const rebuild = ['rebuild', DRIVER, '--ignore-scripts=false', '--foreground-scripts'];
	await withProgress({ label, usually: '1 to 2 minutes' }, async () => {
		await npm({ label: `${label}: packages`, node: of, args: install, cwd: folder });
		await npm({ label, node: of, args: rebuild, cwd: folder, env });
	});
	return join(folder, RELEASE, BINARY);
}
