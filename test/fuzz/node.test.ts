import '../fixtures/skippedWaits';
import { fuzzNodes, RUNS_IN_TESTS } from './node';
import { plan, report } from './plan';

const { runs, seed } = plan({ inTests: RUNS_IN_TESTS });

it(
	'every operation and the trigger end in a result or a clear message, whatever the service answers',
	async () => {
		const progress = report('node', runs);
		const result = await fuzzNodes(seed, runs, progress.show);
		progress.end(result);
		expect(result.counterexample).toBeUndefined();
		expect(result).toMatchObject({ runs, crashes: 0, hangs: 0 });
		expect(Math.min(result.results, result.messages)).toBeGreaterThan(runs / 20);
	},
	plan.timeout,
);

it('detects a node that shows a secret', async () => {
	const { crashes } = await fuzzNodes(1, 30, undefined, ['service']);
	expect(crashes).toBeGreaterThan(0);
}, 120_000);
