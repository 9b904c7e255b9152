import fc from 'fast-check';
import { counterexamples } from '../../../../simulation/trigger/counterexamples';
import type { FeedKind, SimulatedEvent, Weather } from '../../../../simulation/trigger/feedKind';
import { CALM, DAY, MINUTE, ORDINARY, type Scenario } from '../../../../simulation/trigger/scenario';
import { scenarios } from '../../../../simulation/trigger/scenarios';
import { simulate, type Outcome, type Variant } from '../../../../simulation/trigger/simulation';
import { shortHash } from '../../../../../nodes/GridTrigger/polling/eventKeys';
import { poll } from '../../../../../nodes/GridTrigger/polling/poll';
import type { TriggerState } from '../../../../../nodes/GridTrigger/polling/state';
import { partKeys } from '../../../../../nodes/GridTrigger/polling/seenKeys';

const NOTHING_WRONG = { lost: 0, duplicated: 0, mismarked: 0, unwanted: 0, disordered: 0, settled: true };

const verdict = ({ lost, duplicated, mismarked, unwanted, disordered, settled }: Outcome) => ({
	lost,
	duplicated,
	mismarked,
	unwanted,
	disordered,
	settled,
});

interface Changes extends Partial<Omit<Scenario, 'kind' | 'weather'>> {
	kind?: Partial<FeedKind>;
	weather?: Partial<Weather>;
}

const scenario = ({ kind, weather, ...rest }: Changes, seed: number): Scenario => ({
	...ORDINARY,
	...rest,
	seed,
	kind: { ...ORDINARY.kind, ...kind },
	weather: { ...CALM, ...weather },
});

const SEEDS = [1, 2, 3, 4];

/** The same trouble under several seeds, one of them in the middle of a busy grid. */
async function runAll(changes: Changes, variant?: Variant): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const seed of SEEDS) outcomes.push(await simulate(scenario({ rate: 8, ...changes }, seed), variant));
	return outcomes;
}

