import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Minutes that `npm run fuzz` may take for one part. */
const LONGEST = 60;

/**
 * How much is tried, with which seed: little in `npm test`, as much as is asked for by
 * `npm run fuzz -- --runs N --seed N`.
 * @param sizes.inTests runs in `npm test`
 * @param sizes.share of the runs asked for, where one run is a large one
 */
export function plan({ inTests, share = 1 }: { inTests: number; share?: number }): {
	runs: number;
	seed: number;
} {
	const asked = Number(process.env['FUZZ_RUNS'] ?? '0');
	const seed = Number(process.env['FUZZ_SEED'] ?? '1');
	return { runs: asked === 0 ? inTests : Math.max(1, Math.round(asked * share)), seed };
}
plan.timeout = LONGEST * 60_000;

/**
 * Shows how far a part is, once a second, and keeps its
 * figures for `npm run fuzz`; in `npm test` it does neither.
 */
export function report(
	part: string,
	runs: number,
): { show: (result: { runs: number }) => void; end: (result: object) => void } {
	const folder = process.env['FUZZ_RESULTS'];
	if (folder === undefined) return { show: () => undefined, end: () => undefined };
	const begun = Date.now();
	let shown = 0;
	return {
		show: ({ runs: done }) => {
			if (Date.now() - shown < 1000 && done < runs) return;
			shown = Date.now();
			const left = Math.round((((shown - begun) / done) * (runs - done)) / 1000);
			const bar = '█'.repeat(Math.round((done / runs) * 30)).padEnd(30, '░');
			process.stderr.write(`${bar} ${part}: ${done}/${runs} runs, ${left} s left\n`);
		},
		end: (result) => {
			mkdirSync(folder, { recursive: true });
			const seconds = Math.round((Date.now() - begun) / 1000);
			writeFileSync(join(folder, `${part}.json`), JSON.stringify({ ...result, seconds }));
		},
	};
}
