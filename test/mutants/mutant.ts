/** A jest test that fails with the mutant applied. */
export interface TestFinder {
	/** Path of a test file from the repository root. */
	test: string;
	/** Part of the names of the tests to run; all tests of the file if omitted. */
	named?: string;
}

/** A probe of `npm run prove` that fails with the mutant applied. */
interface ProbeFinder {
	/** Part of the names of the probes to run. */
	probe: string;
	/** Maximum number of service variants to try. */
	runs: number;
	/** Only this variant, if few random ones differ in what the mutant concerns. */
	variant?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export type Finder = TestFinder | ProbeFinder;

/** A deliberate defect in the sources and the tests that must find it. */
export interface Mutant {
	/** The defect, worded as in the documentation; unique. */
	breaks: string;
	/** Path from the repository root. */
	file: string;
	/** Text that occurs exactly once in the file; short, to survive nearby changes. */
	find: string;
	replace: string;
	/** Each of these alone has to find the mutant. */
	foundBy: readonly [Finder, ...Finder[]];
}

/** Display name for messages and the documentation. */
export function finderName(finder: Finder): string {
	if ('probe' in finder) return `prover \`${finder.probe}\``;
	return finder.named === undefined ? `\`${finder.test}\`` : `\`${finder.test}\`, "${finder.named}"`;
}

/**
 * Text of a file with the mutant applied.
 * @throws Error if the mutant's text does not occur exactly once
 */
export function mutated({ breaks, file, find, replace }: Mutant, text: string): string {
	const count = text.split(find).length - 1;
	if (count !== 1) throw new Error(`Mutant "${breaks}": its text occurs ${count} times in ${file}: ${find}`);
	return text.replace(find, () => replace);
}
