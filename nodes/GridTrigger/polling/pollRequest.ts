import type { Clock, Feed, FeedEvent } from './feed';
import type { TriggerState } from './state';
import type { Remainder } from './remainders';
import type { Unreadable } from './unreadableChanges';

export interface PollRequest<Event extends FeedEvent> {
	/** What `readState` gave; undefined on the first poll. */
	state: TriggerState | undefined;
	/** What the poll left over that gave `state`, if this process holds it. */
	left?: Remainder<Event> | undefined;
	/** Names the grid and the account: a state of another one is not used. */
	of: string;
	/** What named them before. */
	formerlyOf?: string | undefined;
	feed: Feed<Event>;
	clock: Clock;
	/** How late an event may become visible after its timestamp (A1), in milliseconds. */
	lookback: number;
	/** At most so many events are emitted at once. */
	limit: number;
	/**
	 * Milliseconds: emit what has happened since then,
	 * instead of beginning now. Only where there is no state.
	 */
	startFrom?: number | undefined;
	/**
	 * Remember the batch until this process polls again, so
	 * that another process can emit it once more.
	 */
	atLeastOnce?: { process: string } | undefined;
	/** Events that the workflow wants; the others are read and done with. */
	accepts(event: Event): boolean;
	/** What is emitted for a change that is too large to be read. */
	unreadable(change: Unreadable): Event;
	/** Defaults to `MAX_KEYS`. */
	mostKeys?: number;
}

export interface PollResult<Event extends FeedEvent> {
	/**
	 * Oldest first. `redelivered`: was emitted before by a process that ended before it polled again.
	 */
	events: Array<{ event: Event; redelivered: boolean }>;
	/** To be stored together with the emission of the events, as one value. */
	state: TriggerState;
	/** What was read and is not emitted: for the next poll of this process. */
	left: Remainder<Event> | undefined;
	/** Whether the feed was read to its end. */
	complete: boolean;
	/** Why the reading ended early, although events were read before. */
	interruptedBy: unknown;
	/** What the person who runs the workflow should know. */
	notes: string[];
}
