import { InvalidInput } from '../errors';
import type { Page } from '../hal/links';
import { outcomeOf } from '../http/limiter';
import type { ResponseTooLarge } from '../http/responseLimit';
import { BatchAnchor, type BatchEnd } from './batchAnchor';
import { pageFrom } from './pagePlace';
import type { FetchPage } from './pageScanPlan';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, refusesPageSize } from './pageSizes';
import { hasShrunk, inSmallerPages } from './smallerPages';

/** Maximum number of searches for the position of a batch in a list that keeps changing. */
const MAX_SEARCHES = 5;

/** Minimum number of items to request: the last one read, the next one, and the one after it. */
const MIN_WINDOW = 3;

export interface BatchPlan<Item> {
	fetchPage: FetchPage<Item>;
	/** Reads the whole list, if the service does not count its items (§2.2). */
	fetchAll: () => Promise<readonly Item[]>;
	/** Placeholder for an item that is too large to read, by its sequence number in the list. */
	unreadable: (position: number, error: ResponseTooLarge) => Item;
	/** Distinguishes items. */
	identity: (item: Item) => string;
}

export interface Batch<Item> {
	items: Item[];
	/** Where the batch ended; undefined if no item follows. */
	end: BatchEnd | undefined;
}

/** Consecutive items of a list. */
interface Window<Item> {
	items: readonly Item[];
	/** Position of the first one, counted from 0. */
	at: number;
	/** Whether the list ends with it. */
	isLast: boolean;
}

/**
 * Reads the next items of a paged collection (§2.2). Each response must begin with the last item of
 * the preceding one. If that item has moved, because items were added or removed, it is searched
 * for: every item that keeps its position relative to the others is in exactly one batch.
 * @param from where the preceding batch ended; undefined for the first batch
 * @throws InvalidInput if the position is lost, and what `fetchPage` throws
 */
export async function readBatch<Item>(
	plan: BatchPlan<Item>,
	from: BatchEnd | undefined,
	size: number,
): Promise<Batch<Item>> {
	return await new BatchReader(plan, from).read(size);
}

class BatchReader<Item> {
	private readonly fetchPage: FetchPage<Item>;
	private readonly anchor: BatchAnchor;
	private readonly taken = new Map<string, Item>();
	private maxPageSize = MAX_PAGE_SIZE;
	/** The whole list, for a service that does not count items. */
	private all: readonly Item[] | undefined;
	private count: number | undefined;
	private windowSize = 0;
	/** The largest page size for which capped pages are recognized. */
	private proven = 0;

	constructor(
		private readonly plan: BatchPlan<Item>,
		private readonly from: BatchEnd | undefined,
	) {
		this.fetchPage = inSmallerPages(plan.fetchPage, plan.unreadable);
		this.anchor = new BatchAnchor(from);
	}

	async read(size: number): Promise<Batch<Item>> {
		for (let searches = 0; ; ) {
			const wanted = size - this.taken.size;
			// Two more: the last item of the preceding batch, and the first item of the next one.
			const window = await this.windowAt(this.anchor.at, wanted + 2);
			if (!this.anchor.isAt(this.idsOf(window.items))) {
				if (++searches > MAX_SEARCHES) throw keepsChanging();
				if (!(await this.search())) return this.batch(undefined);
				continue;
			}
			searches = 0;
			const isEnd = this.take(window, wanted);
			if (isEnd) return this.batch(undefined);
			if (this.taken.size >= size) return this.batch(this.anchor.end(this.count));
		}
	}

	/** @returns whether no item follows */
	private take({ items, at, isLast }: Window<Item>, wanted: number): boolean {
		const skipped = this.anchor.isRead ? 1 : 0;
		const unread = items.slice(skipped);
		const isEnd = isLast && unread.length <= wanted;
		const looked = isEnd || unread.length === 1 ? unread.length : unread.length - 1;
		const taken = unread.slice(0, Math.min(wanted, looked));
		for (const item of taken) this.taken.set(this.plan.identity(item), item);
		const [last] = this.idsOf(taken.slice(-1));
		const [next] = this.idsOf(unread.slice(taken.length, taken.length + 1));
		if (last !== undefined) this.anchor.moveTo({ at: at + skipped + taken.length - 1, last, next });
		return isEnd;
	}

	private idsOf(items: readonly Item[]): string[] {
		return items.map((item) => this.plan.identity(item));
	}

	private batch(end: BatchEnd | undefined): Batch<Item> {
		return { items: [...this.taken.values()], end };
	}

