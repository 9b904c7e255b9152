import { FeedUnusable, PageTooLarge, type Feed, type FeedEvent, type FeedPage } from './feed';
import { AHEAD_MS, MAX_EMPTY_PAGES } from '../../../client/resources/updates/feedPage';
import { cappedScan, MAX_PAGE_SIZE, smallerScan } from './scan';
import type { Scan } from './state';

/** Maximum number of requests of one poll. */
const MAX_REQUESTS = 5000;
/** Maximum number of requests before the first page: enough to halve the page size down to 1. */
const MAX_REQUESTS_TO_BEGIN = 12;
/** Maximum number of pages of one reading; a longer feed is considered endless. */
const MAX_PAGES = 100_000;
/** Maximum number of times the service may repeat a page; more mean that it ignores `pageIndex`. */
const MAX_REPEATS = 5;

const TELL = 'Tell the operator of the service.';

/** The result of reading at a position in the feed. */
export type PageRead<Event extends FeedEvent> =
	| { page: FeedPage<Event>; repeated: boolean }
	/**
	 * Not readable with this page size: continue with `scan`. `skipped`: the page's only change is
	 * too large.
	 */
	| { page?: undefined; scan: Scan; skipped: boolean };

/** Reads the pages of one poll, within limits that do not depend on the service. */
export class PageReader<Event extends FeedEvent> {
	private requests = 0;
	private before: string | undefined;
	private repeats = 0;
	private emptyPages = 0;
	private countsExcluded: boolean | undefined;

	constructor(private readonly feed: Feed<Event>) {}

	/**
	 * Whether the limits of the poll are reached.
	 * @param started whether the poll has read its first page
	 * @throws FeedUnusable
	 */
	isOver(started: boolean, isTimeUp: boolean): boolean {
		if (!isTimeUp && this.requests < MAX_REQUESTS) return false;
		return started || this.requests >= MAX_REQUESTS_TO_BEGIN;
	}

	/**
	 * @param latest later than any change that the feed can show by now
	 * @throws FeedUnusable, and any error of `feed.read`
	 */
	async read(scan: Scan, latest: number): Promise<PageRead<Event>> {
		const { since, page: number, size = MAX_PAGE_SIZE } = scan;
		if (number > MAX_PAGES)
			throw new FeedUnusable(
				`The updates feed has more than ${MAX_PAGES} pages`,
				`The service announces another page on each page. ${TELL}`,
			);
		this.requests += 1;
		const page = await this.feed
			.read(since, number, size)
			.catch((error: unknown) => (error instanceof PageTooLarge ? undefined : Promise.reject(error)));
		const capped = page && cappedScan(scan, page);
		if (capped) return { scan: capped, skipped: false };
		const listed = page?.listed ?? page?.events.length;
		const isShort = page?.isShort === true && (listed ?? 0) < size;
		if (page && (!isShort || size === 1))
			return { page: await this.ended(page, latest), repeated: this.isRepeated(page, number) };
		return size === 1
			? { scan: { ...scan, page: number + 1 }, skipped: true }
			: { scan: smallerScan(scan, listed), skipped: false };
	}

	/**
	 * A page, marked as the last one after too many consecutive empty pages if the service also
	 * counts events that `since` excludes. Otherwise, this identity may not read the missing
	 * events, and other pages may follow.
	 */
	private async ended(page: FeedPage<Event>, latest: number): Promise<FeedPage<Event>> {
		this.emptyPages = page.events.length === 0 ? this.emptyPages + 1 : 0;
		if (this.emptyPages < MAX_EMPTY_PAGES || page.more === 'no') return page;
		this.countsExcluded ??= await this.countsPast(latest + AHEAD_MS);
		return this.countsExcluded ? { ...page, more: 'no' } : page;
	}

	/** Whether the service counts changes although `since` excludes all. */
	private async countsPast(since: number): Promise<boolean> {
		this.requests += 1;
		const { events, more, total = 0 } = await this.feed.read(since, 1, 1);
		return events.length === 0 && (more === 'yes' || total > 0);
	}

	private isRepeated({ events }: FeedPage<Event>, number: number): boolean {
		const fingerprint = events.map(({ key }) => key).join();
		const repeated = number > 1 && fingerprint !== '' && fingerprint === this.before;
		this.repeats = repeated ? this.repeats + 1 : 0;
		this.before = fingerprint;
		if (this.repeats === MAX_REPEATS)
			throw new FeedUnusable(
				'The updates feed announces more pages, but sends the same page repeatedly',
				`The service ignores "pageIndex", so the other pages cannot be read. ${TELL}`,
			);
		return repeated;
	}
}
