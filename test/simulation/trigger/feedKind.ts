import type { FeedEvent } from '../../../nodes/GridTrigger/polling/feed';

export type FeedOrder = 'ascending' | 'descending' | 'shuffled' | 'byEntity';

/** How a service may answer `GET GRID/updates`: every kind that the trigger has to cope with. */
export interface FeedKind {
	order: FeedOrder;
	/** The order after the middle of the run, if the service then changes it. */
	laterOrder?: FeedOrder | undefined;
	/**
	 * How changes of one moment are listed: those of a row side by side, or as they were written.
	 */
	ties?: 'asWritten' | undefined;
	/** A log of all changes, or only the entities that have changed, with their last change. */
	content: 'log' | 'entities';
	/** How `since` is compared; the last three cut it to the second or to the hour first. */
	since: 'inclusive' | 'exclusive' | 'second' | 'exclusiveSecond' | 'hour';
	/** Which time `since` is compared with: of the change, or when the feed came to show it. */
	filteredBy: 'time' | 'visibility';
	/**
	 * Pages with totals, pages with the total of entries only, pages whose totals also count what
	 * `since` holds back, pages that only say whether there is another one, arrays by page, or one
	 * array of everything.
	 */
	paging: 'totals' | 'entryTotal' | 'allTotals' | 'next' | 'arrays' | 'whole';
	pageSize: number;
	/** Which page size a page states: its own, or the requested one although it is capped. */
	stated?: 'requested' | undefined;
	/**
	 * The `id` of an entry: its own, none, its row's, its row's in every other entry, one that is
	 * unique only within the row, one that is used again, or one for all changes of a second.
	 */
	ids: 'own' | 'none' | 'row' | 'someRow' | 'perRow' | 'reused' | 'shared';
	/** Which time an entry carries: of the change, of the row's creation (entities only), or none. */
	times: 'change' | 'creation' | 'none';
	/** Hours that the service's local time is ahead of UTC, if it writes times without an offset. */
	zone?: number | undefined;
	/** Hours by which that local time changes in the middle of the run. */
	clockChange?: number | undefined;
	/**
	 * What the feed sends although it is older than `since`: some entries, or all there ever were.
	 */
	resent: 'nothing' | 'some' | 'all';
	/** Whether a row stands in an entry that tells nothing else (entities only). */
	wrapped?: boolean | undefined;
	/** Whether deleted rows are listed by their ids only, beside the other changes (logs only). */
	deletions?: 'beside' | undefined;
	/** Empty places after every fourth change: what must not be seen, and what pages count. */
	hidden?: number | undefined;
	/** How changes are listed: one by one, or by row. */
	grouped: boolean;
	/** The service's words for what happened. */
	words: 'plain' | 'own';
	/** Whether each answer writes offsets, digits, members and changed columns in another way. */
	spelling: 'stable' | 'varying';
	/** How many entries an answer can hold; a page with more is cut, or too large to be read. */
	room?: { entries: number; past: 'cut' | 'tooLarge' } | undefined;
	/** Milliseconds for which the feed keeps an entry. */
	retention?: number | undefined;
}

/** One change as it truly happened. Times are milliseconds of the service's own clock. */
export interface TrueChange {
	entity: number;
	kind: 'created' | 'updated' | 'deleted';
	time: number;
	/** When the feed shows it for the first time. */
	visibleAt: number;
	/** What was written; two updates may write the same. */
	value: number;
	/** When the row was created. */
	createdAt: number;
	/** Its place among all changes. */
	sequence: number;
}

export interface SimulatedEvent extends FeedEvent {
	change: TrueChange;
}

/** What may go wrong with a single request. */
export interface Weather {
	failure: number;
	latency: number;
	/** Milliseconds that the `Date` header is wrong by, always. */
	dateSkew: number;
	/** How often a single answer's `Date` is wrong by a day, either way. */
	wildDate: number;
	/** How often an answer comes from a copy of the data that lags behind, and by how much. */
	stale?: { chance: number; lag: number } | undefined;
}

export class SimulatedFailure extends Error {}

/** The time of the whole simulation; nothing in it waits. */
export class SimulatedClock {
	constructor(public now: number) {}
}
