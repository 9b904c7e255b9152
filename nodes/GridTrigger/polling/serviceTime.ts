import { FeedUnusable, type FeedEvent, type FeedPage } from './feed';
import type { TriggerState } from './state';

/** `Date` counts whole seconds: what it says may be almost a second old. */
export const DATE_GRAIN_MS = 1000;

/**
 * What a poll knows of the service's time: by its `Date`
 * header, the times of its events, and what has gone by since.
 */
export class ServiceTime {
	/**
	 * The highest event time read so far; undefined until the first answer of a trigger that begins.
	 */
	high: number | undefined;
	/** When `high` was read first: by the service's clock, and by n8n's. */
	at: TriggerState['at'];
	/**
	 * The time of the service before which nothing that is
	 * not visible yet can lie, give or take the lookback.
	 */
	reference: number | undefined;
	/** The latest `Date` that came. */
	private latestDate: number;

	/** @param wall n8n's clock */
	constructor(
		known: TriggerState | undefined,
		private readonly wall: () => number,
	) {
		this.high = known?.high;
		this.at = known?.at ?? { date: 0, wall: 0 };
		this.latestDate = this.at.date;
	}

	/** The time of the service when it was asked; undefined if it sends none. */
	dateOf({ date, took }: FeedPage<FeedEvent>): number | undefined {
		return date === undefined ? undefined : Math.floor(date - took);
	}

	/**
	 * Reads the first answer of a trigger that begins.
	 * @param before n8n's clock before the request
	 * @throws FeedUnusable
	 */
	start(page: FeedPage<FeedEvent>, before: number): void {
		const date = this.dateOf(page);
		if (date === undefined)
			throw new FeedUnusable(
				'The service sends no usable Date header, so "now" is not known by its clock',
				'Tell the operator of the service, or of the proxy in front of it.',
			);
		// n8n's clock can only set the beginning further back:
		// a `Date` that runs ahead must not skip what follows.
		this.high = Math.min(date, before);
		this.at = { date: Math.ceil(page.date ?? date) + DATE_GRAIN_MS, wall: Math.ceil(this.wall()) };
	}

	/** Reads the first answer of a poll: `high` has gone on by what both clocks agree on. */
	follow(date: number, before: number): number {
		const gone = Math.max(0, Math.min(date - this.at.date, before - this.at.wall));
		return (this.reference = Math.min(date, (this.high ?? date) + gone));
	}

	/** Notes the time of an answer. */
	note({ date }: FeedPage<FeedEvent>): void {
		this.latestDate = Math.max(this.latestDate, date ?? 0);
	}

	/** Learns from the times of a page. */
	learn({ events, date }: FeedPage<FeedEvent>, before: number): void {
		if (date === undefined) return;
		for (const { time } of events) {
			const moment = time ?? this.reference ?? 0;
			if (moment <= (this.high ?? 0)) continue;
			this.high = moment;
			this.at = {
				date: Math.ceil(date) + DATE_GRAIN_MS,
				wall: Math.max(before, Math.ceil(this.wall())),
			};
		}
	}

	/** Later than any change that the feed can show by now. */
	latest(): number {
		return Math.max(this.latestDate + DATE_GRAIN_MS, this.wall(), this.high ?? 0);
	}
}
