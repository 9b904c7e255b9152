import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { z } from 'zod/v4';
import { proveVariants } from '../../scripts/prove/variants.mjs';
import { root } from '../../scripts/setup/paths.mjs';
import { mutated, type Finder, type Mutant, type TestFinder } from './mutant';

/** Folders that are not copied: built, installed or local data. */
const EXCLUDED = new Set(
	['node_modules', 'build', 'dist', 'dist-service', 'coverage', '.data', '.git', 'testbed/installs'].map(
		(folder) => join(root, folder),
	),
);
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

/** Options of a jest run in the copy. */
export interface JestRun {
	readonly args: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	/** Time limit, after which jest is killed. */
	readonly limitMs?: number;
	/** Whether files run at the same time rather than in their order. */
	readonly isParallel?: boolean;
}

/** A copy of the project in which one mutant at a time is applied. */
export class CopiedTree {
	private constructor(readonly folder: string) {}

	static async make(): Promise<CopiedTree> {
		const folder = join(await mkdtemp(join(tmpdir(), 'mutants-')), 'project');
		await cp(root, folder, {
			recursive: true,
			filter: (path) => !EXCLUDED.has(path),
		});
		await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
		return new CopiedTree(folder);
	}

	/** Runs `work` with the mutant applied. @throws the errors of `mutated` */
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
	 * Whether a finder fails in the copy.
	 * @throws Error if no test was run
	 */
	async isFoundBy(finder: Finder): Promise<boolean> {
		if ('test' in finder) return await this.failsTest(finder);
		const { probe, runs, variant } = finder;
		const drawn = variant === undefined ? {} : { variant: JSON.stringify(variant) };
		const options = { probe, runs: String(runs), seed: '1', first: 'yes', ...drawn };
		const { tried, differences } = await proveVariants(options, this.folder, 'ignore');
		if (tried === 0) throw new Error(`No probe matches "${probe}"`);
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
			throw new Error(`No test was run in ${test}${named === undefined ? '' : `, "${named}"`}`);
		return results.numFailedTests > 0;
	}

	/** Runs tests of the copy. @returns undefined after the time limit */
	async jest(run: JestRun): Promise<JestResults | undefined> {
		const file = join(dirname(this.folder), 'jest.json');
		await rm(file, { force: true });
		const { isEnded } = await this.start({ ...run, args: ['--json', '--outputFile', file, ...run.args] });
		return isEnded ? undefined : jestSchema.parse(JSON.parse(await readFile(file, 'utf8')));
	}

	/**
	 * Runs tests until a file fails or the time limit is reached.
	 * @returns whether either happened
	 * @throws Error if no test was run
	 */
	async fails(run: JestRun): Promise<boolean> {
		// With --bail, jest writes no file of results.
		const { isEnded, isGood, output } = await this.start({ ...run, args: ['--bail', '1', ...run.args] });
		if (!isEnded && !isGood && !/^FAIL /m.test(output)) throw new Error(`No test was run: ${output}`);
		return !isGood;
	}

	private async start({ args, environment = {}, limitMs = 0, isParallel = false }: JestRun) {
		const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
		const given = [jest, ...(isParallel ? [] : ['--runInBand']), '--rootDir', this.folder, ...args];
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
