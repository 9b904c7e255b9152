import type { FeedKind, Weather } from './feedKind';

export const MINUTE = 60_000;
export const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 15, 12);

/** Everything that decides one run. */
export interface Scenario {
	seed: number;
	kind: FeedKind;
	weather: Weather;
	/** Lookback L (A1) in milliseconds. */
	lookback: number;
	/** The latest that a change becomes visible. */
	lateness: number;
	/** At most so many events per execution. */
	limit: number;
	/** Requests after which a poll has to stop. */
	budget: number;
	/** How far n8n's clock is wrong. */
	wallSkew: number;
	polls: number;
	/** Changes per poll interval, on average. */
	rate: number;
	/** Changes in one millisecond, at some moments. */
	burst: number;
	/** At most so many further updates of a row in the millisecond of its burst. */
	repeats?: number | undefined;
	entities: number;
	/** How often n8n restarts and forgets what it has not saved. */
	restarts: number;
	/** Milliseconds without polls in the middle of the run. */
	downtime: number;
	/** How many of the changes are dated up to a year ahead. */
	future: number;
	/** How many keys the trigger remembers at most. */
	maxKeys?: number | undefined;
	/**
	 * At least once: how often n8n is killed, half the times before it has executed the last batch.
	 */
	kills?: number | undefined;
}

export const CALM: Weather = { failure: 0, latency: 200, dateSkew: 0, wildDate: 0 };

/** An ordinary service and an ordinary n8n: named tests change one thing of it. */
export const ORDINARY: Scenario = {
	seed: 1,
	kind: {
		order: 'ascending',
		content: 'log',
		since: 'inclusive',
		paging: 'totals',
		pageSize: 20,
		ids: 'own',
		times: 'change',
		resent: 'nothing',
		grouped: false,
		words: 'plain',
		filteredBy: 'time',
		spelling: 'stable',
	},
	weather: CALM,
	lookback: 2 * MINUTE,
	lateness: 0,
	limit: 1000,
	budget: 1000,
	wallSkew: 0,
	polls: 30,
	rate: 5,
	burst: 0,
	entities: 15,
	restarts: 0,
	downtime: 0,
	future: 0,
};

/** The middle of a run: when n8n goes down, and a service changes its ways, if they do. */
export const middleOf = ({ polls }: Scenario) => START + Math.ceil(polls / 2) * MINUTE;
