import { Random } from '../random';

export const SECOND = 1000;
export const MINUTE = 60_000;
const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 15, 12);

/** How a service may respond to `GET GRID/updates` within the contract. */
export interface FeedKind {
	/** `log`: as the changes became visible. */
	order: 'ascending' | 'descending' | 'log' | 'logDescending' | 'shuffled' | 'byRow';
	/** A log of all changes, or the rows that have changed, with their last change. */
	shape: 'change' | 'row';
	/** Paged collections (§2.2), bare arrays by page, or one bare array of everything. */
	paging: 'pages' | 'arrays' | 'whole';
	/** The service caps larger pages (paged collections), or they are too large (arrays). */
	maxPage: number;
	since: 'inclusive' | 'exclusive' | 'second';
	ids: 'own' | 'none';
	/** Whether entries show when they were changed; only rows may not. */
	isTimed: boolean;
	/** A response with more entries is too large to be read. */
	room?: number | undefined;
	/** Whether a deleted row is listed, marked as deleted (rows only). */
	hasTombstones: boolean;
}

/** Everything that decides one history. */
export interface Scenario {
	seed: number;
	kind: FeedKind;
	/** Share of the requests that fail. */
	failure: number;
	/** Maximum duration of a response. */
	latency: number;
	/** Milliseconds that the `Date` header and n8n's clock are ahead. */
	dateSkew: number;
	wallSkew: number;
	lookback: number;
	/** The latest that a change becomes visible after its time; at most the lookback (A1). */
	lateness: number;
	limit: number;
	/** Requests after which a poll ends. */
	budget: number;
	polls: number;
	/** Changes per minute, on average. */
	rate: number;
	/** Changes in one millisecond, at some moments. */
	burst: number;
	rows: number;
	/** How often n8n restarts and forgets what it has not saved. */
	restarts: number;
	/** Milliseconds without polls in the middle. */
	downtime: number;
	/** At least once: how often n8n is killed, half the times before it has executed the batch. */
	kills?: number | undefined;
	maxima?: { keys: number; queue: number } | undefined;
	/** Row Enters View and Row Leaves View. */
	view?: { maxPage: number } | undefined;
	/** Wait Until Quiet. */
	quiet?: { wait: number; atMost: number } | undefined;
}

/** An ordinary service and an ordinary n8n: named tests change one thing of it. */
export const ORDINARY: Scenario = {
	seed: 1,
	kind: {
		order: 'ascending',
		shape: 'change',
		paging: 'pages',
		maxPage: 20,
		since: 'inclusive',
		ids: 'own',
		isTimed: true,
		hasTombstones: true,
	},
	failure: 0,
	latency: 200,
	dateSkew: 0,
	wallSkew: 0,
	lookback: 2 * MINUTE,
	lateness: 0,
	limit: 1000,
	budget: 1000,
	polls: 20,
	rate: 5,
	burst: 0,
	rows: 15,
	restarts: 0,
	downtime: 0,
};

/** A history in which everything is drawn. */
export function scenarioOf(seed: number): Scenario {
	const random = new Random(seed * 7919 + 1);
	const one = <Value>(...values: readonly Value[]): Value => {
		const value = values[random.below(values.length)];
		if (value === undefined) throw new Error('Nothing to choose from');
		return value;
	};
	const order = one<FeedKind['order']>(
		'ascending',
		'descending',
		'log',
		'logDescending',
		'shuffled',
		'byRow',
	);
	const shape = one<FeedKind['shape']>('change', 'change', 'row');
	const isDateWrong = random.chance(0.5);
	const lookback = one(10 * SECOND, 2 * MINUTE);
	const kills = random.chance(0.15) ? one(0.1, 0.5) : 0;
	const paging = one<FeedKind['paging']>('pages', 'pages', 'pages', 'arrays', 'whole');
	// An array that repeats the one before it counts as the end.
	const maxPage = paging === 'arrays' ? 50 : one(1, 2, 3, 5, 20, 300);
	const burst = one(0, 0, 20, 80);
	// Only of one clock that is wrong can the right one be told, and only if the changes of the last
	// moments before the activation fit on a page.
	const room = random.chance(0.15) ? one(1, 2, 7, 40) : undefined;
	const fitsOnPage = maxPage === 300 && room === undefined;
	const ahead = fitsOnPage ? [7 * SECOND, 60 * MINUTE, DAY] : [];
	// Drawn apart, so that the histories without it are those of before.
	const other = new Random(seed * 104_729 + 3);
	const wait = other.chance(0.3) ? [5 * SECOND, MINUTE, 5 * MINUTE][other.below(3)] : undefined;
	const ofView = new Random(seed * 15_485_863 + 5);
	const viewPage = shape === 'change' && ofView.chance(0.6) ? [3, 10, 40][ofView.below(3)] : undefined;
	const skew = one(0, 0, 0, -DAY, -60 * MINUTE, -7 * SECOND, ...ahead);
	return {
		seed,
		kind: {
			order,
			shape,
			paging,
			maxPage,
			since: one<FeedKind['since']>('inclusive', 'exclusive', 'second'),
			ids: one<FeedKind['ids']>('own', 'none'),
			// What an activation reads on one page was there before; of further pages only times tell it.
			isTimed: shape === 'change' || !fitsOnPage || random.chance(0.7),
			...(room === undefined ? {} : { room }),
			hasTombstones: random.chance(0.5),
		},
		failure: one(0, 0.05, 0.05, 0.3),
		latency: one(20, 400, 5000),
		dateSkew: isDateWrong ? skew : 0,
		wallSkew: isDateWrong ? 0 : skew,
		lookback,
		lateness: Math.floor(lookback * one(0, 0.5, 1)),
		limit: one(2, 10, 100, 1000),
		budget: one(1, 2, 3, 10, 1000),
		polls: 5 + random.below(25),
		rate: one(0, 1, 4, 12),
		burst: maxPage < 5 ? Math.min(burst, 20) : burst,
		rows: one(1, 5, 30),
		restarts: kills > 0 ? 0 : one(0, 0, 0.1),
		downtime: random.chance(0.25) ? one(DAY, 30 * DAY) : 0,
		...(wait === undefined
			? {}
			: { quiet: { wait, atMost: Math.max(wait, (1 + other.below(15)) * MINUTE) } }),
		...(kills > 0 ? { kills } : {}),
		...(viewPage === undefined ? {} : { view: { maxPage: viewPage } }),
		...(maxPage >= 20 && skew >= -7 * SECOND && random.chance(0.15)
			? { maxima: { keys: one(20, 100), queue: one(10, 50) } }
			: {}),
	};
}
