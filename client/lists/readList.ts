import { BadRequest, EndlessPages, EntryTooLarge, type InvalidList, NotFound } from '../errors';
import { TextNumbers } from '../formats/textNumbers';
import { outcomeOf, type Limiter } from '../http/limiter';
import { ResponseTooLarge } from '../http/responseLimit';
import { DEFAULT_PAGE_SIZE, MAX_PAGES, MAX_PAGE_SIZE, type ListPage, type PageRequest } from './page';

/** Maximum number of readings of a list that keeps changing. */
const MAX_READINGS = 3;
/** Maximum number of times that the end of a growing list is read again. */
const MAX_END_READINGS = 3;
/** Maximum number of pages in memory while a list is streamed. */
const STREAMED_PAGES = 16;

/** A list of the service (§2.2). */
export interface ListSource<Item> {
	/** Reads one page. @throws NotFound if the service has no such page */
	fetchPage: (request: PageRequest) => Promise<ListPage<Item>>;
	/** Distinguishes items: `_id` of an entity, `id` of anything else (§2.1). */
	identity: (item: Item) => string;
	/** Limits concurrent requests. */
	limiter: Limiter;
	/** Largest page size to request; `MAX_PAGE_SIZE` if omitted. */
	maxPageSize?: number;
	/** Whether items are only told apart by their pages, so that no count may change meanwhile. */
	isPositional?: boolean;
}

/** Facts about a list that changed during every reading. */
export interface UnstableRead {
	/** Number of readings; the facts are those of the last one. */
	readings: number;
	/** Different values of `numberOfItems`, in the order of the responses. */
	numberOfItems: readonly number[];
	/** Number of different items. */
	found: number;
	/** Number of items on more than one page. */
	duplicates: number;
}

export interface Items<Item> {
	/** In the order of the pages, each identity once. */
	items: Item[];
	/**
	 * Set if the list changed during every reading. `items` are then those of the last one, followed
	 * by those that only earlier ones found.
	 */
	unstable?: UnstableRead;
	/** Set if the list has more than `maxPages` pages: only the first one was read. */
	isTooLong?: true;
}

export interface ListLimits {
	/** Maximum number of items. */
	limit?: number | undefined;
	/** A list of more pages is not read past its first page. */
	maxPages?: number | undefined;
}

/**
 * Reads a list: the first page alone, because its counts and its page size hold for the others,
 * then those concurrently through the limiter. With a limit, no unnecessary page is read.
 *
 * The service has no snapshots, so items move between pages if the list changes meanwhile. A
 * reading is sound if it has as many different items as the last response counts, and no count
 * fell; otherwise the list is read again. One case is not detected: an item deleted from a page
 * already read and another one added after it, both between two responses.
 * @throws EndlessPages, EntryTooLarge, and what `fetchPage` throws: a part is never the result
 */
export async function readList<Item>(
	source: ListSource<Item>,
	{ limit = Number.POSITIVE_INFINITY, maxPages = Number.POSITIVE_INFINITY }: ListLimits = {},
): Promise<Items<Item>> {
	if (limit <= 0) return { items: [] };
	const readings: Item[][] = [];
	const collect = async (pages: AsyncIterable<Item[]>, reading: ListReading<Item>): Promise<Items<Item>> => {
		const items: Item[] = [];
		readings.unshift(items);
		for await (const page of pages) {
			if (reading.lastPage > maxPages) return { items: [], isTooLong: true };
			for (const item of page) items.push(item);
		}
		return { items: items.slice(0, limit) };
	};
	const { result, unstable } = await streamList(source, collect, {
		limit,
		atOnce: Number.POSITIVE_INFINITY,
		identities: () => new Set(),
	});
	if (!unstable) return result;
	const all = new Map<string, Item>();
	for (const item of readings.flat()) {
		const id = source.identity(item);
		if (!all.has(id)) all.set(id, item);
	}
	return { items: [...all.values()].slice(0, limit), unstable };
}

export interface StreamedRead<Result> {
	/** The result of `use` for the last reading. */
	result: Result;
	/** Set if the list changed during every reading, so that the last one may be incomplete. */
	unstable?: UnstableRead;
}

