import type { Clock, Feed, FeedEvent } from './feed';
import type { TriggerState } from './state';
import type { Remainder } from './remainders';
import type { Unreadable } from './unreadableChanges';

export interface PollRequest<Event extends FeedEvent> {
	/** The result of `readState`; undefined on the first poll. */
	state: TriggerState | undefined;
	/** What the poll that returned `state` left over, if it was a poll of this process. */
	left?: Remainder<Event> | undefined;
	/** Identifies grid and account: the state of another one is not used. */
	of: string;
	/** The identification in states of older versions. */
	formerlyOf?: string | undefined;
	feed: Feed<Event>;
	clock: Clock;
	/** How late an event may become visible after its timestamp (A1), in milliseconds. */
	lookback: number;
	/** Maximum number of events emitted at once. */
	limit: number;
	/**
	 * Emits events from this time on (milliseconds since 1970) instead of from now on; only used
	 * without a state.
	 */
	startFrom?: number | undefined;
	/**
	 * Remembers the batch until this process polls again, so that another process can emit it again.
	 */
	atLeastOnce?: { process: string } | undefined;
	/** Whether the workflow wants an event. */
	accepts(event: Event): boolean;
	/** The event emitted for a change that is too large to read. */
	unreadable(change: Unreadable): Event;
	/** Defaults to `MAX_KEYS`. */
	maxKeys?: number;
}

export interface PollResult<Event extends FeedEvent> {
	/** Oldest first. `redelivered`: a process emitted it and ended before its next poll. */
	events: Array<{ event: Event; redelivered: boolean }>;
	/** To be stored together with the emission of the events, as one value. */
	state: TriggerState;
	/** What was read but not emitted; for the next poll of this process. */
	left: Remainder<Event> | undefined;
	/** Whether the feed was read to its end. */
	complete: boolean;
	/** Why the reading ended early, although events were read before. */
	interruptedBy: unknown;
	/** Warnings for the user. */
	notes: string[];
}
