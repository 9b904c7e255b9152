import { EndlessPages } from '../errors';
import { ResponseTooLarge } from '../http/responseLimit';
import type { Page } from '../hal/links';
import { isMissingPage } from './missingPage';
import type { FetchPage } from './pageScanPlan';
import { endsBeforeNext } from './shortPages';

/** Number of consecutive complete pages after which larger ones are tried again. */
const GOOD_PAGES = 8;

/**
 * Maximum number of requests for one list: three scans of the maximum number of pages, some of them
 * in smaller pages.
 */
const MAX_REQUESTS = 50_000;

/** Maximum number of readings of a range from which items are deleted meanwhile. */
const MAX_TRIES = 3;

/** Items read in parts. */
interface Range<Item> {
	items: Item[];
	last: Page<Item>;
	partCounts: readonly number[];
}

/** Whether items were deleted between responses, by their counts. */
export const hasShrunk = (counts: readonly number[] = []): boolean =>
	counts.some((count, index) => count < (counts[index - 1] ?? 0));

/**
 * Reads a page that is too large, or that the service ended early, in smaller pages down to a
 * single item. A page that does not exist is empty. The size found applies to all further pages.
 * @param unreadable placeholder for an item that is too large to read, by its sequence number in
 * the list; if omitted, such an item is an error
 */
export function inSmallerPages<Item>(
	fetchPage: FetchPage<Item>,
	unreadable?: (position: number, error: ResponseTooLarge) => Item,
): FetchPage<Item> {
	return new SmallerPages(fetchPage, unreadable).read;
}

class SmallerPages<Item> {
	/** Maximum page size to request. */
	private most = Number.POSITIVE_INFINITY;
	/**
	 * The size before the last growth. A service may cap its pages and state the requested size
	 * nevertheless: only a full page proves that a larger one begins at the assumed item.
	 */
	private proven = Number.POSITIVE_INFINITY;
	private goodPages = 0;
	private requests = 0;

	constructor(
		private readonly fetchPage: FetchPage<Item>,
		private readonly unreadable: ((position: number, error: ResponseTooLarge) => Item) | undefined,
	) {}

	read: FetchPage<Item> = async (pageIndex, pageSize) => {
		const whole = this.most < pageSize ? undefined : await this.attempt(pageIndex, pageSize);
		if (typeof whole === 'object' && 'items' in whole) return whole;
		const from = (pageIndex - 1) * pageSize;
		const { items, last, partCounts } = await this.readStable(from, from + pageSize);
		const { numberOfItems } = last;
		return {
			...last,
			items,
			partCounts,
			page: pageIndex,
			pageSize,
			size: items.length,
			numberOfPages: numberOfItems === undefined ? undefined : Math.ceil(numberOfItems / pageSize),
		};
	};

	/**
	 * @returns a complete page, or why smaller ones are needed: an error, or that it ended early
	 */
	private async attempt(
		pageIndex: number,
		pageSize: number,
	): Promise<Page<Item> | ResponseTooLarge | typeof SHORT> {
		if (++this.requests > MAX_REQUESTS)
			throw new EndlessPages(`The list has no end after ${MAX_REQUESTS} requests`);
		const page = await this.fetchPage(pageIndex, pageSize).catch((error: unknown) => {
			if (isMissingPage(error, pageIndex)) return NO_PAGE;
			return error instanceof ResponseTooLarge ? error : Promise.reject(error);
		});
		if (page instanceof ResponseTooLarge) {
			this.limitTo(pageSize / 2);
			return page;
		}
		const isFull = page.items.length >= pageSize;
		if (pageIndex > 1 && pageSize > this.proven && !isFull) this.limitTo(this.proven);
		else if (endsEarly(page, pageIndex, pageSize)) this.limitTo(page.items.length);
		else {
			this.noteGood(isFull ? pageSize : 0);
			return page;
		}
		return SHORT;
	}

	private noteGood(fullSize: number): void {
		if (fullSize > this.proven) this.proven = Number.POSITIVE_INFINITY;
		this.goodPages += 1;
		if (this.goodPages < GOOD_PAGES) return;
		this.proven = Math.min(this.proven, this.most);
		[this.most, this.goodPages] = [this.most * 2, 0];
	}

	private limitTo(size: number): void {
		this.goodPages = 0;
		this.most = Math.max(1, Math.floor(Math.min(this.most, size)));
	}

	/** Reads a range again if items were deleted meanwhile: others moved to parts already read. */
	private async readStable(from: number, to: number): Promise<Range<Item>> {
		let range = await this.readRange(from, to);
		for (let tries = 1; tries < MAX_TRIES && hasShrunk(range.partCounts); tries++)
			range = await this.readRange(from, to);
		return range;
	}

	/**
	 * Reads the items of a range (0-based, end exclusive), in the largest pages that begin at its
	 * start.
	 */
	private async readRange(from: number, to: number): Promise<Range<Item>> {
		const items: Item[] = [];
		const partCounts: number[] = [];
		let last: Page<Item> = NO_PAGE;
		for (let at = from; at < to; ) {
			const size = largestDivisor(at, Math.min(this.most, to - at));
			const page = await this.attempt(at / size + 1, size);
			if (page === SHORT) continue;
			if (page instanceof ResponseTooLarge) {
				if (size > 1) continue;
				if (!this.unreadable) throw page;
				items.push(this.unreadable(at + 1, page));
				at += 1;
				continue;
			}
			// A page size of 0 counts as missing.
			const served = Math.min(size, page.pageSize || size);
			if (served < size) {
				// Only the first page begins at the same item at any size.
				this.limitTo(served);
				if (at > 0) continue;
			}
			if (endsBeforeNext(page, served)) {
				this.limitTo(page.items.length);
				continue;
			}
			items.push(...page.items);
			if (page.numberOfItems !== undefined && page.numberOfItems !== partCounts.at(-1))
				partCounts.push(page.numberOfItems);
			last = page;
			if (page.items.length < served) break;
			at += served;
		}
		return { items, last, partCounts };
	}
}

const NO_PAGE: Page<never> = { items: [], _links: new Map() };

/** The page ended before it was full. */
const SHORT = 'short';

/** The largest page size up to `most` at which a page begins with this item. */
function largestDivisor(at: number, most: number): number {
	let size = Math.max(1, most);
	while (at % size !== 0) size--;
	return size;
}

/** Whether a page has fewer items than its size and the total number require. */
function endsEarly<Item>(
	{ items, pageSize, numberOfItems }: Page<Item>,
	pageIndex: number,
	asked: number,
): boolean {
	if (pageSize === undefined || numberOfItems === undefined || items.length === 0) return false;
	// A service that uses smaller pages than requested reports their size.
	const size = Math.min(asked, pageSize);
	return items.length < Math.min(size, numberOfItems - (pageIndex - 1) * size);
}
