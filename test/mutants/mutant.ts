/** A jest test that fails if the mutant is there. */
export interface TestFinder {
	/** A test file, from the project's folder. */
	test: string;
	/** Part of the names of the tests that count; all tests of the file if omitted. */
	named?: string;
}

/** A probe of `npm run prove` that meets a difference if the mutant is there. */
interface ProbeFinder {
	/** Part of the names of the probes that are run. */
	probe: string;
	/** Variants of the service that are tried at most. */
	runs: number;
}

export type Finder = TestFinder | ProbeFinder;

/** A broken variant of the sources, and what finds it. */
export interface Mutant {
	/** What is broken, as the documentation says it; unique. */
	breaks: string;
	/** From the project's folder. */
	file: string;
	/** Text that stands in the file exactly once. Short, so that it outlives changes around it. */
	find: string;
	replace: string;
	/** Each of them has to find the mutant by itself. */
	foundBy: readonly [Finder, ...Finder[]];
}

/** A name for messages and the documentation. */
export function finderName(finder: Finder): string {
	if ('probe' in finder) return `prover \`${finder.probe}\``;
	return finder.named === undefined ? `\`${finder.test}\`` : `\`${finder.test}\`, "${finder.named}"`;
}

/**
 * The text of a file with the mutant in it.
 * @throws Error if its text does not stand there exactly once: the list has to follow the sources
 */
export function mutated({ breaks, file, find, replace }: Mutant, text: string): string {
	const count = text.split(find).length - 1;
	if (count !== 1) throw new Error(`Mutant "${breaks}": its text stands ${count} times in ${file}: ${find}`);
	return text.replace(find, () => replace);
}
