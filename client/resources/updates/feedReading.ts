import { MAX_RESPONSE_BYTES } from '../../http/responseLimit';
import { EndlessPages } from '../../errors';
import { largerPage, smallerPage, type PagePlace } from '../../session/pagePlace';
import { identitiesOf } from './updateIdentity';
import { requiresSmallerPages, MAX_EMPTY_PAGES, type UpdatesPage } from './feedPage';
import { MAX_PAGE_SIZE } from '../../session/pageSizes';
import type { Update } from './updateRecord';

const MAX_PAGES = 10_000;
/** Maximum number of consecutive pages that only repeat earlier ones. */
const MAX_REPEATED_PAGES = 100;
/** Maximum time for reading a feed. */
const MAX_READING_MS = 3_600_000;
/** A change that is too large to read. */
export interface UnreadableUpdate {
	/** Its sequence number in the feed. */
	position: number;
	error: Error;
}

/** How to read a feed. */
export interface FeedReading {
	fetchPage(pageIndex: number, pageSize: number): Promise<UpdatesPage>;
	/** Maximum number of changes. */
	limit: number;
	/** Whether the service counts changes that `since` excludes; if omitted, it does. */
	countsExcluded?: (() => Promise<boolean>) | undefined;
	/** Called if the service has no such page (404) although it counts further changes. */
	onMissing?: (() => void) | undefined;
	/** Milliseconds of a monotonic clock. */
	now(): number;
}

/**
 * Reads a feed page by page, each change once. A feed that does not report its end ends with a page
 * without new changes; a feed that counts its pages is read to the last one. A page that is too
 * large is read in smaller ones, down to a single change; a change that is too large is reported as
 * unreadable.
 * @throws EndlessPages, and what `fetchPage` throws
 */
export async function readFeed({
	fetchPage,
	limit,
	countsExcluded = async () => await Promise.resolve(true),
	onMissing,
	now,
}: FeedReading): Promise<Array<Update | UnreadableUpdate>> {
	const found = new Map<string, Update | UnreadableUpdate>();
	const until = now() + MAX_READING_MS;
	let place: PagePlace = { page: 1, size: MAX_PAGE_SIZE };
	let most = MAX_PAGE_SIZE;
	let repeatedPages = 0;
	let emptyPages = 0;
	let isAnnounced = false;
	for (let requests = 0; found.size < limit; requests++) {
		if (requests === MAX_PAGES || now() > until)
			throw new EndlessPages(`The updates feed has no end after ${requests} pages`);
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
		const hasNothingNew = found.size === known;
		emptyPages = page.updates.length === 0 ? emptyPages + 1 : 0;
		if (page.isMissing && isAnnounced && !(await countsExcluded())) onMissing?.();
		isAnnounced = page.more === 'yes' || found.size < (page.total ?? 0);
		if (page.more === 'no' || (hasNothingNew && page.more === 'maybe')) break;
		if (emptyPages === MAX_EMPTY_PAGES && (await countsExcluded())) break;
		repeatedPages = hasNothingNew && page.listed > 0 ? repeatedPages + 1 : 0;
		if (repeatedPages === MAX_REPEATED_PAGES)
			throw new EndlessPages(
				`The updates feed announces more pages, but ${MAX_REPEATED_PAGES} pages only repeat others`,
			);
		// Pages larger than the service's would start at other positions than assumed.
		if (place.page === 1) most = Math.min(most, page.pageSize ?? page.listed) || most;
		place = after(place, page, most);
	}
	return [...found.values()].slice(0, limit);
}

/** The page at a position, or the error if smaller pages may be readable. */
async function pageOrError(
	fetchPage: FeedReading['fetchPage'],
	{ page, size }: PagePlace,
): Promise<UpdatesPage | Error> {
	return await fetchPage(page, size).catch((error: unknown) =>
		error instanceof Error && requiresSmallerPages(error, size) ? error : Promise.reject(error),
	);
}

/** The next position, in the service's page size if that is smaller than requested. */
function after(place: PagePlace, { pageSize, listed, bytes }: UpdatesPage, most: number): PagePlace {
	const actual = place.page === 1 ? (pageSize ?? listed) : 0;
	const size = actual > 0 ? Math.min(place.size, actual) : place.size;
	// After a small response, tries a page of twice the size.
	if (size === place.size && bytes < MAX_RESPONSE_BYTES.text / 4) return largerPage(place, most);
	return { page: place.page + 1, size };
}
