import type { OlderKeys } from './olderKeys';

/** One entry of the updates feed, as far as the algorithm cares. */
export interface FeedEvent {
	/** The same for the same event whenever it is read (A2); see eventKeys.ts. */
	key: string;
	/** Further keys that it is remembered by. */
	otherKeys?: readonly string[];
	/** The keys that states of older versions hold for it. */
	olderKeys?: () => OlderKeys;
	/** Milliseconds since 1970 by the service's clock; undefined where the feed names none. */
	time: number | undefined;
	/**
	 * Which row it is about: of two events of one row and one
	 * moment, a creation comes first and a deletion last.
	 */
	row?: string;
	kind?: string;
}

/** One page of the feed, in the order in which it came. */
export interface FeedPage<Event extends FeedEvent> {
	events: Event[];
	/** Whether another page follows; `maybe` where the answer does not tell. */
	more: 'yes' | 'no' | 'maybe';
	/** How many events there are from `since` on, over all pages, where the answer tells. */
	total?: number | undefined;
	/** How many members the page itself has, if its events are grouped. */
	listed?: number | undefined;
	/** How many members the service's own page has, if that is fewer than were asked for. */
	pageSize?: number | undefined;
	/** The page ended early: what is missing on it stands on no other page of this size. */
	isShort?: boolean | undefined;
	/** Length of the answer. */
	bytes?: number | undefined;
	/** The `Date` header in milliseconds. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
}

/**
 * `GET GRID/updates` (§4.4). Requests that fail have been
 * repeated as often as is sensible before `read` rejects.
 */
export interface Feed<Event extends FeedEvent> {
	/** @throws PageTooLarge where a smaller page may be read */
	read(since: number, page: number, size: number): Promise<FeedPage<Event>>;
}

/** The machine's own time. It can hold the watermark back, and never pushes it on. */
export interface Clock {
	/** Milliseconds since 1970 as this machine believes. */
	wall(): number;
	/** Whether the time that this poll may take is used up. */
	isOver(): boolean;
}

/** The answer is larger than memory should hold. */
export class PageTooLarge extends Error {
	constructor() {
		super('The page of the updates feed is too large');
		this.name = 'PageTooLarge';
	}
}

/** The feed or the service behaves in a way that no reading can make up for. */
export class FeedUnusable extends Error {
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
		this.name = 'FeedUnusable';
	}
}
