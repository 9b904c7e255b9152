import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { z } from 'zod/v4';
import { installN8n, PINNED_N8N, type N8nInstall } from '../../scripts/setup/n8n.mjs';
import { installCommunityPackage, packProject } from '../../testbed/n8n/communityPackage';

/**
 * In n8n's image, pnpm links into `n8n/node_modules` only what n8n's package.json names, and a
 * community package in `~/.n8n/nodes` finds that and nothing else.
 */
const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()) });
const nodesSchema = z.object({
	n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
});

let folder: string;
let install: N8nInstall;
let dependencies: string[];
let nodePackage: string;
before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'n8n-layout-'));
	install = await installN8n(PINNED_N8N);
	const own = join(n8nFolder(), 'package.json');
	dependencies = Object.keys(manifestSchema.parse(JSON.parse(await readFile(own, 'utf8'))).dependencies);
	const packed = await packProject(folder);
	await installCommunityPackage(join(folder, 'user'), packed, install.node);
	nodePackage = join(folder, 'user', '.n8n', 'nodes', 'node_modules', packed.name);
});
after(async () => {
	await rm(folder, { recursive: true, force: true });
});

const n8nFolder = () => dirname(dirname(install.script));

/** Loads all code of the package as n8n's loader does, with links to these dependencies of n8n. */
async function loadWith(name: string, linked: readonly string[]) {
	const app = join(folder, name, 'n8n');
	await mkdir(join(app, 'dist'), { recursive: true });
	for (const dependency of linked) {
		const link = join(app, 'node_modules', dependency);
		await mkdir(dirname(link), { recursive: true });
		await symlink(join(dirname(n8nFolder()), dependency), link);
	}
	const { n8n } = nodesSchema.parse(JSON.parse(await readFile(join(nodePackage, 'package.json'), 'utf8')));
	const files = [...n8n.nodes.map((file) => file.replace(/\.node\.js$/, '.code.js')), ...n8n.credentials];
	const loader = join(app, 'dist', 'loader.js');
	await writeFile(
		loader,
		`process.env.NODE_PATH = module.paths.join(require('node:path').delimiter);
module.constructor._initPaths();
for (const file of ${JSON.stringify(files)}) require(${JSON.stringify(nodePackage)} + '/' + file);
console.log('loaded ' + ${JSON.stringify(files)}.length);`,
	);
	return (await promisify(execFile)(install.node, [loader], { cwd: folder })).stdout.trim();
}

test("n8n's loader lets packages find what n8n depends on", async () => {
	const loader = await readFile(join(n8nFolder(), 'dist', 'load-nodes-and-credentials.js'), 'utf8');
	assert.match(loader, /NODE_PATH = \[?module\.paths\.join/);
	assert.match(loader, /_initPaths\(\)/);
});

test('all published code loads with the direct dependencies of n8n alone', async () => {
	assert.equal(await loadWith('strict', dependencies), 'loaded 10');
});

test('without zod among them it would not load', async () => {
	const others = dependencies.filter((name) => name !== 'zod');
	await assert.rejects(loadWith('without', others), /Cannot find module 'zod\/v4'/);
});
