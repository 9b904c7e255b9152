import { inOrder, SmallerPage, type Feed, type FeedEntry, type FeedPage } from './polling/reading';

const HOUR = 3_600_000;
/** Periods searched one after the other, because short ones are read quickly. */
const PERIODS = [HOUR, 24 * HOUR, 30 * 24 * HOUR, 3650 * 24 * HOUR];
/** Maximum number of pages of a bare array, which does not say where it ends. */
const MAX_PAGES = 20;
/** §4: every service supports it. */
const PAGE_SIZE = 300;

/**
 * The newest entry that is accepted, on the first or the last two pages of the feed.
 * @param now approximate milliseconds since 1970
 * @param accepted selects entries and keeps their order
 * @returns undefined if there is none
 * @throws what `feed.read` and `accepted` throw
 */
export async function newestEntry<Entry extends FeedEntry>(
	feed: Feed<Entry>,
	now: number,
	accepted: (entries: Entry[]) => Promise<readonly Entry[]>,
): Promise<Entry | undefined> {
	for (const period of PERIODS) {
		const pages = await endsOf(feed, now - period);
		const entries = pages.flatMap((page) => page.entries);
		const isNewestFirst = (entries[0]?.time ?? 0) > (entries.at(-1)?.time ?? 0);
		const found = await accepted(entries);
		const queued = found.map((entry, position) => {
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
): Promise<Array<FeedPage<Entry>>> {
	const { page: first, size } = await firstPage(feed, since, PAGE_SIZE);
	const pages = [first];
	if (first.isLast || first.entries.length === 0) return pages;
	if (first.total !== undefined) {
		const last = Math.ceil(first.total / first.entries.length);
		// The last page may have a single entry.
		for (const page of new Set([Math.max(2, last - 1), last])) pages.push(await feed.read(since, page, size));
		return pages;
	}
	for (let last = first; !last.isLast && pages.length < MAX_PAGES; pages.push(last))
		last = await feed.read(since, pages.length + 1, size);
	return pages;
}

async function firstPage<Entry extends FeedEntry>(
	feed: Feed<Entry>,
	since: number,
	size: number,
): Promise<{ page: FeedPage<Entry>; size: number }> {
	return await feed.read(since, 1, size).then(
		(page) => ({ page, size }),
		async (error: unknown) =>
			error instanceof SmallerPage
				? await firstPage(feed, since, error.size)
				: await Promise.reject<never>(error),
	);
}
