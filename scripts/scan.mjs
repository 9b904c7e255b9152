// n8n's package verification, offline: runs n8n's analysis on the tarball and on the sources, with
// the same files and rules. Inline disables are ignored. `npm run scan` packs the tarball; `npm run
// scan -- file.tgz` uses an existing one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod/v4';
import { buildProject } from './setup/project.mjs';
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

const packedSchema = z.tuple([z.object({ filename: z.string(), size: z.number(), entryCount: z.number() })]);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'datagrid-scan-'));

/** @param {string} command @param {string[]} args */
const run = (command, args) =>
	execFileSync(command, args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });

/** @param {string} what @param {string} path @param {string[]} patterns */
async function analyze(what, path, patterns) {
	const { passed, message, details } = await analyzePackage(path, patterns);
	process.stdout.write(
		`${passed ? 'passed' : 'FAILED'}: ${what}${passed ? '' : `: ${message ?? ''}\n${details ?? ''}`}\n`,
	);
	return passed;
}

/** @returns {Promise<string>} the path of the packed package */
async function pack() {
	await buildProject();
	const [packed] = packedSchema.parse(
		JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])),
	);
	process.stdout.write(
		`${packed.filename}: ${packed.entryCount} files, ${Math.round(packed.size / 1024)} kB\n`,
	);
	return join(folder, packed.filename);
}

try {
	const [given] = process.argv.slice(2);
	execFileSync('tar', ['-xzf', given === undefined ? await pack() : resolve(given), '-C', folder]);
	const results = [
		await analyze('the tarball', join(folder, 'package'), ['**/*.js', 'package.json']),
		await analyze('the sources', root, SOURCE_FILE_PATTERNS),
	];
	process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
