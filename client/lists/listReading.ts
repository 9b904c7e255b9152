import { BadRequest, EndlessPages, EntryTooLarge, NotFound } from '../errors';
import { outcomeOf, type Limiter } from '../http/limiter';
import { ResponseTooLarge } from '../http/responseLimit';
import { DEFAULT_PAGE_SIZE, MAX_PAGES, type ListPage, type PageRequest } from './page';

/** Maximum number of readings of a page whose counts contradict it. */
const MAX_PAGE_READINGS = 3;
/** Number of equal arrays after which it is the whole list that is repeated. */
const ARRAY_READINGS = 3;
/** Maximum number of times that the end of a growing list is read again. */
const MAX_END_READINGS = 3;

/** A list of the service (§2.2), page by page. */
export interface PageSource<Item, Page extends ListPage<Item> = ListPage<Item>> {
	/** Reads one page. @throws NotFound if the service has no such page */
	fetchPage: (request: PageRequest) => Promise<Page>;
	/** Distinguishes items: `_id` of an entity, `id` of anything else (§2.1). */
	identity: (item: Item) => string;
}

/** The identities of items, each once. */
export interface Identities {
	readonly size: number;
	add: (identity: string) => unknown;
}

/** Facts about the counts of a reading. */
export interface ReadingFacts {
	/** Different values of `numberOfItems`, in the order of the responses. */
	numberOfItems: readonly number[];
	/** Number of different items. */
	found: number;
	/** Number of items on more than one page. */
	duplicates: number;
}

interface ReadingOptions {
	/** Maximum number of items. */
	limit?: number | undefined;
	/** The first page to read. */
	from?: number;
	/** Holds the identities of the items; empty. */
	seen?: Identities;
}

/** A page that was read; undefined past the end. */
interface PageRead<Item, Page> {
	page: Page | undefined;
	/** Its items that no page before had. */
	fresh: Item[];
}

/**
 * One reading of a list, from a page to its end or to a limit: the only loop over pages. A page
 * whose counts contradict it is read again, a page past the end is empty or missing (404).
 */
export class ListReading<Item, Page extends ListPage<Item> = ListPage<Item>> {
	/** Number of the page after those that were read. */
	next: number;
	/** Number of the last page by the largest count; of bare arrays, of the next one to read. */
	lastPage: number;
	/** Whether nothing is left to read. */
	isAtEnd = false;
	/** The first page that could not be read. */
	refused: PageRequest | undefined;
	/** Different values of `numberOfItems`, in the order of the responses. */
	readonly counts: number[] = [];
	private readonly limit: number;
	private readonly seen: Identities;
	/** Number of items on the pages that were read. */
	private listed = 0;
	private endReadings = 0;

	/** @param pageSize to request; then that of the first response */
	constructor(
		private readonly source: PageSource<Item, Page>,
		public pageSize: number,
		{ limit = Number.POSITIVE_INFINITY, from = 1, seen = new Set() }: ReadingOptions = {},
	) {
		this.limit = limit;
		this.next = from;
		this.lastPage = from;
		this.seen = seen;
	}

	/** Whether pages follow those that were read. */
	get hasMore(): boolean {
		return this.next <= this.lastPage;
	}

	/** Number of different items so far. */
	get size(): number {
		return this.seen.size;
	}

	/** The first response precedes all other requests, so a lower count is a later one. */
	get hasShrunk(): boolean {
		const [first = 0] = this.counts;
		return Math.min(...this.counts) < first || (this.counts.at(-1) ?? 0) < Math.max(...this.counts);
	}

	/** Whether no item can be missing. Bare arrays have no counts. */
	get isSound(): boolean {
		if (this.counts.length === 0) return true;
		if (this.hasShrunk) return false;
		return this.size >= this.limit ? this.listed === this.size : this.size === this.counts.at(-1);
	}

	get facts(): ReadingFacts {
		return { numberOfItems: [...this.counts], found: this.size, duplicates: this.listed - this.size };
	}

	/**
	 * Reads the next page. A page that could not be read is the next one again.
	 * @throws EndlessPages, and what `fetchPage` throws
	 */
	async readNext(): Promise<PageRead<Item, Page>> {
		this.refuseEndless(this.next);
		const read = await this.read(this.next);
		this.next++;
		return read;
	}

	/**
	 * The page size with which to begin again after `error`.
	 * @throws EntryTooLarge if a single item is too large, and `error` if smaller pages do not help
	 */
	smallerSize(error: unknown): number {
		if (!this.refused) throw error;
		return smallerThan(this.refused, error);
	}

	/**
	 * Reads pages, in their order; each item once.
	 * @param parallel.limiter admits the requests; by default, one page is read after the other
	 * @param parallel.atOnce maximum number of pages read concurrently
	 */
	async *pages(parallel?: { limiter: Limiter; atOnce: number }): AsyncGenerator<Item[]> {
		do {
			if (!parallel) {
				yield (await this.readNext()).fresh;
				continue;
			}
			const from = this.next;
			const to = Math.min(this.lastPage, from + Math.ceil((this.limit - this.size) / this.pageSize) - 1);
			this.refuseEndless(to);
			this.next = Math.min(to, from + parallel.atOnce - 1) + 1;
			yield* await this.range(from, this.next - 1, parallel.limiter);
		} while (this.size < this.limit && (this.hasMore || this.readsEndAgain()));
		this.isAtEnd = true;
	}

