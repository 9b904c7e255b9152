import { BadRequest, EndlessPages } from '../errors';
import { outcomeOf } from '../http/limiter';
import { inSmallerPages } from './smallerPages';
import { PageScan, type FetchPage, type PageScanFacts, type PageScanPlan } from './pageScan';

/**
 * §8 does not say how large a page may be. A larger wish is
 * answered with as many as the service likes.
 */
const LARGEST_PAGE = 1000;

/** §4: what a page holds where nothing is asked for; every service can give that much. */
const DEFAULT_PAGE = 300;

/** Sweeps over a list that changes meanwhile, until one of them is sound. */
const MAX_SCANS = 3;

/** What is known of a list that would not come to rest while it was read. */
export interface Drift extends PageScanFacts {
	/** How often the whole list was read; the facts are those of the last time. */
	scans: number;
}

export interface Items<Item> {
	/** In the order of the pages, each identity once. */
	items: Item[];
	/**
	 * There only where every scan met changes. Then `items` are those of the last scan, followed by
	 * those that only an earlier one met: nothing that was there all the time is missing unless each
	 * scan missed it, but something deleted meanwhile may be among them.
	 */
	drift?: Drift;
}

/**
 * Reads a paged collection (§2.2): the first page alone, since it tells how many there are and how
 * large they really are, the others in parallel through the limiter. A limit is met with no page
 * too many; a short page is made up for by the next.
 *
 * The service has no snapshot, so a list that changes meanwhile shifts under its pages. What was
 * read is sound if as many different items were found as the last answer counts, and the count
 * never went down. If it is not, all is read again, up to three times. One change cannot be seen by
 * that: an item deleted from a page already read and another added behind it, both between the same
 * two answers, leave all counts as they were and can hide one item at a page's edge.
 *
 * A list that stands still costs as many requests as it has pages.
 * @throws EndlessPages where the pages have no end or their counts cannot be true, and what
 *   `fetchPage` throws: a part of a list is never passed off as the whole
 */
export async function readPages<Item>(given: PageScanPlan<Item>): Promise<Items<Item>> {
	const { limit = Number.POSITIVE_INFINITY, identity } = given;
	if (limit <= 0) return { items: [] };
	const plan = { ...given, fetchPage: inSmallerPages(checked(given), given.unreadable) };
	let known = new Map<string, Item>();
	let mostAtATime = LARGEST_PAGE;
	for (let scans = 1; ; scans++) {
		const { page, asked } = await readFirst(plan.fetchPage, limit, mostAtATime);
		const scan = new PageScan(plan, page, asked);
		await scan.read();
		const items = scan.items();
		if (scan.isSound) return { items };
		known = joined(items, known, identity);
		if (scan.smallerPage !== undefined) {
			mostAtATime = scan.smallerPage;
			scans--;
			continue;
		}
		if (scans < MAX_SCANS) continue;
		if (scan.isRepetitive)
			throw new EndlessPages('The service answers each page of the list with the same items');
		return { items: [...known.values()].slice(0, limit), drift: { scans, ...scan.facts } };
	}
}

/** Looks before each page whether the reading may go on. */
function checked<Item>({ fetchPage, refusal }: PageScanPlan<Item>): FetchPage<Item> {
	return async (pageIndex, pageSize) => {
		const error = refusal?.();
		return error ? await Promise.reject(error) : await fetchPage(pageIndex, pageSize);
	};
}

/** Those of the newest scan in their order, then those that only an earlier one met. */
function joined<Item>(newest: Item[], earlier: Map<string, Item>, identity: (item: Item) => string) {
	const all = new Map(newest.map((item) => [identity(item), item]));
	for (const [id, item] of earlier) if (!all.has(id)) all.set(id, item);
	return all;
}

/**
 * Asks for as much as a page may hold, spread evenly over the pages that a limit needs. A service
 * may refuse a large wish.
 */
async function readFirst<Item>(fetchPage: FetchPage<Item>, limit: number, most: number) {
	const asked = limit === Number.POSITIVE_INFINITY ? most : Math.ceil(limit / Math.ceil(limit / most));
	const first = await outcomeOf(fetchPage(1, asked));
	if (first.state === 'done') return { page: first.value, asked };
	if (!(first.error instanceof BadRequest) || asked <= DEFAULT_PAGE) throw first.error;
	return { page: await fetchPage(1, DEFAULT_PAGE), asked: DEFAULT_PAGE };
}
