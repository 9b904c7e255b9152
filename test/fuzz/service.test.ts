import { plan, report } from './plan';
import { fuzzService } from './service';

const { runs, seed } = plan({ inTests: 400 });

it(
	'every endpoint, against requests that mean ill, answers in time, never with 500 and never with its inside',
	async () => {
		const progress = report('service', runs);
		const result = await fuzzService(seed, runs, progress.show);
		progress.end(result);
		expect(result.counterexample).toBeUndefined();
		expect(result).toMatchObject({ runs, crashes: 0, hangs: 0 });
		expect(Math.min(result.results, result.messages)).toBeGreaterThan(runs / 20);
	},
	plan.timeout,
);

it('detects a response that shows a secret', async () => {
	const { crashes } = await fuzzService(1, 100, undefined, /Unknown field|not found|Unauthorized/);
	expect(crashes).toBeGreaterThan(0);
});
