import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { npm } from './command.mjs';
import { Fault } from './faults.mjs';
import { jestTally } from './jestTally.mjs';
import { root } from './paths.mjs';
import { ensureTools } from './system.mjs';
import { failureText, countSkipped, summaryOf } from './tally.mjs';
import { duration, say, sayAbove, withProgress } from './terminal.mjs';
import { testsOf } from './tiers.mjs';

const jestFile = join(root, 'build', 'jest.json');
const scriptTests = join(root, 'test', 'unit', 'scripts');
const reportFile = join(root, 'build', 'checks.json');

/** @typedef {{ name: string, args: string[], echo?: boolean }} Check */
/** @typedef {{ usually: string, checks: readonly Check[] }} Group */

/** @param {string} name @param {string} command of npm @param {string[]} more @returns {Check} */
const check = (name, command, ...more) => ({ name, args: [...command.split(' '), ...more] });

/** They start processes, as other tests of the second tier do. */
const testsOfScripts = check(
	'Tests of the scripts',
	'exec -- node --test',
	...readdirSync(scriptTests).map((file) => join(scriptTests, file)),
);

/** The builds that tests use, and their scripts. */
const builds = new Map([
	['Build of the package', 'run build'],
	['Build of the service', 'run build:service'],
]);

/**
 * Checks without tests, and the builds that others need.
 * @param {boolean} all whether the second tier of the tests runs, too
 * @returns {Group}
 */
const staticChecks = (all) => ({
	usually: '30 seconds',
	checks: [
		...Array.from(builds, ([name, script]) => check(name, script)),
		check('Spelling', 'run spelling'),
		check('Imports between layers', 'run deps'),
		check('Unused files and exports', 'run unused'),
		...(all ? [testsOfScripts] : []),
	],
});

/**
 * Tests often wait for a browser or a process: checks that need no build run meanwhile, so that no
 * processor is idle.
 * @param {boolean} all whether the second tier of the tests runs, too
 * @returns {Group}
 */
const lintAndTests = (all) => ({
	usually: all ? '15 minutes' : '3 minutes',
	checks: [
		check('Types and lint', 'run lint'),
		{
			...check('Tests', 'run jest -- --json', `--outputFile=${jestFile}`, ...testsOf(all)),
			echo: true,
		},
		check('Format check', 'run format:check'),
		check('Pages of nodes and errors', 'exec -- node --import tsx scripts/docs.mjs --check'),
	],
});

/**
 * Runs the groups in sequence, the checks of a group concurrently, and writes the counts to
 * `build/checks.json`. It ends with the group in which one fails. With the second tier only a build
 * ends it, so that a word or an import does not hide which tests fail.
 * @param {boolean} all whether the second tier of the tests runs, too
 * @returns {Promise<boolean>} whether all passed
 */
export async function runChecks(all) {
	await mkdir(join(root, 'build'), { recursive: true });
	await Promise.all([rm(jestFile, { force: true }), rm(reportFile, { force: true })]);
	if (all) await ensureTools(['chromium']);
	const began = performance.now();
	let passed = 0;
	let failed = 0;
	let skipped = 0;
	/** @type {string[]} */
	const failures = [];
	for (const group of [staticChecks(all), lintAndTests(all)]) {
		let ends = false;
		for (const { name, ok, output } of await runGroup(group)) {
			const tests = name === 'Tests' ? await jestTally(jestFile) : undefined;
			passed += tests?.passed ?? (ok ? 1 : 0);
			failed += ok ? 0 : Math.max(1, tests?.failed ?? 0);
			skipped += tests?.skipped ?? 0;
			if (tests?.failures.length) failures.push(...tests.failures);
			else if (!ok) failures.push(failureText(name, output));
			ends ||= !ok && (!all || builds.has(name));
		}
		if (ends) break;
	}
	const tally = countSkipped({ passed, failed, skipped, failures });
	await writeFile(reportFile, JSON.stringify(tally));
	const rest = all ? '' : '; `npm test -- --all` also runs the second tier';
	say(`\n${summaryOf(tally)} in ${duration(performance.now() - began)}${rest}`);
	return tally.failed === 0;
}

/**
 * Runs the checks of a group, one per processor at a time.
 * @param {Group} group
 * @returns {Promise<{ name: string, ok: boolean, output: string }[]>} in the order of completion
 */
async function runGroup({ usually, checks }) {
	const waiting = [...checks];
	/** @type {{ name: string, ok: boolean, output: string }[]} */
	const ended = [];
	const work = async () => {
		for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
			const began = performance.now();
			const { ok, output } = await runCheck(check);
			sayAbove(`${ok ? '✔' : '✖'} ${check.name}: ${duration(performance.now() - began)}`);
			if (!ok && check.echo !== true) say(output);
			ended.push({ name: check.name, ok, output });
		}
	};
	const label = `${checks.length} checks`;
	const measure = () => Promise.resolve(`${ended.length} done`);
	await withProgress(
		{ label, usually, measure },
		() => Promise.all(Array.from({ length: availableParallelism() }, work)),
		() => ended.every(({ ok }) => ok),
	);
	return ended;
}

/**
 * @param {Check} check
 * @returns {Promise<{ ok: boolean, output: string }>} the output of a failed check
 */
async function runCheck({ name, args, echo = false }) {
	try {
		await npm({ label: name, args, cwd: root, echo });
		return { ok: true, output: '' };
	} catch (error) {
		if (!(error instanceof Fault) || error.log === undefined) throw error;
		return { ok: false, output: await readFile(error.log, 'utf8') };
	}
}
