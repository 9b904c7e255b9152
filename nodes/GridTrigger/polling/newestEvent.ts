import type { Feed, FeedEvent, FeedPage } from './feed';
import { MAX_PAGE_SIZE } from './scan';

const HOUR_MS = 3_600_000;
/**
 * Periods that "Fetch Test Event" searches one after another, because short periods are read
 * quickly.
 */
const SPANS_MS = [HOUR_MS, 24 * HOUR_MS, 30 * 24 * HOUR_MS, 365 * 24 * HOUR_MS, 20 * 365 * 24 * HOUR_MS];

/**
 * The newest accepted event, as sample data. Neither reads nor moves the cursor.
 * @param now approximate milliseconds since 1970
 * @returns undefined if there is none
 */
export async function newestEvent<Event extends FeedEvent>(
	feed: Feed<Event>,
	now: number,
	accepts: (event: Event) => boolean,
): Promise<Event | undefined> {
	for (const span of SPANS_MS) {
		const since = Math.max(0, now - span);
		const first = await feed.read(since, 1, MAX_PAGE_SIZE);
		const last = lastPage(first);
		const pages = last > 1 ? [first, await feed.read(since, last, MAX_PAGE_SIZE)] : [first];
		const wanted = pages.flatMap(({ events }) => inTime(events)).filter(accepts);
		const newest = wanted.sort((a, b) => (a.time ?? 0) - (b.time ?? 0)).at(-1);
		if (newest) return newest;
	}
	return undefined;
}

/** Reverses a page that lists the newest first, so that the newest of equal times comes last. */
function inTime<Event extends FeedEvent>(events: Event[]): Event[] {
	const isDescending = (events[0]?.time ?? 0) > (events.at(-1)?.time ?? 0);
	return isDescending ? [...events].reverse() : events;
}

/** The last page: most feeds list the newest event last, some first, so both ends are read. */
function lastPage({ events, total, more }: FeedPage<FeedEvent>): number {
	return more !== 'yes' || total === undefined || events.length === 0 ? 1 : Math.ceil(total / events.length);
}
