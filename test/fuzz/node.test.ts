import type * as Workflow from 'n8n-workflow';
import { fuzzNodes } from './node';
import { plan, report } from './plan';

/** What was waited for between repetitions passes at once. */
const mockClock = { skipped: 0 };
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<typeof Workflow>('n8n-workflow'),
	sleep: (milliseconds: number) => {
		mockClock.skipped += milliseconds;
		return Promise.resolve();
	},
}));
beforeAll(() => {
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + mockClock.skipped);
});
afterAll(() => {
	jest.restoreAllMocks();
});

const { runs, seed } = plan({ inTests: 100 });

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

it('a node that shows what it may not is found out', async () => {
	const { crashes } = await fuzzNodes(1, 30, undefined, ['service']);
	expect(crashes).toBeGreaterThan(0);
}, 120_000);
