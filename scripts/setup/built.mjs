import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** @typedef {'build' | 'service'} Build a task of the gulpfile */

const ALL_READ = ['gulpfile.js', 'package.json', 'package-lock.json', '.config/tsconfig.base.json'];

/**
 * Files and folders that a build reads and writes.
 * @type {Readonly<Record<Build, { reads: readonly string[], writes: string }>>}
 */
const BUILDS = {
	build: {
		reads: [
			...['client', 'credentials', 'examples', 'icons', 'nodes'],
			...['scripts/bundle.mjs', 'scripts/deferNodes.mjs', 'scripts/patterns.mjs'],
			...['tsconfig.build.json', ...ALL_READ],
		],
		writes: 'dist',
	},
	service: {
		reads: ['service', 'scripts/bundlePage.mjs', 'tsconfig.service.json', ...ALL_READ],
		writes: 'dist-service',
	},
};

/** @param {string} folder @param {Build} name */
const noteOf = (folder, name) => join(folder, 'build', 'built', name);

/**
 * Digest of all names and contents.
 * @param {string} folder
 * @param {readonly string[]} paths of files and folders in it; one that is missing counts as such
 */
async function digestOf(folder, paths) {
	const hash = createHash('sha256');
	/** @param {string} path */
	const add = async (path) => {
		const entries = await readdir(join(folder, path)).catch(() => undefined);
		if (entries) for (const name of entries.sort()) await add(`${path}/${name}`);
		else {
			const content = await readFile(join(folder, path)).catch(() => undefined);
			hash.update(`${path}\0${String(content?.length)}\0`).update(content ?? '');
		}
	};
	for (const path of paths) await add(path);
	return hash.digest('hex');
}

/**
 * @param {Build} name
 * @param {string} [folder] of the project
 * @returns {Promise<string>} digest of what the build reads
 */
export const sourcesOf = async (name, folder = root) => await digestOf(folder, BUILDS[name].reads);

/**
 * Notes what a build has read and written.
 * @param {Build} name
 * @param {string} sources their digest when it began, because they may have changed since
 * @param {string} [folder] of the project
 */
export async function noteBuild(name, sources, folder = root) {
	const note = noteOf(folder, name);
	await mkdir(join(note, '..'), { recursive: true });
	await writeFile(note, `${sources} ${await digestOf(folder, [BUILDS[name].writes])}`);
}

/**
 * @param {Build} name
 * @param {string} [folder] of the project
 * @returns {Promise<boolean>} whether what is there was built from the present sources
 */
export async function isBuilt(name, folder = root) {
	const note = await readFile(noteOf(folder, name), 'utf8').catch(() => '');
	return note === `${await sourcesOf(name, folder)} ${await digestOf(folder, [BUILDS[name].writes])}`;
}
