import { MAX_RESPONSE_BYTES } from '../../http/responseLimit';
import { EndlessPages } from '../../errors';
import { largerPage, smallerPage, type PagePlace } from '../../session/pagePlace';
import { identitiesOf } from './updateIdentity';
import { asksForSmaller, MAX_EMPTY_PAGES, type UpdatesPage } from './feedPage';
import { MAX_PAGE_SIZE } from '../../session/pageSizes';
import type { Update } from './updateRecord';

const MAX_PAGES = 10_000;
/** Maximum number of consecutive pages that only repeat earlier ones. */
const MAX_REPEATED_PAGES = 100;
/** Maximum duration of reading a feed. */
const MAX_READING_MS = 3_600_000;
/** A change that is too large to read. */
export interface UnreadableUpdate {
	/** Its sequence number in the feed. */
	position: number;
	error: Error;
}

/** What to read of a feed. */
export interface FeedReading {
	fetchPage(pageIndex: number, pageSize: number): Promise<UpdatesPage>;
	/** Maximum number of changes. */
	limit: number;
	/** Whether the service counts changes where `since` leaves none; if omitted, it does. */
	countsHeldBack?: (() => Promise<boolean>) | undefined;
	/** Milliseconds of a monotonic clock. */
	now(): number;
}

/**
 * Reads a feed page by page, each change once. A feed that does not report its end ends where a
 * page brings nothing new; one that counts its pages is read to the last of them. A page that is
 * too large is read in smaller ones, down to a single change; a change that is too large by itself
 * is reported as unreadable.
 * @throws EndlessPages, and what `fetchPage` throws
 */
export async function readFeed({
	fetchPage,
	limit,
	countsHeldBack = async () => await Promise.resolve(true),
	now,
}: FeedReading): Promise<Array<Update | UnreadableUpdate>> {
	const found = new Map<string, Update | UnreadableUpdate>();
	const until = now() + MAX_READING_MS;
	let place: PagePlace = { page: 1, size: MAX_PAGE_SIZE };
	let most = MAX_PAGE_SIZE;
	let repeatedPages = 0;
	let emptyPages = 0;
	for (let requests = 0; found.size < limit; requests++) {
		if (requests === MAX_PAGES || now() > until)
			throw new EndlessPages(`The updates feed has not come to its end after ${requests} pages`);
		const page = await pageOrError(fetchPage, place);
		if (page instanceof Error) {
			if (place.size > 1) place = smallerPage(place);
			else {
				found.set(`unreadable ${place.page}`, { position: place.page, error: page });
				place = { page: place.page + 1, size: 1 };
			}
			continue;
		}
		if (page.isShort && place.size > 1) {
			place = smallerPage(place, Math.max(1, Math.floor(page.listed / 2)));
			continue;
		}
		const known = found.size;
		const identities = identitiesOf(page.updates);
		for (const [index, update] of page.updates.entries()) found.set(identities[index] ?? '', update);
		const isBarren = found.size === known;
		emptyPages = page.updates.length === 0 ? emptyPages + 1 : 0;
		if (page.more === 'no' || (isBarren && page.more === 'maybe')) break;
		if (emptyPages === MAX_EMPTY_PAGES && (await countsHeldBack())) break;
		repeatedPages = isBarren && page.listed > 0 ? repeatedPages + 1 : 0;
		if (repeatedPages === MAX_REPEATED_PAGES)
			throw new EndlessPages(
				`The updates feed says that more pages follow, and ${MAX_REPEATED_PAGES} of them only repeat others`,
			);
		// Larger pages than the service gives would begin elsewhere than they are thought to.
		if (place.page === 1) most = Math.min(most, page.pageSize ?? page.listed) || most;
		place = after(place, page, most);
	}
	return [...found.values()].slice(0, limit);
}

/** The page at a place, or the error if smaller pages can help. */
async function pageOrError(
	fetchPage: FeedReading['fetchPage'],
	{ page, size }: PagePlace,
): Promise<UpdatesPage | Error> {
	return await fetchPage(page, size).catch((error: unknown) =>
		error instanceof Error && asksForSmaller(error, size) ? error : Promise.reject(error),
	);
}

/** The service may give smaller pages than it was asked for; then they are counted in its size. */
function after(place: PagePlace, { pageSize, listed, bytes }: UpdatesPage, most: number): PagePlace {
	const told = place.page === 1 ? (pageSize ?? listed) : 0;
	const size = told > 0 ? Math.min(place.size, told) : place.size;
	// After a small response, tries a page of twice the size.
	if (size === place.size && bytes < MAX_RESPONSE_BYTES.text / 4) return largerPage(place, most);
	return { page: place.page + 1, size };
}
