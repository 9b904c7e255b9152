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
import { judged, told } from '../scripts/setup/tally.mjs';
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

/**
 * The longest first: two run at a time, and most of them wait more than they work.
 * @type {Readonly<Record<string, Part>>}
 */
const PARTS = {
	versions: { file: 'install.test.mjs', minutes: 10, versions: ['2.4.8', '1.123.81'] },
	queue: { file: 'queue.test.mjs', minutes: 12, tools: ['redis', 'postgresql'] },
	trigger: { file: 'trigger.test.mjs', minutes: 12 },
	features: { file: 'features.test.mjs', minutes: 12 },
	crash: { file: 'crash.test.mjs', minutes: 10 },
	secrets: { file: 'secrets.test.mjs', minutes: 8 },
	browser: { file: 'browser.test.mjs', minutes: 8, tools: ['chromium'] },
	examples: { file: 'examples.test.mjs', minutes: 8 },
	install: { file: 'install.test.mjs', minutes: 5 },
	deploy: { file: 'deploy.test.mjs', minutes: 1 },
};
const PINNED_ONLY = Object.freeze([PINNED_N8N]);
const AT_A_TIME = 2;
const GRACE_MS = 20_000;
const STILL_MS = 30_000;

const lockFile = join(root, 'build', 'setup.lock');
const resultFolder = join(root, 'build', 'e2e');

/**
 * Runs the tests of one part in a process of their own; what they print comes in one piece, at their end.
 * @param {string} name
 * @param {Part} part
 * @returns {Promise<import('../scripts/setup/tally.mjs').Tally>}
 */
async function runPart(name, { file, minutes, versions = PINNED_ONLY }) {
	const others = versions.filter((version) => version !== PINNED_N8N);
	if (others.length > 0) {
		await withLock(lockFile, 'setting up this project', async () => {
			for (const version of others) await installN8n(version);
		});
	}
	const began = performance.now();
	const counts = join(resultFolder, `${name}.counts`);
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
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
			printed += text;
		});
	}
	const end = () => {
		child.kill('SIGTERM');
		setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
	};
	const limit = setTimeout(() => {
		printed += `\n✖ not done after ${String(minutes)} minutes\n`;
		end();
	}, minutes * 60_000);
	const still = setInterval(() => {
		say(`  … e2e ${name}: ${duration(performance.now() - began)}`);
	}, STILL_MS);
	interruption.addEventListener('abort', end, { once: true });
	/** @type {unknown} */
	const code = await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', resolve);
	});
	clearTimeout(limit);
	clearInterval(still);
	interruption.removeEventListener('abort', end);
	const counted = (await readFile(counts, 'utf8').catch(() => '')).split(' ').map(Number);
	const [passed = 0, failed = 0, skipped = 0] = counted;
	say(`\n== e2e ${name}: ${duration(performance.now() - began)}\n${printed.trim()}`);
	// A part that did not get to its end, or ended badly after its last test, has failed whatever it counted.
	return { passed, failed: code === 0 ? failed : Math.max(1, failed), skipped };
}

/**
 * @param {readonly { name: string, part: Part }[]} parts
 * @returns {Promise<import('../scripts/setup/tally.mjs').Tally>} over all
 */
async function runParts(parts) {
	const waiting = [...parts];
	const total = { passed: 0, failed: 0, skipped: 0 };
	const lane = async () => {
		for (let next = waiting.shift(); next && !interruption.aborted; next = waiting.shift()) {
			const { name, part } = next;
			const { passed, failed, skipped } = await runPart(name, part).catch((/** @type {unknown} */ error) => {
				if (!(error instanceof Fault)) throw error;
				say(`\n✖ e2e ${name}: ${error.message}\n  What to do: ${error.wayOut}`);
				return { passed: 0, failed: 1, skipped: 0 };
			});
			total.passed += passed;
			total.failed += failed;
			total.skipped += skipped;
		}
	};
	await Promise.all(Array.from({ length: AT_A_TIME }, lane));
	return total;
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
	await mkdir(resultFolder, { recursive: true });
	await rm(report, { force: true });
	await withLock(lockFile, 'setting up this project', async () => {
		await installProject();
		await ensureTools([...new Set(parts.flatMap(({ part }) => part.tools ?? []))]);
		await installN8n(PINNED_N8N);
		await buildProject();
	});
	const tally = judged(await runParts(parts));
	await writeFile(report, JSON.stringify(tally));
	say(`\ne2e: ${told(tally)}`);
	return tally.failed === 0;
});
