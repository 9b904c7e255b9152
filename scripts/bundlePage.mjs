import { readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { minify, transform } from '@swc/core';
import { rollup } from 'rollup';
import { root } from './setup/paths.mjs';

/** The styles of the page; a later one overrides those before it. */
const STYLES = ['page', 'table', 'cards', 'dialog', 'narrow'].map((name) => `styles/${name}.css`);

/** Folders of the sources and of the served files. */
const page = join(root, 'service', 'page');
const target = join(root, 'dist-service', 'page');

const stripTypes = {
	name: 'strip types',
	/** @param {string} code @param {string} id */
	async transform(code, id) {
		if (!id.endsWith('.ts')) return null;
		const { code: stripped } = await transform(code, {
			jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
		});
		return { code: stripped, map: null };
	},
};

/** @param {string} input the entry point @returns {Promise<string>} its code with all it imports */
async function bundled(input) {
	const built = await rollup({
		input,
		plugins: [nodeResolve({ extensions: ['.ts'] }), stripTypes],
		onLog(_level, { message }) {
			throw new Error(message);
		},
	});
	const { output } = await built.generate({ format: 'es' });
	await built.close();
	// Names stay, so that an error that a person reports leads to its source.
	const { code } = await minify(output[0].code, { module: true, mangle: false });
	return code;
}

/**
 * Writes a file, and beside it compressed as browsers accept it.
 * @param {string} file @param {string} text
 */
async function writeCompressed(file, text) {
	await mkdir(dirname(file), { recursive: true });
	await Promise.all([
		writeFile(file, text),
		writeFile(`${file}.br`, await promisify(brotliCompress)(text)),
		writeFile(`${file}.gz`, await promisify(gzip)(text)),
	]);
}

/** Time of the last change of a file; 0 if there is none. @param {string} path */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether the served files are newer than all sources. */
export function isPageBuilt() {
	const sources = readdirSync(page, { recursive: true, encoding: 'utf8' }).map((path) => join(page, path));
	const built = changedAt(join(target, 'page.js'));
	return [fileURLToPath(import.meta.url), ...sources].every((path) => changedAt(path) < built);
}

/** Bundles the page and that of the API description: one script and one style each. */
export async function bundlePage() {
	/** @param {string[]} paths */
	const joined = async (...paths) =>
		(await Promise.all(paths.map((path) => readFile(join(page, path), 'utf8')))).join('\n');
	const texts = {
		'page.js': bundled(join(page, 'page')),
		'page.css': joined(...STYLES),
		'docs/docs.js': bundled(join(page, 'docs', 'docs')),
		'docs/docs.css': joined('docs/docs.css'),
		'index.html': joined('index.html'),
		'docs/index.html': joined('docs/index.html'),
	};
	await Promise.all(
		Object.entries(texts).map(async ([path, text]) => writeCompressed(join(target, path), await text)),
	);
}
