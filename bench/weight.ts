import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { installCommunityPackage, packProject } from '../testbed/n8n/communityPackage';
import { communityFolder } from '../testbed/n8n/n8n';
import { root } from '../scripts/setup/paths.mjs';
import { median, type Bench } from './bench';
import { figureOf } from './figures';
import type { N8nInstall } from '../scripts/setup/n8n.mjs';

/** Half of what the first use of a node took when each module was a file. */
const FIRST_USE_MS = 65;

/**
 * Cost of loading the package: processor time of n8n's loader for all nodes and credentials, minus
 * that of an empty package; processor time of the first call of the Entity node, which loads its
 * code; each in a separate process; and the size of the tarball.
 */
export async function weigh(bench: Bench) {
	const { install } = bench;
	const folder = await mkdtemp(join(tmpdir(), 'bench-weight-'));
	try {
		await mkdir(join(folder, '.n8n', 'nodes'), { recursive: true });
		const packed = await packProject(folder);
		await installCommunityPackage(folder, packed, install.node);
		const ours = join(communityFolder(folder), 'node_modules', packed.name);
		const empty = join(folder, 'n8n-nodes-empty');
		await mkdir(empty);
		const manifest = { name: 'n8n-nodes-empty', version: '1.0.0', n8n: { nodes: [], credentials: [] } };
		await writeFile(join(empty, 'package.json'), JSON.stringify(manifest));

		const taken: Record<'ours' | 'empty' | 'firstUse', number[]> = { ours: [], empty: [], firstUse: [] };
		const times = bench.quick ? 3 : 11;
		for (let time = 0; time < times; time++) {
			taken.ours.push(await load(install, ours));
			taken.empty.push(await load(install, empty));
			taken.firstUse.push(await useFirst(install, ours));
		}
		const over = median(taken.ours) - median(taken.empty);
		const firstUse = median(taken.firstUse);
		bench.say(
			`  weight: ${over.toFixed(1)} ms of processor time to load, ${firstUse.toFixed(1)} at first use`,
		);
		const { size } = await stat(packed.tarball);
		return {
			figures: [
				figureOf({
					name: 'Loading all nodes and credentials, over an empty package: processor time',
					...{ ours: over, httpRequestNode: null, limit: null, unit: 'ms', goal: 60 },
				}),
				figureOf({
					name: 'First use of the Entity node in a process: processor time',
					...{ ours: firstUse, httpRequestNode: null, limit: null, unit: 'ms', goal: FIRST_USE_MS },
				}),
				figureOf({
					name: 'The packed tarball',
					...{ ours: size / 1000, httpRequestNode: null, limit: null, unit: 'kB', goal: 200 },
				}),
			],
			runs: taken,
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * @param folder folder of a package
 * @returns milliseconds of processor time
 */
async function load(install: N8nInstall, folder: string): Promise<number> {
	return await measured(
		install,
		`const { PackageDirectoryLoader } = require(join(modules, 'n8n-core'));
		const loader = new PackageDirectoryLoader(${JSON.stringify(folder)});
		start();
		loader.loadAll().then(end);`,
	);
}

/**
 * The call fails, because it gets no execution.
 * @param folder folder of this package
 * @returns milliseconds of processor time
 */
async function useFirst(install: N8nInstall, folder: string): Promise<number> {
	return await measured(
		install,
		`const { Entity } = require(${JSON.stringify(join(folder, 'dist/nodes/Entity/Entity.node.js'))});
		const node = new Entity();
		start();
		node.execute.call({}).catch(end);`,
	);
}

/**
 * @param program of JavaScript, run in a process that has loaded what n8n always loads
 * @returns milliseconds of processor time between its calls of `start` and `end`
 */
async function measured({ node, script }: N8nInstall, program: string): Promise<number> {
	const modules = dirname(dirname(dirname(script)));
	const whole = `
		const { join } = require('node:path');
		const modules = ${JSON.stringify(modules)};
		require(join(modules, 'n8n-workflow'));
		require(join(modules, 'zod', 'v4'));
		let before;
		const start = () => { before = process.cpuUsage(); };
		const end = () => {
			const { user, system } = process.cpuUsage(before);
			process.stdout.write(String((user + system) / 1000), () => process.exit(0));
		};
		${program}`;
	const { stdout } = await promisify(execFile)(node, ['-e', whole], {
		cwd: root,
		// This is how n8n provides its modules to packages.
		env: { ...env, NODE_PATH: modules },
	});
	return Number(stdout.split('\n').at(-1));
}
