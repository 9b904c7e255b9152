import { BadRequest, EndlessPages, EntryTooLarge, NotFound } from '../errors';
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
	const { result, unstable } = await untilSound<Item, Items<Item>>(source, limit, async (reading) => {
		const items: Item[] = [];
		readings.unshift(items);
		for await (const page of reading.pages()) {
			if (reading.lastPage > maxPages) return { items: [], isTooLong: true };
			for (const item of page) items.push(item);
		}
		return { items: items.slice(0, limit) };
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
 * Reads a list like `readList`, but with few pages in memory.
 * @param use consumes the pages of one reading, in their order, each identity once. It is called
 * again with those of another reading if the list changed meanwhile; if it stops early, it is not
 * @param atOnce maximum number of pages read concurrently
 * @throws what `readList` throws, and what `use` throws
 */
export async function streamList<Item, Result>(
	source: ListSource<Item>,
	use: (pages: AsyncIterable<Item[]>) => Promise<Result>,
	atOnce = STREAMED_PAGES,
): Promise<StreamedRead<Result>> {
	return await untilSound(
		source,
		Number.POSITIVE_INFINITY,
		async (reading) => await use(reading.pages(atOnce)),
	);
}

/** Reads a list until a reading is sound, or was stopped. Smaller pages start a reading anew. */
async function untilSound<Item, Result>(
	source: ListSource<Item>,
	limit: number,
	use: (reading: ListReading<Item>) => Promise<Result>,
): Promise<StreamedRead<Result>> {
	const { maxPageSize = MAX_PAGE_SIZE } = source;
	// Spreads a limit evenly over its pages.
	let pageSize =
		limit === Number.POSITIVE_INFINITY ? maxPageSize : Math.ceil(limit / Math.ceil(limit / maxPageSize));
	for (let readings = 1; ; ) {
		const reading = new ListReading(source, { pageSize, limit, isWhole: true });
		const outcome = await outcomeOf(use(reading));
		if (outcome.state === 'failed') {
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

/** How to read pages. */
interface ReadingOptions {
	pageSize: number;
	/** Maximum number of items. */
	limit?: number;
	/** The first page to read. */
	from?: number;
	/** Whether a list of too many pages is refused before they are read. */
	isWhole?: boolean;
}

/** One reading of a list, from a page to its end or to the limit. */
export class ListReading<Item> {
	/** Number of the page after those that were read. */
	next: number;
	/** Number of the last page by the largest count; of a bare array, of the next one to read. */
	lastPage: number;
	/** Whether nothing is left to read. */
	isAtEnd = false;
	/** The first page that could not be read. */
	refused: PageRequest | undefined;
	/** A page that does not have as many items as its counts say. */
	contradiction: Error | undefined;
	private readonly seen = new Set<string>();
	private readonly counts: number[] = [];
	private pageSize: number;
	private readonly limit: number;
	private duplicates = 0;
	/** Number of the last page of those that were read completely. */
	private readPages = 0;
	/** Whether a page has both new and repeated items. */
	private overlaps = false;
	private hasEnded = false;
	/** The first page that was not full when it was read: items may have been added to it. */
	private firstShort = Number.POSITIVE_INFINITY;

	constructor(
		private readonly source: ListSource<Item>,
		private readonly options: ReadingOptions,
	) {
		const { pageSize, limit = Number.POSITIVE_INFINITY, from = 1 } = options;
		this.pageSize = pageSize;
		this.limit = limit;
		this.next = from;
		this.lastPage = from;
	}

	/**
	 * Reads pages, in their order; each item once.
	 * @param atOnce maximum number of pages read concurrently
	 */
	async *pages(atOnce = Number.POSITIVE_INFINITY): AsyncGenerator<Item[]> {
		const first = this.next;
		for (let endReadings = 0; ; ) {
			const needed = Math.ceil((this.limit - this.seen.size) / this.pageSize);
			const to = Math.min(this.lastPage, this.next + Math.min(atOnce, needed) - 1);
			const from = this.next;
			this.next = to + 1;
			yield* await this.range(from, to);
			this.readPages = Math.max(this.readPages, to);
			this.refuseTooMany(first);
			if (this.hasEnded || this.seen.size >= this.limit) break;
			if (this.next <= this.lastPage && this.next <= this.firstShort) continue;
			if (this.next > this.lastPage && (this.isSound || this.hasShrunk)) break;
			const hasGrown = this.counts.length > 1 && this.firstShort <= this.lastPage;
			if (!hasGrown || endReadings === MAX_END_READINGS) break;
			// Items added meanwhile are usually at the end: another reading can be avoided.
			endReadings++;
			this.next = this.firstShort;
			this.firstShort = Number.POSITIVE_INFINITY;
		}
		this.isAtEnd = true;
	}

	/** Whether pages follow those that were read. */
	get hasMore(): boolean {
		return !this.hasEnded && this.next <= this.lastPage;
	}

	/** Whether no item can be missing. */
	get isSound(): boolean {
		const { latest } = this;
		if (latest === undefined) return !this.overlaps;
		if (this.hasShrunk || (this.source.isPositional && this.counts.length > 1)) return false;
		return this.seen.size >= this.limit ? this.duplicates === 0 : this.seen.size === latest;
	}

	get facts(): Omit<UnstableRead, 'readings'> {
		return { numberOfItems: [...this.counts], found: this.seen.size, duplicates: this.duplicates };
	}

	private get latest(): number | undefined {
		return this.counts.at(-1);
	}

	/** The first response precedes all other requests, so a lower count is a later one. */
	private get hasShrunk(): boolean {
		const { counts, latest = 0 } = this;
		return counts.some((count) => count < (counts[0] ?? 0)) || latest < Math.max(...counts);
	}

	/** @returns the new items of each page */
	private async range(from: number, to: number): Promise<Item[][]> {
		const read = async (pageIndex: number) => this.take(pageIndex, await this.fetch(pageIndex));
		const run = await this.source.limiter.run(this.indices(from, to), read, { stopOn: () => true });
		if (run.stoppedBy) throw run.stoppedBy.error;
		return run.outcomes.flatMap((outcome) => (outcome.state === 'done' ? [outcome.value] : []));
	}

	private *indices(from: number, to: number): Generator<number> {
		for (let pageIndex = from; pageIndex <= to && !this.hasEnded; pageIndex++) yield pageIndex;
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
			return this.seen.add(this.source.identity(item)).size > before;
		});
		if (pageIndex > this.readPages) this.duplicates += items.length - fresh.length;
		this.overlaps ||= fresh.length > 0 && fresh.length < items.length;
		// A service that ignores `pageIndex` repeats its array.
		this.hasEnded ||= items.length === 0 || (page.numberOfItems === undefined && fresh.length === 0);
		if (page.numberOfItems === undefined) {
			if (items.length === this.pageSize) this.lastPage = Math.max(this.lastPage, pageIndex + 1);
			return fresh;
		}
		this.contradiction ??= page.contradiction;
		if (this.counts.length === 0) this.pageSize = page.pageSize;
		if (this.latest !== page.numberOfItems) this.counts.push(page.numberOfItems);
		this.lastPage = Math.max(this.lastPage, page.numberOfPages);
		if (items.length < this.pageSize) this.firstShort = Math.min(this.firstShort, pageIndex);
		return fresh;
	}

	private refuseTooMany(first: number): void {
		const { isWhole = false } = this.options;
		const isEndless = this.next - first >= MAX_PAGES && this.next <= this.lastPage;
		if (!isEndless && !(isWhole && this.limit === Number.POSITIVE_INFINITY && this.lastPage > MAX_PAGES))
			return;
		throw new EndlessPages(
			`The list has ${this.lastPage} pages of ${this.pageSize} items; the limit is ${MAX_PAGES} pages`,
		);
	}
}

/**
 * The page size after a page was refused: the documented one, or the largest half at which the
 * items of a page that is too large can be read.
 * @throws EntryTooLarge if a single item is too large, and any error that smaller pages do not help
 */
export async function smallerPageSize<Item>(
	{ fetchPage }: Pick<ListSource<Item>, 'fetchPage'>,
	refused: PageRequest | undefined,
	error: unknown,
): Promise<number> {
	if (!refused) throw error;
	if (error instanceof BadRequest && refused.pageSize > DEFAULT_PAGE_SIZE) return DEFAULT_PAGE_SIZE;
	if (!(error instanceof ResponseTooLarge)) throw error;
	let start = (refused.pageIndex - 1) * refused.pageSize;
	let end = start + refused.pageSize;
	let problem = error;
	for (let size = refused.pageSize; ; ) {
		if (size === 1) throw new EntryTooLarge(start + 1, problem);
		size = Math.floor(size / 2);
		const tooLarge = await firstTooLarge({ start, end, size, fetchPage });
		if (!tooLarge) return size;
		({ start, end, problem } = tooLarge);
	}
}

interface Range<Item> extends Pick<ListSource<Item>, 'fetchPage'> {
	/** 0-based. */
	start: number;
	/** Exclusive. */
	end: number;
	size: number;
}

/** The first page of a range that is too large. */
async function firstTooLarge<Item>({ start, end, size, fetchPage }: Range<Item>) {
	for (let pageIndex = Math.floor(start / size) + 1; (pageIndex - 1) * size < end; pageIndex++) {
		const outcome = await outcomeOf(fetchPage({ pageIndex, pageSize: size }));
		const at = (pageIndex - 1) * size;
		if (outcome.state === 'done') continue;
		if (outcome.error instanceof ResponseTooLarge)
			return { start: at, end: at + size, problem: outcome.error };
		if (pageIndex > 1 && outcome.error instanceof NotFound) return undefined;
		throw outcome.error;
	}
	return undefined;
}
