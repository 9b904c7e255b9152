import { FeedUnusable, type FeedEvent } from './feed';
import { partKeys, secondOf, SeenKeys, type SeenRecord } from './seenKeys';
import type { TriggerState } from './state';

/**
 * More keys than this are not kept: about 2.4 MB of static
 * data, which n8n rewrites with every save.
 */
export const MAX_KEYS = 200_000;
/** A poll reads the feed up to four times. */
const MAX_READINGS = 4;

/** What a poll remembers of the events that were read, and for how long. */
export class Memory<Event extends FeedEvent> {
	readonly seen: SeenKeys;
	/**
	 * Keys of batches that another process emitted and perhaps lost. A copy that lags behind may show
	 * the events some polls later, so they are kept for as long as `seen` would keep them.
	 */
	private readonly unconfirmed: SeenKeys;
	/**
	 * Moments since which the feed was read: what it sent although it is older was remembered anew.
	 */
	private readonly readFrom: number[] = [];
	/** Entries that the service sent although they are older than asked for. */
	private stickyCount = 0;

	/** @param lost keys of a batch that another process emitted */
	constructor(
		known: TriggerState | undefined,
		lost: string,
		private readonly maxKeys: number,
	) {
		this.seen = new SeenKeys(known?.seen);
		this.unconfirmed = new SeenKeys(known?.unconfirmed);
		const lostKeys = partKeys(lost);
		for (const key of lostKeys)
			this.unconfirmed.add(key, this.seen.secondOf(key) ?? secondOf(known?.high ?? 0));
		this.seen.forget(lostKeys);
	}

	/**
	 * Whether the service sends an event although `since` should hold it back: its time is missing,
	 * or is another one than `since` goes by, or is in a time zone that it does not name. Such an
	 * event is remembered for as long as it comes again, and a lookback longer.
	 * @throws FeedUnusable if there are more than can be remembered
	 */
	isSticky({ time }: Event, since: number): boolean {
		// A service may cut `since` to the second.
		if (time !== undefined && time >= secondOf(since) * 1000) return false;
		this.stickyCount += 1;
		if (this.stickyCount > MAX_READINGS * this.maxKeys)
			throw new FeedUnusable(
				'The updates feed sends too many changes that are older than it was asked for',
				'The service ignores "since", so each poll would have to remember all changes ever made. Tell the operator of the service.',
			);
		return true;
	}

	/** @param now later than any change that the feed can show by now */
	remember({ key, time }: Event, isSticky: boolean, now: number): void {
		this.seen.add(key, secondOf(isSticky || time === undefined ? now : time));
	}

	has({ key, olderKeys, time }: Event): boolean {
		if (this.seen.has(key)) return true;
		if (!olderKeys) return false;
		const { one, two } = olderKeys();
		if (this.seen.has(two)) return true;
		// Version 1 took a row's id for the event's: only a
		// change of the same second is the one it saw.
		const second = this.seen.secondOf(one);
		return second !== undefined && (time === undefined || second === secondOf(time));
	}

	/** Whether another process has emitted the event. */
	wasEmitted(event: Event): boolean {
		return this.unconfirmed.size > 0 && allKeysOf(event).some((key) => this.unconfirmed.has(key));
	}

	/** What another process has emitted and these events do not repeat. */
	stillUnconfirmed(events: readonly Event[]): SeenRecord | undefined {
		if (this.unconfirmed.size === 0) return undefined;
		this.unconfirmed.forget(events.flatMap(allKeysOf));
		return this.unconfirmed.size === 0 ? undefined : this.unconfirmed.toRecord();
	}

	/** The feed was read from this moment on: what it sends although it is older was met. */
	wasReadFrom(moment: number): void {
		this.readFrom.push(moment);
	}

	/**
	 * Forgets what is older than `low` and not sent any more. Only a reading from `low` or before
	 * shows what the next poll will be sent: `since` may go by another time than the one shown.
	 */
	forgetBefore(low: number): void {
		const sentFrom = Math.max(-Infinity, ...this.readFrom.filter((moment) => moment <= low));
		// A service may cut `since` to the second, so that second is kept.
		for (const keys of [this.seen, this.unconfirmed]) keys.forgetBefore(secondOf(sentFrom - 1));
	}

	/**
	 * Keeps no more keys than allowed, of those up to a moment.
	 * @returns where what is kept begins; undefined if nothing had to go
	 */
	shrink(newest: number): number | undefined {
		const oldest = this.seen.shrinkTo(this.maxKeys, secondOf(newest));
		return oldest === undefined ? undefined : oldest * 1000 + 1;
	}
}

/** What the person who runs the workflow reads where older keys had to go. */
export const forgottenNote = (kept: number) =>
	`Too many changes within the lookback: changes that become visible only now, with a time before ${new Date(kept).toISOString()}, are not seen`;

/** The keys that are stored for an event. */
export const storedKeysOf = ({ key, otherKeys = [] }: FeedEvent) => [key, ...otherKeys];

const allKeysOf = (event: FeedEvent) => [
	...storedKeysOf(event),
	...(event.olderKeys ? Object.values(event.olderKeys()) : []),
];
