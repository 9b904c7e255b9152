import { FeedUnusable, type FeedEvent, type FeedPage } from './feed';
import type { TriggerState } from './state';

/** `Date` has a resolution of one second, so it may be almost a second old. */
export const DATE_GRAIN_MS = 1000;

/** Maximum difference between the service's `Date` header and the clock of its events. */
export const MAX_DATE_OFFSET_MS = 10 * 60_000;

/**
 * The service's time, estimated from its `Date` header, the times of its events and the time
 * elapsed since.
 */
export class ServiceTime {
	/** The latest event time read so far; undefined until the first response of a new trigger. */
	latestEventTime: number | undefined;
	/** When `latestEventTime` was first read, by the service's clock and by n8n's. */
	at: TriggerState['at'];
	/** The service's time before which, minus the lookback, no more events can appear. */
	reference: number | undefined;
	/** The latest `Date` received. */
	private latestDate: number;

	/** @param wall n8n's clock */
	constructor(
		known: TriggerState | undefined,
		private readonly wall: () => number,
	) {
		this.latestEventTime = known?.high;
		this.at = known?.at ?? { date: 0, wall: 0 };
		this.latestDate = this.at.date;
	}

	/** The service's time when the request was sent; undefined without a `Date` header. */
	dateOf({ date, took }: FeedPage<FeedEvent>): number | undefined {
		return date === undefined ? undefined : Math.floor(date - took);
	}

	/**
	 * Reads the first response of a new trigger.
	 * @param before n8n's clock before the request
	 * @throws FeedUnusable
	 */
	start(page: FeedPage<FeedEvent>, before: number): void {
		const date = this.dateOf(page);
		if (date === undefined)
			throw new FeedUnusable(
				'The service sends no usable Date header, so the current time by its clock is unknown',
				'Tell the operator of the service, or of the proxy in front of it.',
			);
		// Uses the earlier of both clocks, so that a fast `Date` clock does not skip events.
		this.latestEventTime = Math.min(date, before);
		this.at = { date: Math.ceil(page.date ?? date) + DATE_GRAIN_MS, wall: Math.ceil(this.wall()) };
	}

	/** Reads the first response of a poll: advances `latestEventTime` by the time on both clocks. */
	follow(date: number, before: number): number {
		const elapsed = Math.max(0, Math.min(date - this.at.date, before - this.at.wall));
		return (this.reference = Math.min(date, (this.latestEventTime ?? date) + elapsed));
	}

	/** Notes the time of a response. */
	note({ date }: FeedPage<FeedEvent>): void {
		this.latestDate = Math.max(this.latestDate, date ?? 0);
	}

	/** Updates `latestEventTime` from the times of a page. */
	learn({ events, date }: FeedPage<FeedEvent>, before: number): void {
		if (date === undefined) return;
		for (const { time } of events) {
			const moment = time ?? this.reference ?? 0;
			if (moment <= (this.latestEventTime ?? 0)) continue;
			this.latestEventTime = moment;
			this.at = {
				date: Math.ceil(date) + DATE_GRAIN_MS,
				wall: Math.max(before, Math.ceil(this.wall())),
			};
		}
	}

	/** Whether an event has a time that has not come yet. */
	get hasEventsAhead(): boolean {
		return (this.latestEventTime ?? 0) > this.latestDate + MAX_DATE_OFFSET_MS;
	}

	/** A time after all changes that the feed can contain. */
	latest(): number {
		return Math.max(this.latestDate + DATE_GRAIN_MS, this.wall(), this.latestEventTime ?? 0);
	}
}
