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

/**
 * Cost of loading the package: processor time of n8n's loader for all nodes and credentials, minus
 * that of an empty package, each in a separate process; and the size of the tarball.
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

		const taken: Record<'ours' | 'empty', number[]> = { ours: [], empty: [] };
		const times = bench.quick ? 3 : 11;
		for (let time = 0; time < times; time++) {
			taken.ours.push(await load(install, ours));
			taken.empty.push(await load(install, empty));
		}
		const over = median(taken.ours) - median(taken.empty);
		bench.say(`  weight: ${over.toFixed(1)} ms of processor time to load`);
		const { size } = await stat(packed.tarball);
		return {
			figures: [
				figureOf({
					name: 'Loading all nodes and credentials, over an empty package: processor time',
					...{ ours: over, httpRequestNode: null, limit: null, unit: 'ms', goal: 60 },
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
async function load({ node, script }: N8nInstall, folder: string): Promise<number> {
	const modules = dirname(dirname(dirname(script)));
	// n8n always loads the first two.
	const program = `
		require(${JSON.stringify(join(modules, 'n8n-workflow'))});
		require(${JSON.stringify(join(modules, 'zod', 'v4'))});
		const { PackageDirectoryLoader } = require(${JSON.stringify(join(modules, 'n8n-core'))});
		const loader = new PackageDirectoryLoader(${JSON.stringify(folder)});
		const before = process.cpuUsage();
		loader.loadAll().then(() => {
			const { user, system } = process.cpuUsage(before);
			process.stdout.write(String((user + system) / 1000), () => process.exit(0));
		});`;
	const { stdout } = await promisify(execFile)(node, ['-e', program], {
		cwd: root,
		// This is how n8n provides its modules to packages.
		env: { ...env, NODE_PATH: modules },
	});
	return Number(stdout.split('\n').at(-1));
}
