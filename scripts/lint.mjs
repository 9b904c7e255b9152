// Lints the published folders with n8n's unmodified config, and everything with ours.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './setup/paths.mjs';

const RUNS = [
	['eslint.config.mjs', 'client', 'credentials', 'nodes', 'package.json'],
	['eslint.tools.mjs', '.'],
];

const eslint = join(dirname(createRequire(import.meta.url).resolve('eslint/package.json')), 'bin/eslint.js');

/** @param {string[]} run config and paths */
async function lint([config = '', ...paths]) {
	const args = [eslint, '-c', config, ...paths, ...process.argv.slice(2)];
	const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
	/** @type {number | null} */
	const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
	return code === 0;
}

const passed = await Promise.all(RUNS.map(lint));
process.exitCode = passed.every(Boolean) ? 0 : 1;
