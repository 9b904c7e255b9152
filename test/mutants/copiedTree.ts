import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { execPath } from 'node:process';
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
});

/** A copy of the project, in which one mutant at a time is tried. */
export class CopiedTree {
	private constructor(private readonly folder: string) {}

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

	/** Whether a finder finds fault with the copy. @throws Error if it cannot tell, because nothing was run */
	async isFoundBy(finder: Finder): Promise<boolean> {
		if ('test' in finder) return await this.failsTest(finder);
		const { probe, runs } = finder;
		const options = { probe, runs: String(runs), seed: '1', first: 'yes' };
		const { tried, differences } = await proveVariants(options, this.folder, 'ignore');
		if (tried === 0) throw new Error(`No probe has "${probe}" in its name`);
		return differences > 0;
	}

	private async failsTest({ test, named }: TestFinder): Promise<boolean> {
		const results = join(dirname(this.folder), 'jest.json');
		await rm(results, { force: true });
		const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
		const only =
			named === undefined ? [] : ['--testNamePattern', named.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')];
		const args = [jest, '--runInBand', '--rootDir', this.folder, '--json', '--outputFile', results];
		await new Promise<void>((ended) => {
			execFile(execPath, [...args, ...only, test], { cwd: this.folder, maxBuffer: MAX_OUTPUT_BYTES }, () => {
				ended();
			});
		});
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = jestSchema.parse(
			JSON.parse(await readFile(results, 'utf8')),
		);
		if (numRuntimeErrorTestSuites > 0 || numPassedTests + numFailedTests === 0)
			throw new Error(`Nothing was tested by ${test}${named === undefined ? '' : `, "${named}"`}`);
		return numFailedTests > 0;
	}

	async remove(): Promise<void> {
		await rm(dirname(this.folder), { recursive: true });
	}
}
