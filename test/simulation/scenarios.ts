import fc from 'fast-check';
import { DAY, MINUTE, type Scenario } from './triggerSimulation';

const SECOND = 1000;

/** A month without n8n, a day, or nothing. */
const downtime = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(DAY, 30 * DAY));
const skew = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(0) },
	fc.constantFrom(-DAY, -7 * SECOND, 7 * SECOND, DAY),
);

const kind = fc.record({
	order: fc.constantFrom(
		'ascending' as const,
		'descending' as const,
		'shuffled' as const,
		'byEntity' as const,
	),
	content: fc.constantFrom('log' as const, 'entities' as const),
	since: fc.constantFrom(
		'inclusive' as const,
		'exclusive' as const,
		'second' as const,
		'exclusiveSecond' as const,
	),
	paging: fc.constantFrom(
		'totals' as const,
		'totals' as const,
		'next' as const,
		'arrays' as const,
		'whole' as const,
	),
	pageSize: fc.constantFrom(1, 2, 3, 5, 20, 300),
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
	zone: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.constantFrom(-5, -11, 2)),
	resent: fc.oneof(
		{ weight: 5, arbitrary: fc.constant('nothing' as const) },
		fc.constantFrom('some' as const, 'all' as const),
	),
	grouped: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
	room: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(undefined) },
		fc.record({
			entries: fc.constantFrom(1, 2, 7, 40),
			past: fc.constantFrom('cut' as const, 'tooLarge' as const),
		}),
	),
	words: fc.constantFrom('plain' as const, 'plain' as const, 'own' as const),
});

const anything = fc.record({
	seed: fc.nat(),
	kind,
	weather: fc.record({
		failure: fc.constantFrom(0, 0.05, 0.05, 0.3),
		latency: fc.constantFrom(20, 400, 5000),
		dateSkew: skew,
		wildDate: fc.constantFrom(0, 0, 0, 0.05),
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
});

/**
 * Every service and every trouble under which A1 to A5 hold, at random.
 * Two things are kept apart, as docs/trigger.md says: a `Date` that runs ahead is made up for by the times of the events, so it
 * may not come together with events dated ahead or without times, or with a clock of n8n's own that runs ahead as well.
 */
export const scenarios: fc.Arbitrary<Scenario> = anything.map(({ late, ...drawn }) => {
	const { content, paging, pageSize, times, zone, grouped, room, resent } = drawn.kind;
	const isTimed = times === 'change';
	const dateAhead = drawn.weather.dateSkew > 0 || drawn.weather.wildDate > 0;
	const future = isTimed && !dateAhead ? drawn.future : 0;
	// Local time east of UTC is dated ahead.
	const trustworthy = isTimed && zone === undefined && (drawn.wallSkew <= 0 || !dateAhead) && future === 0;
	const isLog = times === 'none' || (content === 'log' && times !== 'creation');
	return {
		...drawn,
		future,
		lateness: Math.floor(late * drawn.lookback),
		weather: trustworthy
			? drawn.weather
			: { ...drawn.weather, dateSkew: Math.min(0, drawn.weather.dateSkew), wildDate: 0 },
		kind: {
			...drawn.kind,
			// A log can only be told apart by ids or times; tiny arrays that repeat tell nothing of their paging.
			ids: isTimed ? drawn.kind.ids : 'own',
			// Where all there ever was is sent each time, pages of one would take thousands of requests.
			pageSize: paging === 'arrays' || resent === 'all' ? Math.max(20, pageSize) : pageSize,
			content: isLog ? 'log' : 'entities',
			grouped: grouped && isLog,
			// What is left of a page that was cut can only be asked for where the counts show that something is missing.
			room: paging === 'totals' || (room?.past === 'tooLarge' && paging === 'next') ? room : undefined,
		},
	};
});