	private refuseEndless(page: number): void {
		if (page <= MAX_PAGES) return;
		const pages = `${this.lastPage} pages of ${this.pageSize} items`;
		throw new EndlessPages(`The list has ${pages}; the limit is ${MAX_PAGES} pages`);
	}

	/** Items added meanwhile are usually at the end: another reading can be avoided. */
	private readsEndAgain(): boolean {
		const [first = 0, second] = this.counts;
		if (second === undefined || this.isSound || this.hasShrunk) return false;
		if (this.endReadings++ === MAX_END_READINGS) return false;
		this.next = Math.floor(first / this.pageSize) + 1;
		return true;
	}

	/** @returns the new items of each page */
	private async range(from: number, to: number, limiter: Limiter): Promise<Item[][]> {
		const indices = Array.from({ length: to - from + 1 }, (_, index) => from + index);
		const run = await limiter.run(indices, async (index) => (await this.read(index)).fresh, {
			stopOn: () => true,
		});
		if (run.stoppedBy) throw run.stoppedBy.error;
		return run.outcomes.flatMap((outcome) => (outcome.state === 'done' ? [outcome.value] : []));
	}

	private async read(pageIndex: number): Promise<PageRead<Item, Page>> {
		const request = { pageIndex, pageSize: this.pageSize };
		const outcome = await outcomeOf(this.fetch(request));
		if (outcome.state === 'failed') {
			this.refused ??= request;
			throw outcome.error;
		}
		const page = outcome.value;
		return { page, fresh: page ? this.take(pageIndex, page) : [] };
	}

	/** @returns undefined past the end */
	private async fetch(request: PageRequest): Promise<Page | undefined> {
		for (let readings = 1; ; readings++) {
			const page = await pageOrEnd(this.source, request);
			if (!page) return undefined;
			if (page.numberOfItems === undefined) {
				// A service may cut an array at its default, and the array does not tell.
				if (page.items.length > 0 && request.pageSize > DEFAULT_PAGE_SIZE) throw new ArrayMayBeCut();
				return page;
			}
			if (!page.contradiction) return page;
			if (readings === MAX_PAGE_READINGS) throw page.contradiction;
		}
	}

	private take(pageIndex: number, page: Page): Item[] {
		const { items } = page;
		const fresh = items.filter((item) => {
			const before = this.size;
			this.seen.add(this.source.identity(item));
			return this.size > before;
		});
		this.listed += items.length;
		if (page.numberOfItems === undefined) {
			// Another one follows an array of exactly this size. A service that ignores the page number
			// repeats the first one; new items may move all of it to the next place, but not twice.
			const isWhole = this.size === this.pageSize && this.listed >= ARRAY_READINGS * this.size;
			if (items.length === this.pageSize && !isWhole) this.lastPage = Math.max(this.lastPage, pageIndex + 1);
			return fresh;
		}
		if (this.counts.length === 0) this.pageSize = page.pageSize;
		if (this.counts.at(-1) !== page.numberOfItems) this.counts.push(page.numberOfItems);
		// No page follows an empty one, whatever it counts.
		if (items.length > 0) this.lastPage = Math.max(this.lastPage, page.numberOfPages);
		return fresh;
	}
}

/** An array whose pages must be requested in the documented size. */
class ArrayMayBeCut extends Error {}

async function pageOrEnd<Page>(
	{ fetchPage }: { fetchPage: (request: PageRequest) => Promise<Page> },
	request: PageRequest,
): Promise<Page | undefined> {
	const outcome = await outcomeOf(fetchPage(request));
	if (outcome.state === 'done') return outcome.value;
	if (request.pageIndex > 1 && outcome.error instanceof NotFound) return undefined;
	throw outcome.error;
}

/** The documented page size, or half of one that is too large. @throws see `smallerSize` */
function smallerThan({ pageIndex, pageSize }: PageRequest, error: unknown): number {
	if (error instanceof ArrayMayBeCut) return DEFAULT_PAGE_SIZE;
	if (error instanceof BadRequest && pageSize > DEFAULT_PAGE_SIZE) return DEFAULT_PAGE_SIZE;
	if (!(error instanceof ResponseTooLarge)) throw error;
	if (pageSize === 1) throw new EntryTooLarge(pageIndex, error);
	return Math.floor(pageSize / 2);
}

/**
 * The page size after a page was refused, at which the items of a page that is too large can be
 * read.
 * @throws what `ListReading.smallerSize` and `fetchPage` throw
 */
export async function smallerPageSize(
	source: { fetchPage: (request: PageRequest) => Promise<unknown> },
	refused: PageRequest,
	error: unknown,
): Promise<number> {
	const pageSize = smallerThan(refused, error);
	if (!(error instanceof ResponseTooLarge)) return pageSize;
	const start = (refused.pageIndex - 1) * refused.pageSize;
	const end = start + refused.pageSize;
	for (let pageIndex = Math.floor(start / pageSize) + 1; (pageIndex - 1) * pageSize < end; pageIndex++) {
		const request = { pageIndex, pageSize };
		const outcome = await outcomeOf(pageOrEnd(source, request));
		if (outcome.state === 'failed') return await smallerPageSize(source, request, outcome.error);
		if (!outcome.value) break;
	}
	return pageSize;
}
