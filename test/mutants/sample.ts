import { readdirSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { root } from '../../scripts/setup/paths.mjs';
import { duration, say } from '../../scripts/setup/terminal.mjs';
import { Random } from '../simulation/random';
import { CopiedTree } from './copiedTree';
import { withoutOverlaps, mutationsOf, switched, type Mutation } from './mutations';

/** Which mutants are drawn, and which tests may find them. */
export interface Sampling {
	/** Paths of files or folders from the repository root; folders include all files below. */
	readonly folders: readonly string[];
	/** Mutants drawn in each folder. */
	readonly runs: number;
	readonly seed: number;
	/** Folders of tests that may find a mutant; the default for its folder if empty. */
	readonly tests: readonly string[];
	/** Minutes after the run without a mutant in which a mutant may be begun. */
	readonly minutes: number;
	/** Only drawn mutants whose name contains one of these texts; all if empty. */
	readonly only: readonly string[];
}

/** Tests of each top-level folder. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
	client: ['test/unit/client', 'test/contract/client', 'test/n8n'],
	credentials: ['test/unit/credentials', 'test/n8n/security'],
	nodes: ['test/unit/nodes', 'test/frozen', 'test/n8n'],
	service: ['test/unit/service', 'test/contract/service'],
};

/** Tests that take more than 10 s each: they kill processes, fill memory or wait. */
const SLOW = [
	'durability',
	'largeRows',
	'largeGrid',
	'silentClients',
	'typeChangeKill',
	'backup',
	'everyLink',
];

/**
 * Added to three times the duration without a mutant. A mutant that exceeds this counts as found.
 */
const MAX_DELAY_MS = 30_000;

const filesIn = (path: string): string[] =>
	path.endsWith('.ts')
		? [path]
		: readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
				.filter((name) => name.endsWith('.ts'))
				.map((name) => join(path, name))
				.sort();

/** Mutants of a folder, determined by the seed and the sources. */
function drawn(folder: string, { runs, seed }: Sampling): Mutation[] {
	const rest = filesIn(folder).flatMap((file) => mutationsOf(file, readFileSync(join(root, file), 'utf8')));
	const random = new Random(seed);
	let picked: Mutation[] = [];
	while (picked.length < runs && rest.length > 0)
		picked = withoutOverlaps([...picked, ...rest.splice(random.below(rest.length), 1)]);
	return picked;
}

/** Writes all mutants into the copy, each behind its switch. */
async function switchAll(tree: CopiedTree, mutants: readonly Mutation[]): Promise<void> {
	for (const file of new Set(mutants.map((one) => one.file))) {
		const own = new Map(
			[...mutants.entries()].flatMap(([id, one]) => (one.file === file ? [[one, id]] : [])),
		);
		await tree.rewrite(file, (text) => switched(text, own));
	}
}

const SET_UP = ['--setupFilesAfterEnv', '<rootDir>/test/mutants/switches.ts'];

/** The passing test files that reach each mutant, fastest first, and their durations. */
async function reachedBy(tree: CopiedTree, sampling: Sampling) {
	const given = sampling.folders.flatMap((folder) => TESTS[folder.split('/', 1).join()] ?? []);
	const tests = sampling.tests.length > 0 ? sampling.tests : [...new Set(given)];
	const notes = join(dirname(tree.folder), 'reached.txt');
	const args = [...SET_UP, '--testPathIgnorePatterns', 'test/e2e', ...SLOW, '--testPathPatterns', ...tests];
	const results = await tree.jest({ args, environment: { MUTANTS_REACHED: notes }, isParallel: true });
	if (!results) throw new Error('The tests exceeded the time limit');
	const took = new Map<string, number>();
	for (const { name, status, startTime, endTime } of results.testResults) {
		if (status === 'passed') took.set(name, endTime - startTime);
		else say(`  skipped, because it fails without a mutant: ${relative(tree.folder, name)}`);
	}
	const reached = new Map<number, string[]>();
	for (const line of (await readFile(notes, 'utf8')).trim().split('\n')) {
		const [id = '', test = ''] = line.split(' ');
		if (took.has(test)) reached.set(Number(id), [...(reached.get(Number(id)) ?? []), test]);
	}
	for (const list of reached.values())
		list.sort((one, other) => (took.get(one) ?? 0) - (took.get(other) ?? 0));
	await rm(notes);
	return { reached, took };
}

/** Switches one mutant on and runs the tests that reach it until one fails. */
async function isKilled(
	tree: CopiedTree,
	id: number,
	tests: readonly string[],
	usualMs: number,
): Promise<boolean> {
	const order = ['--testSequencer', '<rootDir>/test/mutants/givenOrder.mjs', '--runTestsByPath'];
	return await tree.fails({
		args: [...SET_UP, ...order, ...tests],
		environment: { MUTANT: String(id), TEST_ORDER: tests.join('\n') },
		limitMs: 3 * usualMs + MAX_DELAY_MS,
	});
}

interface Score {
	killed: number;
	survived: number;
}

/** The first mutant of each folder, then the second one of each, and so on. */
function* inTurn(
	byFolder: ReadonlyArray<readonly [string, readonly Mutation[]]>,
): Generator<readonly [string, Mutation]> {
	const longest = Math.max(...byFolder.map(([, list]) => list.length));
	for (let index = 0; index < longest; index++)
		for (const [folder, list] of byFolder) {
			const mutant = list[index];
			if (mutant) yield [folder, mutant];
		}
}

/** Draws mutants, tries each and reports the score of each folder. */
export async function sample(sampling: Sampling): Promise<Record<string, Score>> {
	const byFolder = sampling.folders.map((folder) => [folder, drawn(folder, sampling)] as const);
	const mutants = byFolder.flatMap(([, list]) => list);
	const tree = await CopiedTree.make();
	const began = performance.now();
	const scores: Record<string, Score> = {};
	try {
		await switchAll(tree, mutants);
		const { reached, took } = await reachedBy(tree, sampling);
		say(`Tests without a mutant: ${took.size} files in ${duration(performance.now() - began)}`);
		const end = performance.now() + sampling.minutes * 60_000;
		// In turn, so that a time limit ends all folders alike.
		for (const [folder, mutant] of inTurn(byFolder)) {
			if (performance.now() > end) break;
			if (sampling.only.length > 0 && !sampling.only.some((text) => mutant.name.includes(text))) continue;
			const id = mutants.indexOf(mutant);
			const tests = reached.get(id) ?? [];
			const usualMs = tests.reduce((sum, test) => sum + (took.get(test) ?? 0), 0);
			const isFound = tests.length > 0 && (await isKilled(tree, id, tests, usualMs));
			const score = (scores[folder] ??= { killed: 0, survived: 0 });
			score[isFound ? 'killed' : 'survived'] += 1;
			say(`${isFound ? '✔' : '✖'} ${mutant.name}${tests.length === 0 ? ' (not reached by any test)' : ''}`);
		}
	} finally {
		await tree.remove();
	}
	for (const [folder, { killed, survived }] of Object.entries(scores))
		say(
			`${folder}: ${killed} of ${killed + survived} killed (${Math.round((100 * killed) / (killed + survived))} %)`,
		);
	return scores;
}
