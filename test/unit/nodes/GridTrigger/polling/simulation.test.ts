import fc from 'fast-check';
import { repetitions } from '../../../../fixtures/repetitions';
import { counterexamples } from '../../../../simulation/trigger/counterexamples';
import {
	NOTHING_WRONG,
	runAll,
	scenario,
	SEEDS,
	verdict,
	type Changes,
} from '../../../../simulation/trigger/outcomes';
import { MINUTE } from '../../../../simulation/trigger/scenario';
import { scenarios } from '../../../../simulation/trigger/scenarios';
import { simulate } from '../../../../simulation/trigger/simulation';

const RUNS = repetitions({ inCi: 150, local: 60 });

/** Simulates service and n8n in virtual time, and compares the changes with the emitted events. */
describe('simulation: every change is emitted exactly once', () => {
	it(`with random actions of feed, network and n8n (${RUNS} runs)`, async () => {
		const check = fc.asyncProperty(scenarios, async (drawn) => {
			expect(verdict(await simulate(drawn))).toEqual(NOTHING_WRONG);
		});
		await fc.assert(check, { numRuns: RUNS, seed: 20_261_121 });
	}, 300_000);

	const feeds: Array<[string, Changes]> = [
		['ascending pages', { kind: { order: 'ascending' } }],
		['descending pages', { kind: { order: 'descending' } }],
		['pages in no order', { kind: { order: 'shuffled' } }],
		['pages in the order of the rows', { kind: { order: 'byEntity' } }],
		['only the rows that have changed', { kind: { content: 'entities' } }],
		['only the rows that have changed, newest first', { kind: { content: 'entities', order: 'descending' } }],
		[
			'rows that move while the pages are read',
			{ kind: { content: 'entities', pageSize: 3 }, weather: { latency: 5000 }, rate: 20, entities: 40 },
		],
		['since inclusive', { kind: { since: 'inclusive' } }],
		['since exclusive', { kind: { since: 'exclusive' } }],
		['since truncated to the second', { kind: { since: 'second' } }],
		['since truncated to the second and exclusive', { kind: { since: 'exclusiveSecond' } }],
		['pages without totals', { kind: { paging: 'next' } }],
		['bare arrays by page', { kind: { paging: 'arrays' } }],
		[
			'capped pages that state the requested size, with one total',
			{ kind: { paging: 'entryTotal', stated: 'requested', pageSize: 3 }, entities: 1, rate: 3, lateness: 0 },
		],
		['one array of everything', { kind: { paging: 'whole' } }],
		['pages of one entry', { kind: { pageSize: 1 } }],
		['pages of two entries in no order', { kind: { pageSize: 2, order: 'shuffled' } }],
		['entries without an ID', { kind: { ids: 'none' } }],
		['entries without a time', { kind: { times: 'none' } }],
		["entries with the row's ID", { kind: { ids: 'row' } }],
		["entries of which some have the row's ID", { kind: { ids: 'someRow' } }],
		['IDs that are unique only within the row', { kind: { ids: 'perRow' } }],
		['IDs that are reused', { kind: { ids: 'reused' } }],
		['IDs that all changes of a second share', { kind: { ids: 'shared' } }],
		['rows with only a creation time', { kind: { content: 'entities', times: 'creation' } }],
		['times without an offset, west of UTC', { kind: { zone: -5 } }],
		['times without an offset, east of UTC', { kind: { zone: 2 } }],
		['old entries that are sent repeatedly', { kind: { resent: 'some', order: 'shuffled' } }],
		['a service that ignores since', { kind: { resent: 'all' } }],
		['since truncated to the hour', { kind: { since: 'hour' } }],
		['since compared with the time at which a change became visible', { kind: { filteredBy: 'visibility' } }],
		['totals that include changes before since', { kind: { paging: 'allTotals' } }],
		[
			'servers with different notations of offsets, digits, members and changed columns',
			{ kind: { ids: 'none', spelling: 'varying' } },
		],
		['newest first, and later oldest first', { kind: { order: 'descending', laterOrder: 'ascending' } }],
		['oldest first, and later in no order', { kind: { laterOrder: 'shuffled', pageSize: 1 } }],
		['local times that go back by an hour', { kind: { zone: 2, clockChange: -1 } }],
		['local times that go forward by an hour', { kind: { zone: -5, clockChange: 1 } }],
		['entries that are deleted after a while', { kind: { retention: 5 * MINUTE } }],
		['entries that contain only a row', { kind: { content: 'entities', wrapped: true } }],
		[
			'entries that contain only a row, without a time',
			{ kind: { content: 'entities', wrapped: true, times: 'none' } },
		],
		['deleted rows listed separately', { kind: { deletions: 'beside' } }],
		['pages with hidden entries', { kind: { hidden: 3, pageSize: 3 } }],
		['completely hidden pages, in no order', { kind: { hidden: 8, pageSize: 3, order: 'shuffled' } }],
		['forty consecutive hidden entries, pages of one', { kind: { hidden: 40, pageSize: 1 } }],
		[
			'truncated pages with hidden entries, in no order',
			{ kind: { hidden: 3, pageSize: 300, order: 'shuffled', room: { entries: 2, past: 'cut' } } },
		],
		['changes grouped by row', { kind: { order: 'byEntity', grouped: true } }],
		['kinds in the terms of the service, rows with only a link', { kind: { words: 'own' } }],
		[
			'responses of at most seven entries, pages truncated',
			{ kind: { pageSize: 300, room: { entries: 7, past: 'cut' } } },
		],
		[
			'responses of at most seven entries, pages refused, in no order',
			{ kind: { pageSize: 300, order: 'shuffled', room: { entries: 7, past: 'tooLarge' } } },
		],
		['one row updated repeatedly with the same value', { entities: 1, kind: { ids: 'none' } }],
	];

	it.each(feeds)('feed: %s', async (_name, changes) => {
		const outcomes = await runAll({ lateness: MINUTE, ...changes });
		expect(outcomes.map(verdict)).toEqual(SEEDS.map(() => NOTHING_WRONG));
		expect(Math.min(...outcomes.map(({ events }) => events))).toBeGreaterThan(0);
	});

	it.each(counterexamples)('counterexample: %s', async (_name, counterexample) => {
		expect(verdict(await simulate(counterexample))).toEqual(NOTHING_WRONG);
	});

	it('an ascending burst of 10,000 in one millisecond is emitted in order, at most 1,000 at once', async () => {
		const burst = scenario({ burst: 10_000, rate: 0, polls: 4, kind: { pageSize: 1000 } }, 5);
		const { batches, events, ...outcome } = await simulate(burst);
		expect(verdict({ batches, events, ...outcome })).toEqual(NOTHING_WRONG);
		expect(events).toBeGreaterThanOrEqual(10_000);
		expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(1000);
		const times = batches.flat();
		expect(times).toEqual([...times].sort((a, b) => a - b));
	});

	it.each(['descending', 'shuffled', 'byEntity'] as const)(
		'a burst in %s order is read about twice, however few events an execution takes',
		async (order) => {
			const burst = scenario({ burst: 500, rate: 0, polls: 4, limit: 10, kind: { order, pageSize: 10 } }, 5);
			const { requests, polls, ...outcome } = await simulate(burst);
			expect(verdict({ requests, polls, ...outcome })).toEqual(NOTHING_WRONG);
			expect(requests).toBeLessThan(polls + (4 * outcome.events) / 10);
		},
	);

	it('an idle poll is one request', async () => {
		const idle = await simulate(scenario({ rate: 0, polls: 20 }, 1));
		expect(idle.requests).toBe(idle.polls);
	});

	it('only a change that becomes visible later than the lookback is lost, as documented', async () => {
		const outcomes = await runAll({ lateness: 20 * MINUTE, lookback: 10_000, polls: 60 });
		expect(outcomes.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(0);
		expect(outcomes.map(({ duplicated }) => duplicated)).toEqual(SEEDS.map(() => 0));
	});
});
