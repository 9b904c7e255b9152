import { EndlessPages } from '../errors';
import { ResponseTooLarge } from '../http/responseLimit';
import type { Page } from '../hal/links';
import type { FetchPage } from './pageScanPlan';

/** Pages in a row that came as they were asked for, before larger ones are tried again. */
const GOOD_PAGES = 8;

/**
 * Requests of one list: three scans of as many pages as a list may have, and some in smaller ones.
 */
const MAX_REQUESTS = 50_000;

/**
 * Reads a page that is too large, or that the service ended early, in smaller ones down to one item
 * each. What was found out about the size counts for all further pages.
 * @param unreadable stands for an item that is too large by itself, by its sequence number in the
 * list; without it, that is thrown
 */
export function inSmallerPages<Item>(
	fetchPage: FetchPage<Item>,
	unreadable?: (position: number, error: ResponseTooLarge) => Item,
): FetchPage<Item> {
	return new SmallerPages(fetchPage, unreadable).read;
}

class SmallerPages<Item> {
	/** No page is asked for that is larger. */
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
	 * @returns a page that is whole, or why smaller ones are needed: an error, or that it ended early
	 */
	private async attempt(
		pageIndex: number,
		pageSize: number,
	): Promise<Page<Item> | ResponseTooLarge | typeof SHORT> {
		if (++this.requests > MAX_REQUESTS)
			throw new EndlessPages(`The list has not come to its end within ${MAX_REQUESTS} requests`);
		const page = await this.fetchPage(pageIndex, pageSize).catch((error: unknown) =>
			error instanceof ResponseTooLarge ? error : Promise.reject(error),
		);
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
	 * Reads the items of a range (0-based, without the end), in the largest pages that can begin
	 * where the range does.
	 */
	private async readRange(from: number, to: number): Promise<{ items: Item[]; last: Page<Item> }> {
		const items: Item[] = [];
		let last: Page<Item> = { items: [], _links: new Map() };
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
			// A page size of 0 cannot be meant.
			const served = Math.min(size, page.pageSize || size);
			if (served < size) {
				// Only the first page begins at the same item in any size.
				this.limitTo(served);
				if (at > 0) continue;
			}
			items.push(...page.items);
			last = page;
			if (page.items.length < served) break;
			at += served;
		}
		return { items, last };
	}
}

/** The page ended before it was full. */
const SHORT = 'short';

/** The largest page size up to `most` of which a page begins at this item. */
function largestDivisor(at: number, most: number): number {
	let size = Math.max(1, most);
	while (at % size !== 0) size--;
	return size;
}

/** Whether the page holds less than its size and the number of all items say. */
function endsEarly<Item>(
	{ items, pageSize, numberOfItems }: Page<Item>,
	pageIndex: number,
	asked: number,
): boolean {
	if (pageSize === undefined || numberOfItems === undefined || items.length === 0) return false;
	// A service that gives smaller pages than it was asked for says so.
	const size = Math.min(asked, pageSize);
	return items.length < Math.min(size, numberOfItems - (pageIndex - 1) * size);
}