	/** Items from a position on: those of one page, or more if they are too few to continue. */
	private async windowAt(at: number, wanted: number): Promise<Window<Item>> {
		for (let changes = 0; changes <= MAX_SEARCHES; ) {
			const { page, size } = pageFrom(at, wanted, this.maxPageSize);
			this.windowSize = size;
			const items: Item[] = [];
			for (let index = page; ; index++) {
				const before = index === page ? undefined : this.count;
				const found = await this.pageAt(index, size);
				if (this.all) return { items: this.all.slice(at), at, isLast: true };
				// All pages must be from the same state of the list.
				const isOther = before !== undefined && before !== this.count;
				if (isOther) changes++;
				if (!found || isOther) break;
				items.push(...(index === page ? found.items.slice(at - (page - 1) * size) : found.items));
				if (found.isLast || items.length >= Math.min(wanted, MIN_WINDOW))
					return { items, at, isLast: found.isLast };
			}
		}
		throw keepsChanging();
	}

	/** @returns undefined if the service uses smaller pages, which start at other positions */
	private async pageAt(index: number, size: number): Promise<Omit<Window<Item>, 'at'> | undefined> {
		const page = await this.requested(index, size);
		if (!page) return undefined;
		const { items, pageSize, numberOfItems, partCounts } = page;
		if (hasShrunk(partCounts)) throw keepsChanging();
		this.count = numberOfItems;
		if (numberOfItems === undefined || items.length > size) {
			this.all = await this.plan.fetchAll();
			return { items: this.all, isLast: true };
		}
		const expected = Math.min(size, numberOfItems - (index - 1) * size);
		const isCut = items.length > 0 && items.length < expected;
		const served = Math.min(pageSize || size, isCut ? items.length : size);
		if (served < size) {
			this.maxPageSize = served;
			return undefined;
		}
		return { items, isLast: (index - 1) * size + items.length >= numberOfItems };
	}

	/**
	 * Reads the first page in the size of the window, because a service may cap its pages and state
	 * the requested size nevertheless: only the first page begins at the same item at any size. Pages
	 * that turn out to be capped are then read in parts.
	 */
	private async proveSize(): Promise<void> {
		const { windowSize } = this;
		if (windowSize <= this.proven) return;
		this.proven = windowSize;
		await this.requested(1, windowSize);
	}

	/** @returns undefined if the service refuses pages of this size */
	private async requested(index: number, size: number): Promise<Page<Item> | undefined> {
		const outcome = await outcomeOf(this.fetchPage(index, size));
		if (outcome.state === 'done') return outcome.value;
		if (!refusesPageSize(outcome.error, size)) throw outcome.error;
		this.maxPageSize = DEFAULT_PAGE_SIZE;
		return undefined;
	}

	/**
	 * Searches for the position of the batch, starting with the pages near the expected one.
	 * @returns false if the list is empty now
	 */
	private async search(): Promise<boolean> {
		if (this.all) return this.anchor.isFoundIn(this.idsOf(this.all), 0, true) || this.orLost(this.all.length);
		await this.proveSize();
		const size = this.maxPageSize;
		const grown = (this.count ?? 0) - (this.from?.count ?? 0);
		const guess = Math.floor(Math.max(0, this.anchor.at + grown) / size) + 1;
		const pages = Math.max(1, Math.ceil((this.count ?? 0) / size));
		const unseen = outwards(Math.min(guess, pages), pages);
		for (const [seen, index] of unseen.entries()) {
			const found = await this.pageAt(index, size);
			if (!found || this.all) return await this.search();
			const isAll = seen === unseen.length - 1;
			if (this.anchor.isFoundIn(this.idsOf(found.items), (index - 1) * size, isAll)) return true;
		}
		return this.orLost(this.count ?? 0);
	}

	private orLost(count: number): boolean {
		if (count === 0) return false;
		throw new InvalidInput(
			'The rows before and after the start of the next batch are no longer in the list',
			'They were deleted, or no longer meet the conditions. Start again without a cursor, or read all rows at once.',
		);
	}
}

/** All numbers from 1 to `last`, those near `first` first. */
function outwards(first: number, last: number): number[] {
	const numbers = Array.from({ length: last }, (_, at) => at + 1);
	return numbers.sort((one, other) => Math.abs(one - first) - Math.abs(other - first));
}

function keepsChanging(): InvalidInput {
	return new InvalidInput(
		'The list kept changing while the position of the next batch was searched for',
		'Run the node again when fewer changes are being made.',
	);
}
