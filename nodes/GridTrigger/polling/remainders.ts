import type { FeedEvent } from './feed';
import type { HeldEvent } from './heldEvents';
import type { Scan } from './state';

/**
 * Events that a poll has read but not emitted, and its position. The next poll of the same process
 * continues here; any other process reads the feed again from the stored position.
 */
export interface Remainder<Event extends FeedEvent> {
	/** Oldest first. */
	events: ReadonlyArray<HeldEvent<Event>>;
	low: number;
	scan: Scan | undefined;
}

/** Maximum number of triggers of a process with a remainder, each of up to 8 MB. */
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

	/** @returns undefined if n8n passes another state than the one stored with it */
	of(place: string, serial: number): Remainder<Event> | undefined {
		const found = this.kept.get(place);
		return found?.serial === serial ? found.remainder : undefined;
	}
}
