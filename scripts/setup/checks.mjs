import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { npm } from './command.mjs';
import { Fault } from './faults.mjs';
import { root } from './paths.mjs';
import { ensureTools } from './system.mjs';
import { IN_CI, judged, told } from './tally.mjs';
import { duration, say, withProgress } from './terminal.mjs';

const jestFile = join(root, 'build', 'jest.json');
const scriptTests = join(root, 'test', 'unit', 'scripts');
const reportFile = join(root, 'build', 'checks.json');

/** Jest reports skipped tests as pending. */
const jestSchema = z
	.object({
		numPassedTests: z.number(),
		numFailedTests: z.number(),
		numPendingTests: z.number(),
		numTodoTests: z.number(),
	})
	.transform((of) => ({
		passed: of.numPassedTests,
		failed: of.numFailedTests,
		skipped: of.numPendingTests + of.numTodoTests,
	}));

/** @typedef {{ name: string, args: string[], usually: string, echo?: boolean }} Check */

/** @type {readonly Check[]} */
const CHECKS = [
	{ name: 'Type check', args: ['run', 'typecheck'], usually: '20 seconds' },
	{
		name: 'Type check of the scripts',
		args: ['exec', '--', 'tsc', '-p', 'tsconfig.tools.json'],
		usually: '5 seconds',
	},
	{ name: 'Lint', args: ['run', 'lint'], usually: '2 minutes' },
	{ name: 'Format check', args: ['run', 'format:check'], usually: '10 seconds' },
	{ name: 'Build of the package', args: ['run', 'build'], usually: '10 seconds' },
	{
		name: 'Pages of nodes and errors',
		args: ['exec', '--', 'node', '--import', 'tsx', 'scripts/docs.mjs', '--check'],
		usually: '5 seconds',
	},
	{ name: 'Build of the service', args: ['run', 'build:service'], usually: '10 seconds' },
	{
		name: 'Tests of the scripts',
		args: [
			'exec',
			'--',
			'node',
			'--test',
			...readdirSync(scriptTests).map((file) => join(scriptTests, file)),
		],
		usually: '5 seconds',
	},
	{
		name: 'Tests',
		args: ['run', 'jest', '--', '--json', `--outputFile=${jestFile}`],
		usually: '4 to 5 minutes',
		echo: true,
	},
];

/**
 * Runs every check, up to the first that does not pass, and notes the counts in `build/checks.json`.
 * @returns {Promise<boolean>} whether all passed
 */
export async function runChecks() {
	await mkdir(join(root, 'build'), { recursive: true });
	await Promise.all([rm(jestFile, { force: true }), rm(reportFile, { force: true })]);
	if (IN_CI) await ensureTools(['chromium']);
	const began = performance.now();
	let passed = 0;
	let failed = 0;
	let skipped = 0;
	for (const check of CHECKS) {
		const ok = await runCheck(check);
		const tests = check.name === 'Tests' ? await jestCounts() : undefined;
		passed += tests?.passed ?? (ok ? 1 : 0);
		failed += ok ? 0 : Math.max(1, tests?.failed ?? 0);
		skipped += tests?.skipped ?? 0;
		if (!ok) break;
	}
	const tally = judged({ passed, failed, skipped });
	await writeFile(reportFile, JSON.stringify(tally));
	say(`\n${told(tally)} in ${duration(performance.now() - began)}`);
	return tally.failed === 0;
}

/**
 * @param {Check} check
 * @returns {Promise<boolean>}
 */
async function runCheck({ name, args, usually, echo = false }) {
	try {
		await withProgress({ label: name, usually }, () => npm({ label: name, args, cwd: root, echo }));
		return true;
	} catch (error) {
		if (!(error instanceof Fault) || error.log === undefined) throw error;
		if (!echo) say(await readFile(error.log, 'utf8'));
		return false;
	}
}

/** @returns {Promise<z.infer<typeof jestSchema> | undefined>} undefined if jest did not get to its end */
async function jestCounts() {
	try {
		return jestSchema.parse(JSON.parse(await readFile(jestFile, 'utf8')));
	} catch {
		return undefined;
	}
}
