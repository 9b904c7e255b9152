import type { FeedEvent } from './feed';
import type { HeldEvent } from './heldEvents';
import type { Scan } from './state';

/**
 * What a poll has read and could not emit, and where it stood. The next poll of the same process
 * goes on from here; any other one reads the feed again from the stored place.
 */
export interface Remainder<Event extends FeedEvent> {
	/** Oldest first. */
	events: ReadonlyArray<HeldEvent<Event>>;
	low: number;
	scan: Scan | undefined;
}

/** Triggers of one process that may hold a remainder: each is up to 8 MB of answers. */
const MAX_REMAINDERS = 10;

/** The remainders of this process, by trigger. */
export class Remainders<Event extends FeedEvent> {
	private readonly kept = new Map<string, { serial: number; remainder: Remainder<Event> }>();

	/** @param serial of the state that was stored together with it */
	keep(place: string, serial: number, remainder: Remainder<Event> | undefined): void {
		this.kept.delete(place);
		if (!remainder) return;
		const [oldest] = this.kept.size >= MAX_REMAINDERS ? this.kept.keys() : [];
		if (oldest !== undefined) this.kept.delete(oldest);
		this.kept.set(place, { serial, remainder });
	}

	/** @returns undefined where n8n gave another state than the one stored together with it */
	of(place: string, serial: number): Remainder<Event> | undefined {
		const found = this.kept.get(place);
		return found?.serial === serial ? found.remainder : undefined;
	}
}
