import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { npm } from './command.mjs';
import { Fault } from './faults.mjs';
import { withSetupLock } from './lock.mjs';
import { headersOf, nodeOfAtLeast } from './node.mjs';
import { countPackages, INSTALL_AS_LOCKED, isInstalled, needDisk } from './packages.mjs';
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
 * Installs what is missing of an n8n.
 * @param {string} version
 * @param {string} node
 * @param {string} folder
 */
async function complete(version, node, folder) {
	if (!(await isInstalled(folder))) {
		await needDisk(root, 3.5, `n8n ${version}`);
		const label = `Installing n8n ${version}`;
		await withProgress({ label, usually: '3 to 5 minutes; 2.2 GB', measure: countPackages(folder) }, () =>
			npm({ label, node, args: INSTALL_AS_LOCKED, cwd: folder }),
		);
	}
	if (!(await sqliteRuns(node, folder)) && !(await copySqlite(version, node, folder)))
		await buildSqlite(version, node, folder);
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
 * Copies the database driver from another n8n of this project with the same driver version, because
 * compiling it takes minutes.
 * @param {string} version
 * @param {string} node
 * @param {string} folder
 * @returns {Promise<boolean>} whether the copy runs
 */
async function copySqlite(version, node, folder) {
	const driver = join('node_modules', 'sqlite3');
	const wanted = await readFile(join(folder, driver, 'package.json'), 'utf8').catch(() => undefined);
	for (const other of N8N_VERSIONS.filter((name) => name !== version)) {
		const source = join(root, 'testbed', 'installs', `n8n-${other}`, driver);
		const found = await readFile(join(source, 'package.json'), 'utf8').catch(() => undefined);
		const binary = join('build', 'Release', 'node_sqlite3.node');
		if (found === undefined || found !== wanted || !existsSync(join(source, binary))) continue;
		await mkdir(join(folder, driver, 'build', 'Release'), { recursive: true });
		await copyFile(join(source, binary), join(folder, driver, binary));
		if (await sqliteRuns(node, folder)) return true;
	}
	return false;
}

/**
 * Compiles the database driver. Node 20 crashes on one that was compiled for Node 24, which loads
 * both: it is compiled for the running Node, if that has brought its headers.
 * @param {string} version
 * @param {string} node
 * @param {string} folder
 */
async function buildSqlite(version, node, folder) {
	const label = `Preparing the database driver of n8n ${version}`;
	const own = await headersOf(execPath);
	const of = Object.keys(own).length > 0 ? execPath : node;
	const args = ['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'];
	await withProgress({ label, usually: '1 to 2 minutes' }, async () =>
		npm({ label, node: of, args, cwd: folder, env: await headersOf(of) }),
	);
	if (!(await sqliteRuns(node, folder))) {
		throw new Fault(
			`${label}: it was built but does not run.`,
			`Remove testbed/installs/n8n-${version}/node_modules and run the same command again.`,
		);
	}
}
