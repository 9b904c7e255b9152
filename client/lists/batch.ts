import { InvalidInput, NotFound } from '../errors';
import { outcomeOf } from '../http/limiter';
import { MAX_PAGE_SIZE, type ListPage, type PageRequest } from './page';
import { smallerPageSize, type ListSource } from './readList';

/** Maximum number of searches for the position of a batch in a list that keeps changing. */
const MAX_SEARCHES = 5;
/** Minimum number of items to look at: the last one of a batch, the next one, and one more. */
const MIN_WINDOW = 3;

/** Where a batch of a list ended. */
export interface BatchEnd {
	/** Number of items before the next batch. */
	position: number;
	/** Identity of the last item of the batch. */
	last: string;
	/** Identity of the item after it, which was read, too. */
	next: string | null;
}

export interface Batch<Item> {
	items: Item[];
	/** Where the batch ended; undefined if no item follows. */
	end: BatchEnd | undefined;
}

/** A list whose pages have counts. */
type PagedSource<Item> = Omit<ListSource<Item>, 'limiter'>;

/**
 * Reads the next items of a list (§2.2). Each response must contain the last item of the preceding
 * one, or the item after it. If both have moved, because items were added or removed, they are
 * searched for: every item that keeps its position relative to the others is in exactly one batch.
 * @param from where the preceding batch ended; undefined for the first batch
 * @throws InvalidInput if the position is lost, EntryTooLarge, and what `fetchPage` throws
 */
export async function readBatch<Item>(
	source: PagedSource<Item>,
	from: BatchEnd | undefined,
	size: number,
): Promise<Batch<Item>> {
	return await new BatchReader(source, from).read(size);
}

/** Consecutive items of a list. */
interface Window<Item> {
	items: readonly Item[];
	/** Position of the first one, counted from 0. */
	start: number;
	/** Whether the list ends with it. */
	isLast: boolean;
}

class BatchReader<Item> {
	private readonly batch = new Map<string, Item>();
	/** Number of items before those that were not read yet. */
	private position: number;
	private last: string | undefined;
	private next: string | undefined;
	private maxPageSize = MAX_PAGE_SIZE;
	/** Number of items of the list, by the latest response. */
	private count = 0;

	constructor(
		private readonly source: PagedSource<Item>,
		from: BatchEnd | undefined,
	) {
		this.position = from?.position ?? 0;
		this.last = from?.last;
		this.next = from?.next ?? undefined;
	}

	async read(size: number): Promise<Batch<Item>> {
		for (let searches = 0; searches <= MAX_SEARCHES; ) {
			const wanted = size - this.batch.size;
			// Two more: the last item of the preceding batch, and the first item of the next one.
			const window = await this.windowAt(Math.max(0, this.position - 1), wanted + 2);
			const unread = window && this.unreadIn(window);
			if (!unread) {
				searches++;
				if (window && !(await this.search())) return { items: [...this.batch.values()], end: undefined };
				continue;
			}
			const isEnd = window.isLast && unread.length <= wanted;
			// The item after the batch must be known, to recognize its position.
			const looked = isEnd || unread.length === 1 ? unread.length : unread.length - 1;
			const taken = unread.slice(0, Math.min(wanted, looked));
			searches = taken.length === 0 ? searches + 1 : 0;
			for (const item of taken) this.batch.set(this.source.identity(item), item);
			const [last] = this.idsOf(taken.slice(-1));
			this.last = last ?? this.last;
			[this.next] = this.idsOf(unread.slice(taken.length, taken.length + 1));
			this.position = window.start + window.items.length - unread.length + taken.length;
			if (isEnd || this.batch.size >= size)
				return { items: [...this.batch.values()], end: isEnd ? undefined : this.end };
		}
		throw new InvalidInput(
			'The list kept changing while the position of the next batch was searched for',
			'Run the node again when fewer changes are being made.',
		);
	}

	private get end(): BatchEnd | undefined {
		const { position, last, next = null } = this;
		return last === undefined ? undefined : { position, last, next };
	}

	private idsOf(items: readonly Item[]): string[] {
		return items.map((item) => this.source.identity(item));
	}

	/** The items after those that were read; undefined if the window does not show where that is. */
	private unreadIn({ items }: Window<Item>): readonly Item[] | undefined {
		if (this.last === undefined) return items;
		const ids = this.idsOf(items);
		const at = unreadFrom(placeIn(ids, this.last), placeIn(ids, this.next));
		return at === undefined ? undefined : items.slice(at);
	}

