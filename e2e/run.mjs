import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { argv, env, execPath } from 'node:process';
import { runCommand } from '../scripts/setup/entry.mjs';
import { Fault } from '../scripts/setup/faults.mjs';
import { interruption } from '../scripts/setup/interruption.mjs';
import { withLock } from '../scripts/setup/lock.mjs';
import { installN8n, PINNED_N8N } from '../scripts/setup/n8n.mjs';
import { root } from '../scripts/setup/paths.mjs';
import { buildProject, installProject } from '../scripts/setup/project.mjs';

/**
 * `npm run e2e [-- part …]`: the package in real n8n processes, as users run it.
 * @type {Readonly<Record<string, { file: string, versions: readonly string[] }>>}
 */
const PARTS = {
	install: { file: 'install.test.mjs', versions: [PINNED_N8N] },
	browser: { file: 'browser.test.mjs', versions: [PINNED_N8N] },
	versions: { file: 'install.test.mjs', versions: ['2.4.8', '1.123.81'] },
};

/**
 * @param {string} file
 * @param {readonly string[]} versions
 * @returns {Promise<boolean>}
 */
function runTests(file, versions) {
	return new Promise((resolve, reject) => {
		const child = spawn(execPath, ['--test', '--test-reporter=spec', join(root, 'e2e', file)], {
			cwd: root,
			env: { ...env, E2E_N8N_VERSIONS: versions.join(',') },
			stdio: 'inherit',
		});
		interruption.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
		child.on('error', reject);
		child.on('close', (code) => {
			resolve(code === 0);
		});
	});
}

await runCommand(async () => {
	const asked = argv.slice(2);
	const parts = (asked.length === 0 ? Object.keys(PARTS) : asked).map((name) => {
		const part = PARTS[name];
		if (part === undefined) {
			throw new Fault(
				`There is no part "${name}".`,
				`Take any of ${Object.keys(PARTS).join(', ')}, or none for all.`,
			);
		}
		return part;
	});
	await withLock(join(root, 'build', 'setup.lock'), 'setting up this project', async () => {
		await installProject();
		for (const version of new Set(parts.flatMap(({ versions }) => versions))) await installN8n(version);
		await buildProject();
	});
	let passed = true;
	for (const { file, versions } of parts) passed = (await runTests(file, versions)) && passed;
	return passed;
});
