import { FeedUnusable, type FeedEvent } from './feed';
import { splitKeys, secondOf, SeenKeys, type SeenRecord } from './seenKeys';
import type { TriggerState } from './state';

/** Maximum number of keys: about 2.4 MB of static data, which n8n rewrites with every save. */
export const MAX_KEYS = 200_000;
/** Maximum number of times a poll reads the feed. */
const MAX_READINGS = 4;

/** The memory of a poll: which events were read, and how long they are remembered. */
export class Memory<Event extends FeedEvent> {
	readonly seen: SeenKeys;
	/**
	 * Keys of batches that another process emitted and may have lost. A lagging replica may show the
	 * events some polls later, so the keys are kept as long as `seen` would keep them.
	 */
	private readonly unconfirmed: SeenKeys;
	/** Values of `since` with which the feed was read to its end. */
	private readonly readFrom: number[] = [];
	/** Number of entries that the service sent although they are older than `since`. */
	private stickyCount = 0;

	/** @param lost keys of a batch that another process emitted */
	constructor(
		known: TriggerState | undefined,
		lost: string,
		private readonly maxKeys: number,
	) {
		this.seen = new SeenKeys(known?.seen);
		this.unconfirmed = new SeenKeys(known?.unconfirmed);
		const lostKeys = splitKeys(lost);
		for (const key of lostKeys)
			this.unconfirmed.add(key, this.seen.secondOf(key) ?? secondOf(known?.high ?? 0));
		this.seen.forget(lostKeys);
	}

	/**
	 * Whether the service sends an event that `since` should exclude: its time is missing, is not the
	 * time that `since` is compared with, or lacks its time zone. Such an event is remembered as long
	 * as the feed sends it, plus the lookback.
	 * @throws FeedUnusable if there are too many to remember
	 */
	isSticky({ time }: Event, since: number): boolean {
		// A service may truncate `since` to the second.
		if (time !== undefined && time >= secondOf(since) * 1000) return false;
		this.stickyCount += 1;
		if (this.stickyCount > MAX_READINGS * this.maxKeys)
			throw new FeedUnusable(
				'The updates feed sends too many changes that are older than requested',
				'The service ignores "since", so each poll would have to remember all changes ever made. Tell the operator of the service.',
			);
		return true;
	}

	/** @param now a time after all changes that the feed can contain */
	remember({ key, time }: Event, isSticky: boolean, now: number): void {
		this.seen.add(key, secondOf(isSticky || time === undefined ? now : time));
	}

	has({ key, olderKeys, time }: Event): boolean {
		if (this.seen.has(key)) return true;
		if (!olderKeys) return false;
		const { one, two } = olderKeys();
		if (this.seen.has(two)) return true;
		// Version 1 could store a row's id as the event's id, so the second must match, too.
		const second = this.seen.secondOf(one);
		return second !== undefined && (time === undefined || second === secondOf(time));
	}

	/** Whether another process has emitted the event. */
	wasEmitted(event: Event): boolean {
		return this.unconfirmed.size > 0 && allKeysOf(event).some((key) => this.unconfirmed.has(key));
	}

	/** Keys that another process emitted and that are not among these events. */
	unconfirmedKeys(events: readonly Event[]): SeenRecord | undefined {
		if (this.unconfirmed.size === 0) return undefined;
		this.unconfirmed.forget(events.flatMap(allKeysOf));
		return this.unconfirmed.size === 0 ? undefined : this.unconfirmed.toRecord();
	}

	/** Notes that the feed was read from this moment to its end. */
	noteReadFrom(moment: number): void {
		this.readFrom.push(moment);
	}

	/**
	 * Forgets keys older than `low` that the feed no longer sends. Only a read from `low` or before
	 * shows what the next poll will receive, because `since` may be compared with a time that is not
	 * shown.
	 */
	forgetBefore(low: number): void {
		const sentFrom = Math.max(-Infinity, ...this.readFrom.filter((moment) => moment <= low));
		// A service may truncate `since` to the second, so that second is kept.
		for (const keys of [this.seen, this.unconfirmed]) keys.forgetBefore(secondOf(sentFrom - 1));
	}

	/**
	 * Keeps no more keys than allowed, of those up to a moment.
	 * @returns the start of what is kept; undefined if nothing was dropped
	 */
	shrink(newest: number): number | undefined {
		const oldest = this.seen.shrinkTo(this.maxKeys, secondOf(newest));
		return oldest === undefined ? undefined : oldest * 1000 + 1;
	}
}

/** The warning for users after older keys were dropped. */
export const droppedKeysWarning = (kept: number) =>
	`Too many changes within the lookback: changes with a time before ${new Date(kept).toISOString()} that become visible from now on are missed`;

/** The keys that are stored for an event. */
export const storedKeysOf = ({ key, otherKeys = [] }: FeedEvent) => [key, ...otherKeys];

const allKeysOf = (event: FeedEvent) => [
	...storedKeysOf(event),
	...(event.olderKeys ? Object.values(event.olderKeys()) : []),
];
