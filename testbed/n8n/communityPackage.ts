import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { z } from 'zod/v4';
import { npm, run } from '../../scripts/setup/command.mjs';
import { root } from '../../scripts/setup/paths.mjs';

const packSchema = z
	.array(z.object({ filename: z.string(), name: z.string(), version: z.string() }))
	.length(1);
const manifestSchema = z.looseObject({ name: z.string(), version: z.string() });
const folderSchema = z.looseObject({ dependencies: z.record(z.string(), z.string()).default({}) });

export type PackedPackage = { name: string; version: string; tarball: string };

/**
 * Packs the built package as for publication, or uses the tarball in DATAGRID_TARBALL.
 * @param into existing folder for the tarball
 */
export async function packProject(into: string): Promise<PackedPackage> {
	const given = env['DATAGRID_TARBALL'];
	if (given !== undefined && given !== '') return await packedAs(given);
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
	const [packed] = packSchema.parse(JSON.parse(await npm({ label: 'Packing the package', args, cwd: root })));
	if (packed === undefined) throw new Error('npm pack reported no file');
	return { name: packed.name, version: packed.version, tarball: join(into, packed.filename) };
}

async function packedAs(tarball: string): Promise<PackedPackage> {
	const args = ['-xzOf', tarball, 'package/package.json'];
	const manifest = await run({ label: 'Reading the package', file: 'tar', args, cwd: root });
	const { name, version } = manifestSchema.parse(JSON.parse(manifest));
	return { name, version, tarball };
}

/**
 * Installs a packed package into an n8n user folder with the steps of n8n's
 * `CommunityPackagesService`: unpack, remove disallowed dependencies, npm install, record the
 * version.
 * @param userFolder user folder of an n8n that is not running
 * @param node the Node that n8n runs on
 */
export async function installCommunityPackage(
	userFolder: string,
	{ name, tarball }: PackedPackage,
	node: string,
) {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const folder = join(nodes, 'node_modules', name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await run({
		label: 'Unpacking the package',
		file: 'tar',
		args: ['-xzf', tarball, '-C', folder, '--strip-components=1'],
		cwd: nodes,
	});
	const manifestFile = join(folder, 'package.json');
	const manifest = manifestSchema.parse(JSON.parse(await readFile(manifestFile, 'utf8')));
	const dropped = new Set(['devDependencies', 'peerDependencies', 'optionalDependencies']);
	const kept = Object.fromEntries(Object.entries(manifest).filter(([key]) => !dropped.has(key)));
	await writeFile(manifestFile, JSON.stringify(kept, null, 2));
	const flags = [
		'audit=false',
		'fund=false',
		'bin-links=false',
		'install-strategy=shallow',
		'ignore-scripts=true',
	];
	await npm({
		label: 'Installing the package into n8n',
		node,
		args: ['install', ...flags.map((flag) => `--${flag}`), '--package-lock=false'],
		cwd: folder,
		env: { NODE_ENV: 'production' },
	});
	const listFile = join(nodes, 'package.json');
	const list = existsSync(listFile)
		? folderSchema.parse(JSON.parse(await readFile(listFile, 'utf8')))
		: { name: 'installed-nodes', private: true, dependencies: {} };
	const dependencies = { ...list.dependencies, [name]: manifest.version };
	await writeFile(listFile, JSON.stringify({ ...list, dependencies }, null, 2));
}