/** Service and n8n in virtual time: what truly happened against what was emitted. */
describe('simulation: every change is emitted exactly once', () => {
	it('whatever the feed, the weather and n8n do (150 runs at random)', async () => {
		const check = fc.asyncProperty(scenarios, async (drawn) => {
			expect(verdict(await simulate(drawn))).toEqual(NOTHING_WRONG);
		});
		await fc.assert(check, { numRuns: 150, seed: 20_261_121 });
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
		['since cut to the second', { kind: { since: 'second' } }],
		['since cut to the second and exclusive', { kind: { since: 'exclusiveSecond' } }],
		['pages without totals', { kind: { paging: 'next' } }],
		['bare arrays by page', { kind: { paging: 'arrays' } }],
		['one array of everything', { kind: { paging: 'whole' } }],
		['pages of one entry', { kind: { pageSize: 1 } }],
		['pages of two entries in no order', { kind: { pageSize: 2, order: 'shuffled' } }],
		['entries without an id', { kind: { ids: 'none' } }],
		['entries without a time', { kind: { times: 'none' } }],
		["entries under the row's id", { kind: { ids: 'row' } }],
		["entries of which some have the row's id", { kind: { ids: 'someRow' } }],
		['ids that are unique only within the row', { kind: { ids: 'perRow' } }],
		['ids that are used again', { kind: { ids: 'reused' } }],
		['ids that all changes of a second share', { kind: { ids: 'shared' } }],
		['rows that tell only when they were created', { kind: { content: 'entities', times: 'creation' } }],
		['times without an offset, west of UTC', { kind: { zone: -5 } }],
		['times without an offset, east of UTC', { kind: { zone: 2 } }],
		['old entries that are sent again and again', { kind: { resent: 'some', order: 'shuffled' } }],
		['a service that ignores since', { kind: { resent: 'all' } }],
		['since cut to the hour', { kind: { since: 'hour' } }],
		['since that goes by when a change became visible', { kind: { filteredBy: 'visibility' } }],
		['totals that count what since holds back as well', { kind: { paging: 'allTotals' } }],
		[
			'servers that write offsets, digits, members and changed columns each in its own way',
			{ kind: { ids: 'none', spelling: 'varying' } },
		],
		['newest first, and later oldest first', { kind: { order: 'descending', laterOrder: 'ascending' } }],
		['oldest first, and later in no order', { kind: { laterOrder: 'shuffled', pageSize: 1 } }],
		['local times that go back by an hour', { kind: { zone: 2, clockChange: -1 } }],
		['local times that go on by an hour', { kind: { zone: -5, clockChange: 1 } }],
		['entries that are thrown away after a while', { kind: { retention: 5 * MINUTE } }],
		['rows in entries that tell nothing else', { kind: { content: 'entities', wrapped: true } }],
		[
			'rows in entries that tell nothing else, and no time',
			{ kind: { content: 'entities', wrapped: true, times: 'none' } },
		],
		['deleted rows listed beside the other changes', { kind: { deletions: 'beside' } }],
		['pages with places that are hidden', { kind: { hidden: 3, pageSize: 3 } }],
		[
			'pages that are hidden as a whole, in no order',
			{ kind: { hidden: 8, pageSize: 3, order: 'shuffled' } },
		],
		['changes grouped by row', { kind: { order: 'byEntity', grouped: true } }],
		['kinds in the words of the service, rows only linked to', { kind: { words: 'own' } }],
		[
			'answers that hold seven entries, pages cut',
			{ kind: { pageSize: 300, room: { entries: 7, past: 'cut' } } },
		],
		[
			'answers that hold seven entries, pages refused, in no order',
			{ kind: { pageSize: 300, order: 'shuffled', room: { entries: 7, past: 'tooLarge' } } },
		],
		['one row updated again and again with the same value', { entities: 1, kind: { ids: 'none' } }],
	];

	it.each(feeds)('feed: %s', async (_name, changes) => {
		const outcomes = await runAll({ lateness: MINUTE, ...changes });
		expect(outcomes.map(verdict)).toEqual(SEEDS.map(() => NOTHING_WRONG));
		expect(Math.min(...outcomes.map(({ events }) => events))).toBeGreaterThan(0);
	});

	const troubles: Array<[string, Changes]> = [
		['changes that become visible as late as the lookback allows', { lateness: 2 * MINUTE }],
		["n8n's clock a day ahead", { wallSkew: DAY, lateness: MINUTE }],
		["n8n's clock a day behind", { wallSkew: -DAY, lateness: MINUTE }],
		['a Date header a day ahead', { weather: { dateSkew: DAY }, lateness: MINUTE }],
		['a Date header a day behind', { weather: { dateSkew: -DAY }, lateness: MINUTE }],
		['a Date header that is wrong by a day now and then', { weather: { wildDate: 0.1 }, lateness: MINUTE }],
		['thousands of changes in one millisecond', { burst: 1500, rate: 1, polls: 10, kind: { pageSize: 300 } }],
		[
			'a burst in one millisecond, since cut to the second, small pages',
			{ burst: 120, kind: { since: 'second', pageSize: 7 } },
		],
		['a burst in one millisecond, newest first', { burst: 120, kind: { order: 'descending', pageSize: 7 } }],
		["n8n's clock an hour ahead", { wallSkew: DAY / 24, lateness: MINUTE }],
		['a Date header an hour ahead', { weather: { dateSkew: DAY / 24 }, lateness: MINUTE }],
		['a Date header an hour behind', { weather: { dateSkew: -DAY / 24 }, lateness: MINUTE }],
		[
			'answers from a copy that lags a minute behind',
			{ weather: { stale: { chance: 0.3, lag: MINUTE } }, lateness: MINUTE },
		],
		['a memory of 30 keys', { maxKeys: 30, burst: 50 }],
		['kills that lose the last batch, at least once', { kills: 0.5, polls: 60, lateness: MINUTE }],
		['503 on one request in twenty', { weather: { failure: 0.05 }, polls: 60 }],
		['429 on every third request', { weather: { failure: 0.33 }, polls: 60 }],
		['answers that take five seconds', { weather: { latency: 10_000 } }],
		['restarts that drop what was not saved', { restarts: 0.3, polls: 60 }],
		['restarts and failures at once', { restarts: 0.3, weather: { failure: 0.2 }, polls: 60 }],
		['a budget of one request', { budget: 1, polls: 100, rate: 4, lateness: MINUTE }],
		[
			'a budget of two requests, newest first',
			{ budget: 2, polls: 100, rate: 4, kind: { order: 'descending' } },
		],
		['two events per execution', { limit: 2, burst: 30 }],
		['a month of downtime', { downtime: 30 * DAY, rate: 30, lateness: MINUTE }],
		[
			'a month of downtime, rows in no order',
			{ downtime: 30 * DAY, rate: 30, kind: { content: 'entities', order: 'shuffled' } },
		],
		[
			'entries without a time, and both clocks a day behind',
			{ kind: { times: 'none' }, wallSkew: -DAY, weather: { dateSkew: -DAY }, lookback: MINUTE / 6 },
		],
		['changes dated up to a year ahead', { future: 0.1, lateness: MINUTE }],
	];

	it.each(troubles)('trouble: %s', async (_name, changes) => {
		const outcomes = await runAll(changes);
		expect(outcomes.map(verdict)).toEqual(SEEDS.map(() => NOTHING_WRONG));
		expect(Math.min(...outcomes.map(({ events }) => events))).toBeGreaterThan(0);
	});

	it.each(counterexamples)('counterexample: %s', async (_name, counterexample) => {
		expect(verdict(await simulate(counterexample))).toEqual(NOTHING_WRONG);
	});

	it('an ascending burst of 10,000 in one millisecond comes in order, at most 1,000 at once', async () => {
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

	it('a change that becomes visible later than the lookback is the one documented loss', async () => {
		const outcomes = await runAll({ lateness: 20 * MINUTE, lookback: 10_000, polls: 60 });
		expect(outcomes.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(0);
		expect(outcomes.map(({ duplicated }) => duplicated)).toEqual(SEEDS.map(() => 0));
	});
});

/** The simulation is only worth something if it notices a trigger that is wrong. */
describe('simulation: broken variants are found out', () => {
	const losses = (outcomes: Outcome[]) => outcomes.reduce((sum, { lost }) => sum + lost, 0);

	it("the client's clock instead of the service's loses events", async () => {
		const variant: Variant = {
			poll: async ({ feed, clock, ...rest }) =>
				await poll({
					...rest,
					clock,
					feed: {
						read: async (since, page, size) => {
							const answer = await feed.read(since, page, size);
							const events = answer.events.map((event) => ({ ...event, time: undefined }));
							return { ...answer, events, date: clock.wall() };
						},
					},
				}),
		};
		expect(losses(await runAll({ wallSkew: DAY, kind: { pageSize: 300 } }, variant))).toBeGreaterThan(0);
	});

	it('a cursor that moves before the poll has succeeded loses', async () => {
		const variant: Variant = { onFailure: (state) => ({ ...state, low: state.high + 2 * MINUTE }) };
		expect(losses(await runAll({ weather: { failure: 0.3 }, polls: 60 }, variant))).toBeGreaterThan(0);
	});

	it('a strict > loses changes of the same moment', async () => {
		const unchecked = (state: TriggerState | undefined): TriggerState | undefined =>
			state?.scan && { ...state, scan: { ...state.scan, expected: undefined, from: undefined } };
		const variant: Variant = {
			poll: async ({ feed, state, ...rest }) =>
				await poll({
					...rest,
					state: unchecked(state) ?? state,
					feed: { read: async (since, page, size) => await feed.read(since + 1, page, size) },
				}),
		};
		const kind = { since: 'exclusive' as const, pageSize: 20 };
		const outcomes = await runAll({ burst: 50, budget: 1, polls: 60, kind }, variant);
		expect(losses(outcomes)).toBeGreaterThan(0);
	});

	it('no lookback loses changes that become visible late', async () => {
		const variant: Variant = { poll: async (request) => await poll({ ...request, lookback: 0 }) };
		expect(losses(await runAll({ lateness: 2 * MINUTE, polls: 60 }, variant))).toBeGreaterThan(0);
	});

	it("the row's id taken for the event's loses", async () => {
		const variant: Variant = {
			poll: async ({ feed, ...rest }) =>
				await poll({
					...rest,
					feed: {
						read: async (since, page, size) => {
							const answer = await feed.read(since, page, size);
							const events = answer.events.map((event) => ({ ...event, key: shortHash(event.row ?? '') }));
							return { ...answer, events };
						},
					},
				}),
		};
		expect(losses(await runAll({ kind: { ids: 'row' } }, variant))).toBeGreaterThan(0);
	});

	it('events of one moment in the order of a hash come in disorder', async () => {
		const byHash = (one: SimulatedEvent, other: SimulatedEvent) =>
			(one.time ?? 0) - (other.time ?? 0) || (one.key < other.key ? -1 : 1);
		const variant: Variant = {
			poll: async (request) => {
				const result = await poll(request);
				return { ...result, events: [...result.events].sort((a, b) => byHash(a.event, b.event)) };
			},
		};
		const outcomes = await runAll({ burst: 40 }, variant);
		expect(outcomes.reduce((sum, { disordered }) => sum + disordered, 0)).toBeGreaterThan(0);
	});

	it('entries older than asked for that are forgotten double', async () => {
		const variant: Variant = {
			poll: async (request) => {
				const result = await poll(request);
				const { low, seen } = result.state;
				const old = result.events
					.filter(({ event }) => (event.time ?? 0) < low)
					.map(({ event }) => event.key);
				const kept = Object.entries(seen).map(([second, keys]): [string, string] => [
					second,
					partKeys(keys)
						.filter((key) => !old.includes(key))
						.join(''),
				]);
				return { ...result, state: { ...result.state, seen: Object.fromEntries(kept) } };
			},
		};
		const outcomes = await runAll({ kind: { zone: -5 } }, variant);
		expect(outcomes.reduce((sum, { duplicated }) => sum + duplicated, 0)).toBeGreaterThan(0);
	});

	it('pages that end early taken for whole ones lose', async () => {
		const variant: Variant = {
			poll: async ({ feed, ...rest }) =>
				await poll({
					...rest,
					feed: {
						read: async (since, page, size) => ({ ...(await feed.read(since, page, size)), isShort: false }),
					},
				}),
		};
		const kind = { order: 'descending' as const, pageSize: 300, room: { entries: 3, past: 'cut' as const } };
		expect(losses(await runAll({ kind }, variant))).toBeGreaterThan(0);
	});

	it('a memory that is thrown away doubles', async () => {
		const variant: Variant = {
			poll: async (request) =>
				await poll({ ...request, state: request.state && { ...request.state, seen: {} } }),
		};
		const outcomes = await runAll({}, variant);
		expect(outcomes.reduce((sum, { duplicated }) => sum + duplicated, 0)).toBeGreaterThan(0);
	});
});
