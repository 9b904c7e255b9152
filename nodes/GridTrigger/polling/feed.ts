import type { OlderKeys } from './olderKeys';

/** One entry of the updates feed, with what the algorithm needs. */
export interface FeedEvent {
	/** Identical whenever the same event is read (A2); see eventKeys.ts. */
	key: string;
	/** Further keys under which the event is remembered. */
	otherKeys?: readonly string[];
	/** The keys that states of older versions hold for it. */
	olderKeys?: () => OlderKeys;
	/** Milliseconds since 1970 by the service's clock; undefined if the feed has no time. */
	time: number | undefined;
	/**
	 * The row that changed. Of events of one row with equal times, the creation comes first and the
	 * deletion last.
	 */
	row?: string;
	kind?: string;
}

/** One page of the feed, in the order of the response. */
export interface FeedPage<Event extends FeedEvent> {
	events: Event[];
	/** Whether another page follows; `maybe` if the response does not say. */
	more: 'yes' | 'no' | 'maybe';
	/** Number of events from `since` on over all pages, if the response contains it. */
	total?: number | undefined;
	/** The service has no such page (404). */
	isMissing?: boolean | undefined;
	/** Number of members of the page, if its events are grouped. */
	listed?: number | undefined;
	/** The service's page size, if it is smaller than the requested one. */
	pageSize?: number | undefined;
	/** The page ended early: its missing entries are on no other page of this size. */
	isShort?: boolean | undefined;
	/** Length of the response. */
	bytes?: number | undefined;
	/** The `Date` header in milliseconds. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
}

/** `GET GRID/updates` (§4.4). `read` rejects only after all retries failed. */
export interface Feed<Event extends FeedEvent> {
	/** @throws PageTooLarge if a smaller page may be readable */
	read(since: number, page: number, size: number): Promise<FeedPage<Event>>;
}

/** The clock of this machine. It can delay the watermark but never advance it. */
export interface Clock {
	/** Milliseconds since 1970 by this machine's clock. */
	wall(): number;
	/** Whether the time of this poll is used up. */
	isOver(): boolean;
}

/** The response exceeds the memory limit. */
export class PageTooLarge extends Error {
	constructor() {
		super('The page of the updates feed is too large');
		this.name = 'PageTooLarge';
	}
}

/** The feed cannot be read reliably because of the service's behavior. */
export class FeedUnusable extends Error {
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
		this.name = 'FeedUnusable';
	}
}