/**
 * Reads a list like `readList`, page by page.
 * @param use consumes the pages of one reading, in their order, each identity once. It is called
 * again with those of another reading if the list changed meanwhile, or if pages must be smaller;
 * if it stops early, it is not
 * @param options.limit maximum number of items
 * @param options.atOnce maximum number of pages read concurrently
 * @param options.identities holds the identities of one reading: by default outside the JavaScript
 * heap; a set is twice as fast
 * @throws what `readList` throws, and what `use` throws
 */
export async function streamList<Item, Result>(
	source: ListSource<Item>,
	use: (pages: AsyncIterable<Item[]>, reading: ListReading<Item>) => Promise<Result>,
	{
		limit = Number.POSITIVE_INFINITY,
		atOnce = STREAMED_PAGES,
		identities = (): Identities => new TextNumbers(),
	} = {},
): Promise<StreamedRead<Result>> {
	const { maxPageSize = MAX_PAGE_SIZE } = source;
	// Spreads a limit evenly over its pages.
	let pageSize = Number.isFinite(limit) ? Math.ceil(limit / Math.ceil(limit / maxPageSize)) : maxPageSize;
	for (let readings = 1; ; ) {
		const reading = new ListReading(source, pageSize, { limit, maxPages: MAX_PAGES, seen: identities() });
		const outcome = await outcomeOf(use(reading.pages(atOnce), reading));
		if (outcome.state === 'failed') {
			if (!reading.refused) throw outcome.error;
			pageSize = await smallerPageSize(source, reading.refused, outcome.error);
			continue;
		}
		const { value: result } = outcome;
		if (!reading.isAtEnd || reading.isSound) return { result };
		if (readings++ < MAX_READINGS) continue;
		if (reading.contradiction) throw reading.contradiction;
		return { result, unstable: { readings: MAX_READINGS, ...reading.facts } };
	}
}

/** The identities of items, each once. */
interface Identities {
	readonly size: number;
	add: (identity: string) => unknown;
}

interface ReadingOptions {
	/** Maximum number of items. */
	limit?: number | undefined;
	/** The first page to read. */
	from?: number;
	/** Maximum number of pages; a longer list is refused before they are read. */
	maxPages?: number;
	/** Holds the identities of the items; empty. */
	seen?: Identities;
}

/** One reading of a list, from a page to its end or to the limit. */
export class ListReading<Item> {
	/** Number of the page after those that were read. */
	next: number;
	/** Number of the last page by the largest count; of bare arrays, of the next one to read. */
	lastPage: number;
	/** Whether nothing is left to read. */
	isAtEnd = false;
	/** The first page that could not be read. */
	refused: PageRequest | undefined;
	/** A page that does not have as many items as its counts say. */
	contradiction: InvalidList | undefined;
	private readonly limit: number;
	private readonly maxPages: number;
	private readonly seen: Identities;
	private readonly counts: number[] = [];
	/** Number of items on the pages that were read. */
	private listed = 0;
	private endReadings = 0;

	constructor(
		private readonly source: ListSource<Item>,
		private pageSize: number,
		{ limit, from = 1, maxPages, seen = new Set() }: ReadingOptions = {},
	) {
		this.limit = limit ?? Number.POSITIVE_INFINITY;
		this.maxPages = maxPages ?? Number.POSITIVE_INFINITY;
		this.next = from;
		this.lastPage = from;
		this.seen = seen;
	}

	/**
	 * Reads pages, in their order; each item once.
	 * @param atOnce maximum number of pages read concurrently
	 */
	async *pages(atOnce = Number.POSITIVE_INFINITY): AsyncGenerator<Item[]> {
		do {
			const from = this.next;
			const needed = Math.ceil((this.limit - this.seen.size) / this.pageSize);
			const to = Math.min(this.lastPage, from + needed - 1);
			if (to > this.maxPages)
				throw new EndlessPages(
					`The list has ${this.lastPage} pages of ${this.pageSize} items; the limit is ${this.maxPages} pages`,
				);
			this.next = Math.min(to, from + atOnce - 1) + 1;
			yield* await this.range(from, this.next - 1);
		} while (this.seen.size < this.limit && (this.hasMore || this.readsEndAgain()));
		this.isAtEnd = true;
	}