	/**
	 * Items from a position on: those of one page, or more if they are too few to continue.
	 * @returns undefined if the list changed between the pages
	 */
	private async windowAt(start: number, wanted: number): Promise<Window<Item> | undefined> {
		const { page, size } = pageFrom(start, wanted, this.maxPageSize);
		const items: Item[] = [];
		for (let pageIndex = page; ; pageIndex++) {
			const before = this.count;
			const found = await this.pageAt({ pageIndex, pageSize: size });
			if (!found) return await this.windowAt(start, wanted);
			// All pages must be from the same state of the list.
			if (pageIndex > page && before !== this.count) return undefined;
			items.push(...(pageIndex === page ? found.slice(start - (page - 1) * size) : found));
			const isLast = found.length < size || pageIndex * size >= this.count;
			if (isLast || items.length >= Math.min(wanted, MIN_WINDOW)) return { items, start, isLast };
		}
	}

	/** @returns undefined if pages must be smaller, which start at other positions */
	private async pageAt(request: PageRequest): Promise<Item[] | undefined> {
		const outcome = await outcomeOf(this.fetch(request));
		if (outcome.state === 'failed') {
			this.maxPageSize = await smallerPageSize(this.source, request, outcome.error);
			return undefined;
		}
		const page = outcome.value;
		if (page.numberOfItems === undefined) return page.items;
		if (page.contradiction) throw page.contradiction;
		this.count = page.numberOfItems;
		if (page.pageSize === request.pageSize) return page.items;
		this.maxPageSize = page.pageSize;
		return undefined;
	}

	/** A page after the last one may be missing; the first page then tells how many there are. */
	private async fetch(request: PageRequest): Promise<ListPage<Item>> {
		const outcome = await outcomeOf(this.source.fetchPage(request));
		if (outcome.state === 'done') return outcome.value;
		if (request.pageIndex === 1 || !(outcome.error instanceof NotFound)) throw outcome.error;
		const first = await this.source.fetchPage({ ...request, pageIndex: 1 });
		return { ...first, items: [] };
	}

	/**
	 * Searches for the position of the batch, in the pages near the expected one first.
	 * @returns false if the list is empty now
	 */
	private async search(): Promise<boolean> {
		const { maxPageSize: pageSize } = this;
		const pages = Math.max(1, Math.ceil(this.count / pageSize));
		let last: number | undefined;
		let next: number | undefined;
		const indices = outwards(Math.min(Math.floor(this.position / pageSize) + 1, pages), pages);
		for (const [tried, pageIndex] of indices.entries()) {
			const items = await this.pageAt({ pageIndex, pageSize });
			if (!items) return await this.search();
			const ids = this.idsOf(items);
			const start = (pageIndex - 1) * pageSize;
			last ??= placeIn(ids, this.last, start);
			next ??= placeIn(ids, this.next, start);
			// Items may have moved to the page before or after.
			const at = tried < Math.min(2, pages - 1) ? undefined : unreadFrom(last, next);
			if (at === undefined) continue;
			this.position = at;
			return true;
		}
		if (this.count === 0) return false;
		throw new InvalidInput(
			'The rows before and after the start of the next batch are no longer in the list',
			'They were deleted, or no longer meet the conditions. Start again without a cursor, or read all rows at once.',
		);
	}
}

/** The position of an id, if it is among those from `start` on. */
function placeIn(ids: readonly string[], id: string | undefined, start = 0): number | undefined {
	const at = id === undefined ? -1 : ids.indexOf(id);
	return at === -1 ? undefined : start + at;
}

/**
 * Where unread items begin: after the last item of the preceding batch, otherwise with the item
 * that followed it.
 * @throws InvalidInput if they have another order than before
 */
function unreadFrom(last: number | undefined, next: number | undefined): number | undefined {
	if (last === undefined) return next;
	if (next === undefined || last < next) return last + 1;
	throw new InvalidInput(
		'The last row of the preceding batch is now after the row that followed it',
		'Sort by columns whose values do not change while the batches are read, and start again without a cursor.',
	);
}

/** The smallest page with the maximum number of items from a position on, up to `wanted`. */
function pageFrom(position: number, wanted: number, most: number): { page: number; size: number } {
	let best = { page: position + 1, size: 1 };
	let held = 1;
	for (let size = 2; size <= most && held < wanted; size++) {
		const holds = Math.min(wanted, size - (position % size));
		if (holds > held) [best, held] = [{ page: Math.floor(position / size) + 1, size }, holds];
	}
	return best;
}

/** All numbers from 1 to `last`, those near `first` first. */
function outwards(first: number, last: number): number[] {
	const numbers = Array.from({ length: last }, (_, at) => at + 1);
	return numbers.sort((one, other) => Math.abs(one - first) - Math.abs(other - first));
}
