import { TimeBudget } from '../../../bench/timeBudget';

const MINUTE_MS = 60_000;
const usual = { read: MINUTE_MS, sync: 2 * MINUTE_MS, files: 9 * MINUTE_MS };

test('benchmarks run as long as their usual durations end in time', () => {
	const budget = new TimeBudget(5 * MINUTE_MS, usual);
	budget.add('read', MINUTE_MS);
	expect(budget.fits('sync')).toBe(true);
	budget.add('sync', 2 * MINUTE_MS);
	expect(['sync', 'files', 'unknown'].map((name) => budget.fits(name))).toEqual([true, false, true]);
	budget.add('sync', 2 * MINUTE_MS);
	expect(['read', 'unknown'].map((name) => budget.fits(name))).toEqual([false, false]);
});

test('on a machine that needs longer than usual, the rest is expected to need longer, too', () => {
	const budget = new TimeBudget(5 * MINUTE_MS, usual);
	budget.add('read', 2 * MINUTE_MS);
	expect([budget.fits('read'), budget.fits('sync')]).toEqual([true, false]);
});

test('a benchmark that is run alone is never left out', () => {
	expect(new TimeBudget(5 * MINUTE_MS, usual).fits('files')).toBe(true);
});
