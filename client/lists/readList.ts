import { TextNumbers } from '../formats/textNumbers';
import { outcomeOf, type Limiter } from '../http/limiter';
import {
	ListReading,
	smallerPageSize,
	type Identities,
	type PageSource,
	type ReadingFacts,
} from './listReading';
import { MAX_PAGE_SIZE } from './page';

/** Maximum number of readings of a list that keeps changing. */
const MAX_READINGS = 3;
/** Maximum number of pages in memory while a list is streamed. */
const STREAMED_PAGES = 16;

/** A list that can be read concurrently. */
export interface ListSource<Item> extends PageSource<Item> {
	/** Limits concurrent requests. */
	limiter: Limiter;
	/** Largest page size to request; `MAX_PAGE_SIZE` if omitted. */
	maxPageSize?: number;
}

/** Facts about a list that changed during every reading. */
export interface UnstableRead extends ReadingFacts {
	/** Number of readings; the facts are those of the last one. */
	readings: number;
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
		const reading = new ListReading(source, pageSize, { limit, seen: identities() });
		const pages = reading.pages({ limiter: source.limiter, atOnce });
		const outcome = await outcomeOf(use(pages, reading));
		if (outcome.state === 'failed') {
			if (!reading.refused) throw outcome.error;
			pageSize = await smallerPageSize(source, reading.refused, outcome.error);
			continue;
		}
		const { value: result } = outcome;
		if (!reading.isAtEnd || reading.isSound) return { result };
		if (readings++ < MAX_READINGS) continue;
		return { result, unstable: { readings: MAX_READINGS, ...reading.facts } };
	}
}
