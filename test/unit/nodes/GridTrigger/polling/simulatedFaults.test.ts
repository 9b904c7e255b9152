import { NOTHING_WRONG, runAll, SEEDS, verdict, type Changes } from '../../../../simulation/trigger/outcomes';
import type { SimulatedEvent } from '../../../../simulation/trigger/feedKind';
import { DAY, MINUTE } from '../../../../simulation/trigger/scenario';
import type { Outcome, Variant } from '../../../../simulation/trigger/simulation';
import { shortHash } from '../../../../../nodes/GridTrigger/polling/eventKeys';
import { poll } from '../../../../../nodes/GridTrigger/polling/poll';
import type { TriggerState } from '../../../../../nodes/GridTrigger/polling/state';
import { splitKeys } from '../../../../../nodes/GridTrigger/polling/seenKeys';

/** Faults of the service, the network, the clocks and n8n. */
describe('simulation: every change is emitted exactly once', () => {
	const faults: Array<[string, Changes]> = [
		['changes that become visible as late as the lookback allows', { lateness: 2 * MINUTE }],
		["n8n's clock a day ahead", { wallSkew: DAY, lateness: MINUTE }],
		["n8n's clock a day behind", { wallSkew: -DAY, lateness: MINUTE }],
		['a Date header a day ahead', { weather: { dateSkew: DAY }, lateness: MINUTE }],
		['a Date header a day behind', { weather: { dateSkew: -DAY }, lateness: MINUTE }],
		['a Date header that is occasionally wrong by a day', { weather: { wildDate: 0.1 }, lateness: MINUTE }],
		['thousands of changes in one millisecond', { burst: 1500, rate: 1, polls: 10, kind: { pageSize: 300 } }],
		[
			'a burst in one millisecond, since truncated to the second, small pages',
			{ burst: 120, kind: { since: 'second', pageSize: 7 } },
		],
		['a burst in one millisecond, newest first', { burst: 120, kind: { order: 'descending', pageSize: 7 } }],
		["n8n's clock an hour ahead", { wallSkew: DAY / 24, lateness: MINUTE }],
		['a Date header an hour ahead', { weather: { dateSkew: DAY / 24 }, lateness: MINUTE }],
		['a Date header an hour behind', { weather: { dateSkew: -DAY / 24 }, lateness: MINUTE }],
		[
			'responses from a replica that lags by a minute',
			{ weather: { stale: { chance: 0.3, lag: MINUTE } }, lateness: MINUTE },
		],
		['a limit of 30 keys', { maxKeys: 30, burst: 50 }],
		['kills that lose the last batch, at least once', { kills: 0.5, polls: 60, lateness: MINUTE }],
		['503 on one request in twenty', { weather: { failure: 0.05 }, polls: 60 }],
		['429 on every third request', { weather: { failure: 0.33 }, polls: 60 }],
		['responses that take five seconds', { weather: { latency: 10_000 } }],
		['restarts that discard unsaved state', { restarts: 0.3, polls: 60 }],
		['restarts and failures together', { restarts: 0.3, weather: { failure: 0.2 }, polls: 60 }],
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

	it.each(faults)('fault: %s', async (_name, changes) => {
		const outcomes = await runAll(changes);
		expect(outcomes.map(verdict)).toEqual(SEEDS.map(() => NOTHING_WRONG));
		expect(Math.min(...outcomes.map(({ events }) => events))).toBeGreaterThan(0);
	});
});

/** Proves that the simulation detects faulty triggers. */
describe('simulation: faulty variants are detected', () => {
	const losses = (outcomes: Outcome[]) => outcomes.reduce((sum, { lost }) => sum + lost, 0);

	it("using the clock of the client instead of the service's loses events", async () => {
		const variant: Variant = {
			poll: async ({ feed, clock, ...rest }) =>
				await poll({
					...rest,
					clock,
					feed: {
						read: async (since, page, size) => {
							const found = await feed.read(since, page, size);
							const events = found.events.map((event) => ({ ...event, time: undefined }));
							return { ...found, events, date: clock.wall() };
						},
					},
				}),
		};
		expect(losses(await runAll({ wallSkew: DAY, kind: { pageSize: 300 } }, variant))).toBeGreaterThan(0);
	});

	it('a cursor that moves before the poll has succeeded loses events', async () => {
		const variant: Variant = { onFailure: (state) => ({ ...state, low: state.high + 2 * MINUTE }) };
		expect(losses(await runAll({ weather: { failure: 0.3 }, polls: 60 }, variant))).toBeGreaterThan(0);
	});

	it('a strict > loses changes with equal times', async () => {
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

	it('using the ID of the row as the ID of the event loses events', async () => {
		const variant: Variant = {
			poll: async ({ feed, ...rest }) =>
				await poll({
					...rest,
					feed: {
						read: async (since, page, size) => {
							const found = await feed.read(since, page, size);
							const events = found.events.map((event) => ({ ...event, key: shortHash(event.row ?? '') }));
							return { ...found, events };
						},
					},
				}),
		};
		expect(losses(await runAll({ kind: { ids: 'row' } }, variant))).toBeGreaterThan(0);
	});

	it('sorting events with equal times by a hash emits them in the wrong order', async () => {
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

	it('discarding the keys of entries older than requested duplicates events', async () => {
		const variant: Variant = {
			poll: async (request) => {
				const result = await poll(request);
				const { low, seen } = result.state;
				const old = result.events
					.filter(({ event }) => (event.time ?? 0) < low)
					.map(({ event }) => event.key);
				const kept = Object.entries(seen).map(([second, keys]): [string, string] => [
					second,
					splitKeys(keys)
						.filter((key) => !old.includes(key))
						.join(''),
				]);
				return { ...result, state: { ...result.state, seen: Object.fromEntries(kept) } };
			},
		};
		const outcomes = await runAll({ kind: { zone: -5 } }, variant);
		expect(outcomes.reduce((sum, { duplicated }) => sum + duplicated, 0)).toBeGreaterThan(0);
	});

	it('treating pages that end early as complete loses events', async () => {
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

	it('discarding the list of emitted events duplicates events', async () => {
		const variant: Variant = {
			poll: async (request) =>
				await poll({ ...request, state: request.state && { ...request.state, seen: {} } }),
		};
		const outcomes = await runAll({}, variant);
		expect(outcomes.reduce((sum, { duplicated }) => sum + duplicated, 0)).toBeGreaterThan(0);
	});
});
