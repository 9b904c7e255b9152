import fc from 'fast-check';
import type { FeedKind } from './feedKind';
import { DAY, MINUTE, type Scenario } from './scenario';

const SECOND = 1000;
const HOUR = 3_600_000;

/** A month without n8n, a day, or nothing. */
const downtime = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(DAY, 30 * DAY));
const skew = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(0) },
	fc.constantFrom(-DAY, -HOUR, -7 * SECOND, 7 * SECOND, HOUR, DAY),
);

const order = fc.constantFrom(
	'ascending' as const,
	'descending' as const,
	'shuffled' as const,
	'byEntity' as const,
);

/** Nothing most of the time. */
const rarely = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) =>
	fc.oneof({ weight, arbitrary: fc.constant(undefined) }, arbitrary);

const kind = fc.record({
	order,
	laterOrder: rarely(7, order),
	ties: rarely(1, fc.constant('asWritten' as const)),
	content: fc.constantFrom('log' as const, 'entities' as const),
	since: fc.constantFrom(
		'inclusive' as const,
		'exclusive' as const,
		'second' as const,
		'exclusiveSecond' as const,
		'hour' as const,
	),
	filteredBy: fc.constantFrom('time' as const, 'time' as const, 'time' as const, 'visibility' as const),
	paging: fc.constantFrom(
		'totals' as const,
		'totals' as const,
		'totals' as const,
		'entryTotal' as const,
		'allTotals' as const,
		'next' as const,
		'arrays' as const,
		'whole' as const,
	),
	pageSize: fc.constantFrom(1, 2, 3, 5, 20, 300),
	stated: rarely(3, fc.constant('requested' as const)),
	ids: fc.constantFrom(
		'own' as const,
		'none' as const,
		'row' as const,
		'someRow' as const,
		'perRow' as const,
		'reused' as const,
		'shared' as const,
	),
	times: fc.constantFrom(
		...Array.from({ length: 8 }, () => 'change' as const),
		'creation' as const,
		'none' as const,
	),
	zone: rarely(5, fc.constantFrom(-5, -11, 2)),
	clockChange: rarely(1, fc.constantFrom(-1, 1)),
	resent: fc.oneof(
		{ weight: 5, arbitrary: fc.constant('nothing' as const) },
		fc.constantFrom('some' as const, 'all' as const),
	),
	grouped: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
	room: rarely(
		4,
		fc.record({
			entries: fc.constantFrom(1, 2, 7, 40),
			past: fc.constantFrom('cut' as const, 'tooLarge' as const),
		}),
	),
	words: fc.constantFrom('plain' as const, 'plain' as const, 'own' as const),
	spelling: fc.constantFrom('stable' as const, 'stable' as const, 'varying' as const),
	wrapped: rarely(3, fc.constant(true)),
	deletions: rarely(5, fc.constant('beside' as const)),
	hidden: rarely(7, fc.constantFrom(1, 3, 10, 40)),
	keepsFor: rarely(5, fc.constantFrom(2 * MINUTE, HOUR)),
});

const anything = fc.record({
	seed: fc.nat(),
	kind,
	weather: fc.record({
		failure: fc.constantFrom(0, 0.05, 0.05, 0.3),
		latency: fc.constantFrom(20, 400, 5000),
		dateSkew: skew,
		wildDate: fc.constantFrom(0, 0, 0, 0.05),
		stale: rarely(
			5,
			fc.record({ chance: fc.constantFrom(0.1, 0.5), lag: fc.constantFrom(5 * SECOND, MINUTE) }),
		),
	}),
	lookback: fc.constantFrom(10 * SECOND, 2 * MINUTE),
	late: fc.constantFrom(0, 0.5, 1),
	limit: fc.constantFrom(2, 10, 100, 1000),
	budget: fc.constantFrom(1, 2, 3, 10, 1000),
	wallSkew: skew,
	polls: fc.integer({ min: 5, max: 30 }),
	rate: fc.constantFrom(0, 1, 4, 12),
	burst: fc.constantFrom(0, 0, 20, 80),
	entities: fc.constantFrom(1, 5, 30),
	restarts: fc.constantFrom(0, 0, 0.1),
	downtime,
	future: fc.constantFrom(0, 0, 0, 0.02),
	maxKeys: rarely(9, fc.constantFrom(20, 100)),
	kills: rarely(5, fc.constantFrom(0.1, 0.5)),
	repeats: rarely(1, fc.constantFrom(1, 3)),
});

