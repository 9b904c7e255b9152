import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, env, execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../scripts/setup/entry.mjs';
import { Fault } from '../scripts/setup/faults.mjs';
import { interruption } from '../scripts/setup/interruption.mjs';
import { withLock } from '../scripts/setup/lock.mjs';
import { installN8n, PINNED_N8N } from '../scripts/setup/n8n.mjs';
import { root } from '../scripts/setup/paths.mjs';
import { buildProject, installProject } from '../scripts/setup/project.mjs';
import { ensureTools } from '../scripts/setup/system.mjs';
import { duration, say } from '../scripts/setup/terminal.mjs';

/**
 * `npm run e2e [-- part …]`: the package in real n8n processes, as users run it. What passed and failed is counted in
 * `build/e2e.json`.
 *
 * @typedef {object} Part
 * @property {string} file
 * @property {number} minutes after which it is ended, and has failed
 * @property {readonly string[]} [versions] of n8n; default: the one that `npm start` runs
 * @property {readonly import('../scripts/setup/system.mjs').SystemTool[]} [tools] what it needs of the system
 */

/** @type {Readonly<Record<string, Part>>} */
const PARTS = {
	deploy: { file: 'deploy.test.mjs', minutes: 1 },
	install: { file: 'install.test.mjs', minutes: 5 },
	browser: { file: 'browser.test.mjs', minutes: 8, tools: ['chromium'] },
	examples: { file: 'examples.test.mjs', minutes: 8 },
	crash: { file: 'crash.test.mjs', minutes: 10 },
	trigger: { file: 'trigger.test.mjs', minutes: 10 },
	features: { file: 'features.test.mjs', minutes: 10 },
	queue: { file: 'queue.test.mjs', minutes: 10, tools: ['redis', 'postgresql'] },
	versions: { file: 'install.test.mjs', minutes: 10, versions: ['2.4.8', '1.123.81'] },
};
const PINNED_ONLY = Object.freeze([PINNED_N8N]);
const GRACE_MS = 20_000;

/**
 * Runs the tests of one part in a process of their own.
 * @param {string} name
 * @param {Part} part
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function runPart(name, { file, minutes, versions = PINNED_ONLY }) {
	say(`\n== e2e ${name}`);
	const began = performance.now();
	const counts = join(root, 'build', 'e2e', `${name}.counts`);
	await rm(counts, { force: true });
	const module = (/** @type {string} */ support) => pathToFileURL(join(root, 'e2e', 'support', support)).href;
	const reporters = [
		['spec', 'stdout'],
		[module('counts.mjs'), counts],
	].flatMap(([reporter, into]) => [
		`--test-reporter=${reporter ?? ''}`,
		`--test-reporter-destination=${into ?? ''}`,
	]);
	const child = spawn(execPath, ['--import', module('abandon.mjs'), ...reporters, join(root, 'e2e', file)], {
		cwd: root,
		env: { ...env, E2E_N8N_VERSIONS: versions.join(',') },
		stdio: 'inherit',
	});
	const end = () => {
		child.kill('SIGTERM');
		setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
	};
	const limit = setTimeout(() => {
		say(`✖ e2e ${name}: not done after ${String(minutes)} minutes`);
		end();
	}, minutes * 60_000);
	interruption.addEventListener('abort', end, { once: true });
	/** @type {unknown} */
	const code = await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', resolve);
	});
	clearTimeout(limit);
	interruption.removeEventListener('abort', end);
	const [passed = 0, failed = 0] = (await readFile(counts, 'utf8').catch(() => '')).split(' ').map(Number);
	say(`e2e ${name}: ${duration(performance.now() - began)}`);
	// A part that did not get to its end, or ended badly after its last test, has failed whatever it counted.
	return { passed, failed: code === 0 ? failed : Math.max(1, failed) };
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
		return { name, part };
	});
	const report = join(root, 'build', 'e2e.json');
	await mkdir(join(root, 'build', 'e2e'), { recursive: true });
	await rm(report, { force: true });
	await withLock(join(root, 'build', 'setup.lock'), 'setting up this project', async () => {
		await installProject();
		await ensureTools([...new Set(parts.flatMap(({ part }) => part.tools ?? []))]);
		const versions = parts.flatMap(({ part }) => part.versions ?? PINNED_ONLY);
		for (const version of new Set(versions)) await installN8n(version);
		await buildProject();
	});
	let passed = 0;
	let failed = 0;
	for (const { name, part } of parts) {
		if (interruption.aborted) break;
		const result = await runPart(name, part);
		passed += result.passed;
		failed += result.failed;
	}
	await writeFile(report, JSON.stringify({ passed, failed }));
	say(`\n${failed === 0 ? '✔' : '✖'} e2e: ${String(passed)} passed, ${String(failed)} failed`);
	return failed === 0;
});
