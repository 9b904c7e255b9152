import type { FeedEvent } from './feed';
import { RowOrder } from './rowOrder';
import type { TriggerState } from './state';

/** Number of rising neighbors, with no falling ones, after which pages count as chronological. */
const MIN_RISES = 12;

type Learned = Pick<TriggerState, 'order' | 'rises'>;

/** The order in which the feed lists its events, as far as its pages have shown it. */
export class FeedOrder {
	/**
	 * Keys already met in this pass, added by the reader of the pages: entries that move to the next
	 * page occur twice.
	 */
	counted = new Set<string>();
	/** In this pass, in the order of reading. */
	private last: number | undefined;
	private hasFallen = false;
	private hasRisen = false;
	private rows = new RowOrder();
	/** Whether the preceding pass fell only. */
	private wasFalling = false;

	constructor(public learned: Learned = { order: 'unknown', rises: 0 }) {}

	get isAscending(): boolean {
		return this.learned.order === 'ascending';
	}

	/** Whether no page has shown any order yet. */
	get isUnknown(): boolean {
		return this.learned.order === 'unknown' && !this.isDescending;
	}

	/**
	 * Whether the newest events come first. If the events of each page have equal times, only
	 * neighbors on different pages and the changes of single rows show it.
	 */
	get isDescending(): boolean {
		const { order, rises } = this.learned;
		if (order !== 'unknown') return order === 'descending';
		return rises === 0 && !this.hasRisen && (this.isFalling || this.wasFalling);
	}

	/** See `RowOrder`. */
	isBurst(events: readonly FeedEvent[]): boolean {
		return this.rows.isBurst(events);
	}

	follow(events: readonly FeedEvent[]): void {
		this.learned = judgeOrder(events, this.learned);
		const uncounted = events.filter(({ key }) => !this.counted.has(key));
		if (this.learned.order === 'unknown') this.rows.follow(uncounted);
		for (const time of timesOf(uncounted)) {
			const before = this.last ?? time;
			this.hasFallen ||= time < before;
			this.hasRisen ||= time > before;
			this.last = time;
		}
	}

	/** Starts the next pass over the pages. */
	beginPass(): void {
		this.wasFalling = this.isFalling && !this.hasRisen;
		this.rows = new RowOrder();
		this.counted = new Set();
		this.last = undefined;
		this.hasFallen = this.hasRisen = false;
	}

	/**
	 * Keeps what the times have shown: the feed was read to its end, so nothing moved. Within one
	 * time, an ascending feed may list its events in any order.
	 */
	endReading(): void {
		if (this.hasFallen && this.isDescending) this.learned = { order: 'descending', rises: 0 };
	}

	private get isFalling(): boolean {
		return this.hasFallen || this.rows.isDescending;
	}
}

/**
 * Judges the order of the feed from a page. Only neighbors on one page are compared, because
 * entries may move between pages. A single fall disproves the order; many rises are needed to prove
 * it.
 */
export function judgeOrder(events: readonly FeedEvent[], known: Learned): Learned {
	const times = timesOf(events);
	const falls = times.some((time, index) => time < (times[index - 1] ?? time));
	const risen = times.filter((time, index) => time > (times[index - 1] ?? time)).length;
	if (known.order === 'other') return { order: 'other', rises: 0 };
	// Newest first, as far as known; events with equal times are then reversed, too.
	const isDescending = risen === 0 && known.rises === 0 && (falls || known.order === 'descending');
	if (isDescending) return { order: 'descending', rises: 0 };
	if (falls || known.order === 'descending') return { order: 'other', rises: 0 };
	const rises = known.rises + risen;
	return rises >= MIN_RISES ? { order: 'ascending', rises: MIN_RISES } : { order: known.order, rises };
}

/** The known times of some events. */
export const timesOf = (events: readonly FeedEvent[]) =>
	events.flatMap(({ time }) => (time === undefined ? [] : [time]));
