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
		const { items, last } = await this.readRange(from, from + pageSize);
		const { numberOfItems } = last;
		return {
			...last,
			items,
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
		const isTooLarge = page instanceof ResponseTooLarge;
		if (!isTooLarge && !endsEarly(page, pageIndex, pageSize)) {
			this.goodPages += 1;
			if (this.goodPages >= GOOD_PAGES) [this.most, this.goodPages] = [this.most * 2, 0];
			return page;
		}
		this.limitTo(isTooLarge ? pageSize / 2 : page.items.length);
		return isTooLarge ? page : SHORT;
	}

	private limitTo(size: number): void {
		this.goodPages = 0;
		this.most = Math.max(1, Math.floor(Math.min(this.most, size)));
	}

	/**
	 * Reads the items of a range (0-based, end exclusive), in the largest pages that begin at its
	 * start.
	 */
	private async readRange(from: number, to: number): Promise<{ items: Item[]; last: Page<Item> }> {
		const items: Item[] = [];
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
			last = page;
			if (page.items.length < served) break;
			at += served;
		}
		return { items, last };
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