	/** Whether pages follow those that were read. */
	get hasMore(): boolean {
		return this.next <= this.lastPage;
	}

	/** Whether no item can be missing. Bare arrays have no counts. */
	get isSound(): boolean {
		if (this.counts.length === 0) return true;
		if (this.hasShrunk || (this.source.isPositional && this.counts.length > 1)) return false;
		return this.seen.size >= this.limit
			? this.listed === this.seen.size
			: this.seen.size === this.counts.at(-1);
	}

	get facts(): Omit<UnstableRead, 'readings'> {
		const { counts, listed, seen } = this;
		return { numberOfItems: [...counts], found: seen.size, duplicates: listed - seen.size };
	}

	/** The first response precedes all other requests, so a lower count is a later one. */
	private get hasShrunk(): boolean {
		const [first = 0] = this.counts;
		return Math.min(...this.counts) < first || (this.counts.at(-1) ?? 0) < Math.max(...this.counts);
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
	private async range(from: number, to: number): Promise<Item[][]> {
		const indices = Array.from({ length: to - from + 1 }, (_, index) => from + index);
		const read = async (pageIndex: number) => this.take(pageIndex, await this.fetch(pageIndex));
		const run = await this.source.limiter.run(indices, read, { stopOn: () => true });
		if (run.stoppedBy) throw run.stoppedBy.error;
		return run.outcomes.flatMap((outcome) => (outcome.state === 'done' ? [outcome.value] : []));
	}

	/** A page after the last one is empty or missing. */
	private async fetch(pageIndex: number): Promise<ListPage<Item>> {
		const request = { pageIndex, pageSize: this.pageSize };
		const outcome = await outcomeOf(this.source.fetchPage(request));
		if (outcome.state === 'done') return outcome.value;
		if (pageIndex > 1 && outcome.error instanceof NotFound) return { items: [] };
		this.refused ??= request;
		throw outcome.error;
	}

	private take(pageIndex: number, page: ListPage<Item>): Item[] {
		const { items } = page;
		const fresh = items.filter((item) => {
			const before = this.seen.size;
			this.seen.add(this.source.identity(item));
			return this.seen.size > before;
		});
		this.listed += items.length;
		if (page.numberOfItems === undefined) {
			// An array of exactly this size is followed by another one, unless it repeats the one before.
			const isFull = items.length === this.pageSize && fresh.length > 0;
			if (isFull) this.lastPage = Math.max(this.lastPage, pageIndex + 1);
			return fresh;
		}
		this.contradiction ??= page.contradiction;
		if (this.counts.length === 0) this.pageSize = page.pageSize;
		if (this.counts.at(-1) !== page.numberOfItems) this.counts.push(page.numberOfItems);
		// No page follows an empty one, whatever it counts.
		if (items.length > 0) this.lastPage = Math.max(this.lastPage, page.numberOfPages);
		return fresh;
	}
}

/**
 * The page size after a page was refused: the documented one, or the largest half at which the
 * items of a page that is too large can be read.
 * @throws EntryTooLarge if a single item is too large, and any error that smaller pages do not help
 */
export async function smallerPageSize<Item>(
	source: Pick<ListSource<Item>, 'fetchPage'>,
	refused: PageRequest,
	error: unknown,
): Promise<number> {
	if (error instanceof BadRequest && refused.pageSize > DEFAULT_PAGE_SIZE) return DEFAULT_PAGE_SIZE;
	if (!(error instanceof ResponseTooLarge)) throw error;
	if (refused.pageSize === 1) throw new EntryTooLarge(refused.pageIndex, error);
	const pageSize = Math.floor(refused.pageSize / 2);
	const start = (refused.pageIndex - 1) * refused.pageSize;
	const end = start + refused.pageSize;
	for (let pageIndex = Math.floor(start / pageSize) + 1; (pageIndex - 1) * pageSize < end; pageIndex++) {
		const request = { pageIndex, pageSize };
		const outcome = await outcomeOf(source.fetchPage(request));
		if (outcome.state === 'done') continue;
		if (pageIndex > 1 && outcome.error instanceof NotFound) break;
		return await smallerPageSize(source, request, outcome.error);
	}
	return pageSize;
}
