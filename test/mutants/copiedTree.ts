import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { z } from 'zod/v4';
import { proveVariants } from '../../scripts/prove/variants.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { mutated, type Finder, type Mutant, type TestFinder } from './mutant';

/** What is built, installed or kept by people's own runs. */
const LEFT_OUT = new Set(['node_modules', 'build', 'dist', 'dist-service', 'coverage', '.data', '.git']);
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

const jestSchema = z.object({
	numPassedTests: z.number(),
	numFailedTests: z.number(),
	numRuntimeErrorTestSuites: z.number(),
	testResults: z.array(
		z.object({ name: z.string(), status: z.string(), startTime: z.number(), endTime: z.number() }),
	),
});
type JestResults = z.infer<typeof jestSchema>;

/** How jest is run in the copy. */
export interface JestRun {
	readonly args: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	/** After so many milliseconds it is ended. */
	readonly limitMs?: number;
}

/** A copy of the project, in which one mutant at a time is tried. */
export class CopiedTree {
	private constructor(readonly folder: string) {}

	static async make(): Promise<CopiedTree> {
		const folder = join(await mkdtemp(join(tmpdir(), 'mutants-')), 'project');
		await cp(root, folder, {
			recursive: true,
			filter: (path) => path === root || dirname(path) !== root || !LEFT_OUT.has(basename(path)),
		});
		await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
		return new CopiedTree(folder);
	}

	/** Runs the work with the mutant in the copy. @throws what `mutated` throws */
	async with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result> {
		const path = join(this.folder, mutant.file);
		const text = await readFile(path, 'utf8');
		await writeFile(path, mutated(mutant, text));
		try {
			return await work();
		} finally {
			await writeFile(path, text);
		}
	}

	/**
	 * Whether a finder finds fault with the copy.
	 * @throws Error if it cannot tell, because nothing was run
	 */
	async isFoundBy(finder: Finder): Promise<boolean> {
		if ('test' in finder) return await this.failsTest(finder);
		const { probe, runs } = finder;
		const options = { probe, runs: String(runs), seed: '1', first: 'yes' };
		const { tried, differences } = await proveVariants(options, this.folder, 'ignore');
		if (tried === 0) throw new Error(`No probe has "${probe}" in its name`);
		return differences > 0;
	}

	private async failsTest({ test, named }: TestFinder): Promise<boolean> {
		const only =
			named === undefined ? [] : ['--testNamePattern', named.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')];
		const results = await this.jest({ args: [...only, test] });
		if (
			!results ||
			results.numRuntimeErrorTestSuites > 0 ||
			results.numPassedTests + results.numFailedTests === 0
		)
			throw new Error(`Nothing was tested by ${test}${named === undefined ? '' : `, "${named}"`}`);
		return results.numFailedTests > 0;
	}

	/** Runs tests of the copy in one process. @returns undefined if it had to be ended */
	async jest(run: JestRun): Promise<JestResults | undefined> {
		const file = join(dirname(this.folder), 'jest.json');
		await rm(file, { force: true });
		const { isEnded } = await this.start({ ...run, args: ['--json', '--outputFile', file, ...run.args] });
		return isEnded ? undefined : jestSchema.parse(JSON.parse(await readFile(file, 'utf8')));
	}

	/**
	 * Runs tests until a file of them fails, or has to be ended.
	 * @returns whether one did
	 * @throws Error if nothing was tested
	 */
	async fails(run: JestRun): Promise<boolean> {
		// With --bail, jest ends without writing a file of results.
		const { isEnded, isGood, output } = await this.start({ ...run, args: ['--bail', '1', ...run.args] });
		if (!isEnded && !isGood && !/^FAIL /m.test(output)) throw new Error(`Nothing was tested: ${output}`);
		return !isGood;
	}

	private async start({ args, environment = {}, limitMs = 0 }: JestRun) {
		const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
		const given = [jest, '--runInBand', '--rootDir', this.folder, ...args];
		const options = {
			cwd: this.folder,
			maxBuffer: MAX_OUTPUT_BYTES,
			env: { ...env, ...environment },
			timeout: limitMs,
			killSignal: 'SIGKILL',
		} as const;
		return await new Promise<{ isEnded: boolean; isGood: boolean; output: string }>((ended) => {
			execFile(execPath, given, options, (error, _, output) => {
				ended({ isEnded: error?.killed === true, isGood: error === null, output });
			});
		});
	}

	/** Rewrites a file of the copy. */
	async rewrite(file: string, change: (text: string) => string): Promise<void> {
		const path = join(this.folder, file);
		await writeFile(path, change(await readFile(path, 'utf8')));
	}

	async remove(): Promise<void> {
		await rm(dirname(this.folder), { recursive: true });
	}
}
