import { repetitions } from '../../../../fixtures/repetitions';
import { prove } from '../../../../simulation/trigger/prove';
import {
	MINUTE,
	ORDINARY,
	scenarioOf,
	type FeedKind,
	type Scenario,
} from '../../../../simulation/trigger/scenario';
import { simulate, type Outcome } from '../../../../simulation/trigger/simulation';

const HISTORIES = repetitions({ inCi: 600, local: 150 });

type Changes = Partial<Omit<Scenario, 'kind'>> & { kind?: Partial<FeedKind> };

const scenario = ({ kind, ...changes }: Changes): Scenario => ({
	...ORDINARY,
	...changes,
	kind: { ...ORDINARY.kind, ...kind },
});

/** What must never happen; `lost` and `unwanted` are without the known gap of changed rows. */
const wrongIn = (outcome: Outcome) => {
	const { lost, doubled, unwanted, mismarked, disordered, unquiet, settled } = outcome;
	const { lostMoves, doubledMoves, falseMoves } = outcome;
	return {
		lost,
		doubled,
		unwanted,
		mismarked,
		disordered,
		unquiet,
		lostMoves,
		doubledMoves,
		falseMoves,
		settled,
	};
};
const NOTHING_WRONG = {
	lost: 0,
	doubled: 0,
	unwanted: 0,
	mismarked: 0,
	disordered: 0,
	unquiet: 0,
	lostMoves: 0,
	doubledMoves: 0,
	falseMoves: 0,
	settled: true,
};

test(`${HISTORIES} random histories: each change is emitted once and in order`, async () => {
	const wrong: unknown[] = [];
	let events = 0;
	// A broken trigger may take thousands of polls for each history.
	for (let seed = 1; seed <= HISTORIES && wrong.length < 3; seed++) {
		const outcome = await simulate(scenarioOf(seed));
		events += outcome.events;
		if (JSON.stringify(wrongIn(outcome)) !== JSON.stringify(NOTHING_WRONG))
			wrong.push({ seed, ...wrongIn(outcome) });
	}
	expect(wrong).toEqual([]);
	expect(events).toBeGreaterThan(HISTORIES);
}, 600_000);

test('the prover counts what it simulates', async () => {
	const { runs, events, lost, duplicated } = await prove(1, 20, () => undefined);
	expect([runs, lost, duplicated]).toEqual([20, 0, 0]);
	expect(events).toBeGreaterThan(0);
});

test.each<[string, Changes]>([
	[
		'rows that move while the pages are read',
		{ kind: { shape: 'row', maxPage: 3 }, latency: 5000, rate: 20, rows: 40 },
	],
	['rows without a time', { kind: { shape: 'row', isTimed: false, maxPage: 300 } }],
	['changes without an id', { kind: { ids: 'none' } }],
	['pages in no order', { kind: { order: 'shuffled' } }],
	['since cut to the second', { kind: { since: 'second' } }],
	['responses of at most seven entries', { kind: { maxPage: 300, room: 7 }, burst: 20 }],
	['changes that become visible as late as the lookback allows', { lateness: 2 * MINUTE, polls: 40 }],
	['kills that lose the last batch, at least once', { kills: 0.5, polls: 40 }],
	['a budget of one request', { budget: 1, polls: 60, rate: 4, lateness: MINUTE }],
	['restarts and failures together', { restarts: 0.3, failure: 0.2, polls: 40 }],
	['rows that are held until they are quiet', { quiet: { wait: MINUTE, atMost: 5 * MINUTE }, polls: 40 }],
	[
		'held rows, restarts and a budget of one request',
		{ quiet: { wait: 20_000, atMost: 3 * MINUTE }, restarts: 0.3, budget: 1, limit: 3, polls: 60, rows: 4 },
	],
	[
		'held rows, and kills that lose the last batch',
		{ quiet: { wait: 20_000, atMost: 3 * MINUTE }, kills: 0.4, polls: 40, rows: 4, lateness: MINUTE },
	],
	['a month without n8n', { downtime: 30 * 24 * 60 * MINUTE, rate: 30 }],
	['a memory of 30 keys', { maxima: { keys: 30, queue: 20 }, burst: 50 }],
	['thousands of changes in one millisecond', { burst: 1500, rate: 1, polls: 6, kind: { maxPage: 300 } }],
])('%s', async (_name, changes) => {
	for (const seed of [1, 2, 3]) {
		const outcome = await simulate(scenario({ ...changes, seed }));
		expect(wrongIn(outcome)).toEqual(NOTHING_WRONG);
		expect(outcome.events).toBeGreaterThan(0);
	}
});

test('a quiet poll is one request', async () => {
	const { polls, requests } = await simulate(scenario({ rate: 0, polls: 20 }));
	expect(requests).toBe(polls);
});

test('a quiet poll is one request while rows are held', async () => {
	const quiet = { wait: 10 * MINUTE, atMost: 15 * MINUTE };
	const { polls, requests, events } = await simulate(
		scenario({ quiet, rate: 2, polls: 40, kind: { maxPage: 1000 } }),
	);
	expect([requests, events > 10]).toEqual([polls, true]);
});

test('only a change that becomes visible later than the lookback is lost', async () => {
	const outcome = await simulate(scenario({ lateness: 20 * MINUTE, lookback: 10_000, polls: 60 }));
	expect(outcome.lost).toBeGreaterThan(0);
	expect(outcome.doubled).toBe(0);
});

test('an old row that the first reading passes over, because a row before it is deleted, seems to be new', async () => {
	const outcome = await simulate(scenarioOf(50_258));
	expect(wrongIn(outcome)).toEqual(NOTHING_WRONG);
	expect(outcome.inGap).toBeGreaterThan(0);
});
