import type { Page } from '../hal/links';
import type { Limiter } from '../http/limiter';
import type { ResponseTooLarge } from '../http/responseLimit';

/** Reads one page. @param pageIndex 1-based (§4) */
export type FetchPage<Item> = (pageIndex: number, pageSize: number) => Promise<Page<Item>>;

/** The plan of a scan. */
export interface PageScanPlan<Item> {
	fetchPage: FetchPage<Item>;
	/**
	 * Placeholder for an item that is too large to read, by its sequence number; without it, that is
	 * an error.
	 */
	unreadable?: ((position: number, error: ResponseTooLarge) => Item) | undefined;
	/** Called before each page; a returned error ends the scan. */
	refusal?: (() => Error | undefined) | undefined;
	/** Distinguishes items: `_id` of an entity, `id` of anything else (§2.1). */
	identity: (item: Item) => string;
	/** Limits concurrent requests. */
	limiter: Limiter;
	/** Maximum number of items; all if omitted. */
	limit?: number | undefined;
	/** Maximum number of pages according to the first page; unlimited if omitted. */
	maxPages?: number | undefined;
	/** Creates the set for the identities of one scan; a `Set` if omitted. */
	newSeen?: (() => SeenIdentities) | undefined;
}

/** The identities of items in a scan. */
export interface SeenIdentities {
	readonly size: number;
	add(identity: string): unknown;
}

/** Facts about changes of a list during one scan. */
export interface PageScanFacts {
	/** Different values of `numberOfItems`, in the order of the responses. */
	numberOfItems: number[];
	/** Number of different items. */
	found: number;
	/** Number of items on more than one page. */
	duplicates: number;
}