/**
 * Every service and every trouble under which A1 to A5 hold, at random. Kept apart, as
 * docs/trigger-proof.md says: a `Date` that runs ahead is made up for by the times of the events,
 * so it does not come together with events dated ahead or without times, or with a clock of n8n's
 * own that runs ahead as well.
 */
export const scenarios: fc.Arbitrary<Scenario> = anything.map(({ late, ...drawn }) => {
	const { keepsFor, ...kind } = drawn.kind;
	const isTimed = kind.times === 'change';
	const isLog = kind.times === 'none' || (kind.content === 'log' && isTimed);
	const hasPages = kind.paging !== 'arrays' && kind.paging !== 'whole';
	const deletions = isLog && !kind.grouped && hasPages ? kind.deletions : undefined;
	const canHide =
		(kind.paging === 'totals' || kind.paging === 'next') && kind.resent === 'nothing' && drawn.limit >= 100;
	const dateAhead = drawn.weather.dateSkew > 0 || drawn.weather.wildDate > 0;
	const future = isTimed && !dateAhead ? drawn.future : 0;
	// Local time east of UTC is dated ahead.
	const isZoned = kind.zone !== undefined;
	const isWhollyTimed = isTimed && !isZoned && deletions === undefined;
	const trustworthy = isWhollyTimed && (drawn.wallSkew <= 0 || !dateAhead) && future === 0;
	// Of a copy that lags behind, only what a log shows can be told.
	const stale = isLog ? drawn.weather.stale : undefined;
	const lag = Math.min(stale?.lag ?? 0, drawn.lookback / 2);
	const lateness = Math.floor(late * (drawn.lookback - lag));
	const weather = { ...drawn.weather, stale: stale && { ...stale, lag } };
	// Past the most keys, what becomes visible late is not seen, as a note says.
	const isBounded =
		trustworthy &&
		lateness + lag === 0 &&
		kind.resent === 'nothing' &&
		kind.since !== 'hour' &&
		kind.content === 'log';
	const keepsUp = drawn.budget >= 1000 && drawn.limit >= 100 && weather.failure <= 0.05;
	return {
		...drawn,
		// In no order, each pair of events costs a reading of all there is.
		burst: drawn.limit === 2 ? Math.min(20, drawn.burst) : drawn.burst,
		future,
		lateness,
		restarts: drawn.kills === undefined ? drawn.restarts : 0,
		maxKeys: isBounded ? drawn.maxKeys : undefined,
		weather: trustworthy ? weather : { ...weather, dateSkew: Math.min(0, weather.dateSkew), wildDate: 0 },
		kind: {
			...kind,
			...(isLog ? { content: 'log' } : { content: 'entities', grouped: false }),
			wrapped: isLog ? undefined : kind.wrapped,
			deletions,
			// Each hidden place costs a request, in each reading of all there is.
			hidden: canHide ? kind.hidden : undefined,
			clockChange: isZoned ? kind.clockChange : undefined,
			// A log can only be told apart by ids or times.
			ids: isTimed && !(isZoned && kind.clockChange !== undefined) ? kind.ids : 'own',
			pageSize: Math.max(smallestPage(kind), kind.pageSize),
			// What is left of a cut page can only be asked for where the counts show that it is missing.
			room:
				kind.paging === 'totals' || (kind.room?.past === 'tooLarge' && kind.paging === 'next')
					? kind.room
					: undefined,
			retention:
				keepsFor !== undefined && keepsUp
					? drawn.downtime + drawn.lookback + 30 * MINUTE + keepsFor
					: undefined,
		},
	} satisfies Scenario;
});

/**
 * Tiny arrays that repeat tell nothing of their paging; where
 * much is sent again, pages of one take thousands of requests.
 */
function smallestPage({ paging, resent, since }: Pick<FeedKind, 'paging' | 'resent' | 'since'>): number {
	return paging === 'arrays' || paging === 'allTotals' || resent === 'all' || since === 'hour' ? 20 : 1;
}
