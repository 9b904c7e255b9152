import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { arch, execPath, platform, versions } from 'node:process';
import { promisify } from 'node:util';
import { npm } from './command.mjs';
import { Fault } from './faults.mjs';
import { withSetupLock } from './lock.mjs';
import { needDisk } from './packages.mjs';
import { root } from './paths.mjs';
import { withProgress } from './terminal.mjs';

/** Version that is installed if the running one is too old. */
const NEWER_NODE = '24';

/**
 * Name of the npm package with Node's binary for this machine (a dependency of the npm package
 * `node`).
 */
function binaryPackage() {
	const os = platform === 'win32' ? 'win' : platform;
	return `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${os}-${arch}`;
}

/**
 * @param {string} file a node binary
 * @returns {Promise<number | undefined>} its major version; undefined if it does not run
 */
async function majorOf(file) {
	try {
		const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 20_000 });
		return Number(/^v(\d+)/.exec(stdout)?.[1]);
	} catch {
		return undefined;
	}
}

/**
 * Returns a Node of at least this major version: the running one, or else Node 24 from npm in
 * `testbed/installs/node-24`.
 * @param {number} major
 * @returns {Promise<string>} the binary
 */
export async function nodeOfAtLeast(major) {
	if (Number.parseInt(versions.node, 10) >= major) return execPath;
	const folder = join(root, 'testbed', 'installs', `node-${NEWER_NODE}`);
	const name = binaryPackage();
	const binary = join(folder, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
	if (((await majorOf(binary)) ?? 0) >= major) return binary;
	await needDisk(root, 0.5, `Node ${NEWER_NODE}`);
	const label = `Installing Node ${NEWER_NODE} beside the system's ${versions.node}`;
	const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit'];
	const args = ['install', `${name}@${NEWER_NODE}`, ...flags];
	await withSetupLock(() =>
		withProgress({ label, usually: '20 seconds; 120 MB' }, () => npm({ label, args, cwd: folder })),
	);
	if (((await majorOf(binary)) ?? 0) < major) {
		throw new Fault(
			`The npm package ${name} contains no Node ${NEWER_NODE} that runs here.`,
			`Install Node ${NEWER_NODE} yourself (https://nodejs.org) and run the same command with it.`,
		);
	}
	return binary;
}

/**
 * Environment variables with which node-gyp finds this Node's headers without a download.
 * @param {string} binary
 * @returns {Promise<Record<string, string>>}
 */
export async function headersOf(binary) {
	const home = dirname(dirname(binary));
	const header = join(home, 'include', 'node', 'node_version.h');
	if (!existsSync(header)) return {};
	const [major] = /(?<=NODE_MAJOR_VERSION )\d+/.exec(await readFile(header, 'utf8')) ?? [];
	return Number(major) === (await majorOf(binary)) ? { npm_config_nodedir: home } : {};
}
