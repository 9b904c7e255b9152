/** One entry of the updates feed, as far as the algorithm cares. */
export interface FeedEvent {
	/** The same for the same event whenever it is read (A2); see key.ts. */
	key: string;
	/** Milliseconds since 1970 by the service's clock; undefined where the feed names none. */
	time: number | undefined;
}

/** One page of the feed, in the order in which it came. */
export interface FeedPage<Event extends FeedEvent> {
	events: Event[];
	/** Whether another page follows; `maybe` where the answer does not tell. */
	more: 'yes' | 'no' | 'maybe';
	/** How many events there are from `since` on, over all pages, where the answer tells. */
	total?: number | undefined;
	/** The `Date` header in milliseconds. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
}

/** `GET GRID/updates` (§4.4). Requests that fail have been repeated as often as is sensible before `read` rejects. */
export interface Feed<Event extends FeedEvent> {
	read(since: number, page: number): Promise<FeedPage<Event>>;
}

/** The machine's own time. It can hold the watermark back, and never pushes it on. */
export interface Clock {
	/** Milliseconds since 1970 as this machine believes. */
	wall(): number;
	/** Whether the time that this poll may take is used up. */
	isOver(): boolean;
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
