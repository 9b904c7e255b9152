import '../fixtures/skippedWaits';
import { fuzzInputs } from './inputs';
import { plan, report } from './plan';

const { runs, seed } = plan({ inTests: 60 });

it(
	'operations that plan end in a result or a clear message, and write nothing where they refuse',
	async () => {
		const progress = report('inputs', runs);
		const result = await fuzzInputs(seed, runs, progress.show);
		progress.end(result);
		expect(result.findings).toBeUndefined();
		expect(result).toMatchObject({ runs, crashes: 0 });
		expect(Math.min(result.results, result.messages)).toBeGreaterThan(runs / 20);
	},
	plan.timeout,
);

it('detects an operation that writes without permission', async () => {
	const { crashes } = await fuzzInputs(1, 60, undefined, new Set(['upsert', 'create', 'sync', 'importFile']));
	expect(crashes).toBeGreaterThan(0);
}, 120_000);
