import { EndlessPages } from '../errors';
import { outcomeOf } from '../http/limiter';
import { inSmallerPages } from './smallerPages';
import { PageScan } from './pageScan';
import type { FetchPage, PageScanFacts, PageScanPlan } from './pageScanPlan';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, refusesPageSize } from './pageSizes';

/** Maximum number of scans of a list that keeps changing. */
const MAX_SCANS = 3;

/** Facts about a list that changed during every scan. */
export interface UnstableRead extends PageScanFacts {
	/** Number of scans; the facts are those of the last one. */
	scans: number;
}

export interface Items<Item> {
	/** Set if the list has more pages than `maxPages`, so that only the first one was read. */
	isTooLong?: true;
	/** In the order of the pages, each identity once. */
	items: Item[];
	/**
	 * Set if the list changed during every scan. `items` are then those of the last scan, followed by
	 * those that only earlier scans found: they may include deleted items, and lack an item that
	 * every scan missed.
	 */
	unstable?: UnstableRead;
}

/**
 * Reads a paged collection (§2.2): the first page alone, because it reports the number of pages and
 * their real size, then the others concurrently through the limiter. With a limit, no unnecessary
 * page is read.
 *
 * The service has no snapshots, so items move between pages if the list changes. The result is
 * sound if it has as many different items as the last response counts, and the count never
 * decreased. Otherwise the list is read again, up to three times. One case is not detected: an item
 * deleted from a page already read and another added after it, both between two responses, can hide
 * an item at a page edge.
 *
 * A list that does not change takes one request per page. Several pages without any count, contrary
 * to §2.2, are read until two scans have the same items.
 * @throws EndlessPages if the pages do not end or their counts contradict each other, and what
 * `fetchPage` throws: part of a list is never returned as the whole
 */
export async function readPages<Item>(given: PageScanPlan<Item>): Promise<Items<Item>> {
	const { limit = Number.POSITIVE_INFINITY, identity, maxPages } = given;
	if (limit <= 0) return { items: [] };
	const scans: Item[][] = [];
	const { result, unstable } = await untilSound<Item, Items<Item>>(given, limit, async (scan) => {
		if (scan.isLongerThan(maxPages)) return { result: { items: [], isTooLong: true }, isFinal: true };
		await scan.read();
		const items = scan.items();
		scans.unshift(items);
		return { result: { items } };
	});
	return unstable ? { items: joined(scans, identity).slice(0, limit), unstable } : result;
}

/** The result of reading a list as a stream. */
export interface StreamedRead<Result> {
	/** The result of `use` for the last scan. */
	result: Result;
	/** Set if the list changed during every scan, so that the last one may be incomplete. */
	unstable?: UnstableRead;
}

/**
 * Reads a paged collection like `readPages`, but with few pages in memory.
 * @param use consumes all items of one scan, in the order of the pages, each identity once. It is
 * called again with the items of another scan if the list changed in the meantime.
 * @throws what `readPages` throws, and what `use` throws
 */
export async function streamPages<Item, Result>(
	given: PageScanPlan<Item>,
	use: (pages: AsyncIterable<Item[]>) => Promise<Result>,
): Promise<StreamedRead<Result>> {
	return await untilSound(given, Number.POSITIVE_INFINITY, async (scan) => ({
		result: await use(scan.stream()),
	}));
}

/**
 * Scans a list until a scan is sound or final, up to three times. A scan that requires smaller
 * pages does not count.
 */
async function untilSound<Item, Result>(
	given: PageScanPlan<Item>,
	limit: number,
	read: (scan: PageScan<Item>) => Promise<{ result: Result; isFinal?: true }>,
): Promise<StreamedRead<Result>> {
	const plan = { ...given, fetchPage: inSmallerPages(checked(given), given.unreadable) };
	let before: string | undefined;
	let maxPageSize = MAX_PAGE_SIZE;
	for (let scans = 1; ; scans++) {
		const { page, asked } = await readFirst(plan.fetchPage, limit, maxPageSize);
		const scan = new PageScan(plan, page, asked);
		const { result, isFinal = false } = await read(scan);
		if (isFinal || scan.isCompleteAfter(before)) return { result };
		before = scan.itemsDigest;
		if (scan.smallerPage !== undefined) {
			maxPageSize = scan.smallerPage;
			scans--;
			continue;
		}
		if (scans < MAX_SCANS) continue;
		refuseRepetitive(scan);
		return { result, unstable: { scans, ...scan.facts } };
	}
}

/** @throws EndlessPages if the service ignores the page number */
export function refuseRepetitive({ isRepetitive }: { isRepetitive: boolean }): void {
	if (isRepetitive) throw new EndlessPages('The service returns the same items for each page of the list');
}

/** Checks before each page whether reading may continue. */
function checked<Item>({ fetchPage, refusal }: PageScanPlan<Item>): FetchPage<Item> {
	return async (pageIndex, pageSize) => {
		const error = refusal?.();
		return error ? await Promise.reject(error) : await fetchPage(pageIndex, pageSize);
	};
}

/** The items of the first of the scans in their order, then those that only later scans contain. */
function joined<Item>(scans: readonly Item[][], identity: (item: Item) => string): Item[] {
	const all = new Map<string, Item>();
	for (const item of scans.flat()) {
		const id = identity(item);
		if (!all.has(id)) all.set(id, item);
	}
	return [...all.values()];
}

/**
 * Requests the first page, with a size that spreads a limit evenly. A service may refuse a large
 * page size.
 */
async function readFirst<Item>(fetchPage: FetchPage<Item>, limit: number, most: number) {
	const asked = limit === Number.POSITIVE_INFINITY ? most : Math.ceil(limit / Math.ceil(limit / most));
	const first = await outcomeOf(fetchPage(1, asked));
	if (first.state === 'done') return { page: first.value, asked };
	if (!refusesPageSize(first.error, asked)) throw first.error;
	return { page: await fetchPage(1, DEFAULT_PAGE_SIZE), asked: DEFAULT_PAGE_SIZE };
}
