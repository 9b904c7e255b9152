import { DEFAULT_PAGE_SIZE, EntryIdentities, ListReading, type PageRequest } from '../../client';
import type { Feed, FeedEntry, FeedPage } from '../shared/feed/feed';
import { inOrder } from '../shared/feed/reading';

const HOUR = 3_600_000;
/** Periods searched one after the other, because short ones are read quickly. */
const PERIODS = [HOUR, 24 * HOUR, 30 * 24 * HOUR, 3650 * 24 * HOUR];

/** Which entry is looked for. */
interface Search<Entry extends FeedEntry> {
	/** Approximate milliseconds since 1970. */
	now: number;
	/** Whether the time is used up: a bare array does not say where it ends. */
	isOver: () => boolean;
	/** Selects entries and keeps their order. */
	accepted: (entries: Entry[]) => Promise<readonly Entry[]>;
}

/**
 * The newest entry that is accepted, on the first or the last two pages of the feed.
 * @returns undefined if there is none
 * @throws what `feed.read` and `accepted` throw
 */
export async function newestEntry<Entry extends FeedEntry>(
	feed: Feed<Entry>,
	{ now, isOver, accepted }: Search<Entry>,
): Promise<Entry | undefined> {
	for (const period of PERIODS) {
		const entries = await endsOf(feed, now - period, isOver);
		const isNewestFirst = (entries[0]?.time ?? 0) > (entries.at(-1)?.time ?? 0);
		const candidates = await accepted(entries);
		const queued = candidates.map((entry, position) => {
			return { entry, time: entry.time ?? 0, until: 0, position, bytes: 0 };
		});
		const newest = inOrder(queued, isNewestFirst).at(-1);
		if (newest) return newest.entry;
	}
	return undefined;
}

/** The first and the last two pages, which have the newest entries if sorted; all of an array. */
async function endsOf<Entry extends FeedEntry>(
	feed: Feed<Entry>,
	since: number,
	isOver: () => boolean,
	pageSize = DEFAULT_PAGE_SIZE,
): Promise<Entry[]> {
	const identities = new EntryIdentities();
	const fetchPage = async (request: PageRequest) => await feed.read(since, request, identities);
	const reading = new ListReading<Entry, FeedPage<Entry>>(
		{ fetchPage, identity: ({ key }) => key },
		pageSize,
	);
	const entries: Entry[] = [];
	try {
		do {
			entries.push(...(await reading.readNext()).fresh);
			// The last page may have a single entry.
			reading.next = Math.max(reading.next, reading.lastPage - 1);
		} while (reading.hasMore && !isOver());
		return entries;
	} catch (error) {
		return await endsOf(feed, since, isOver, reading.smallerSize(error));
	}
}
