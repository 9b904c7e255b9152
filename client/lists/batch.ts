import { InvalidInput } from '../errors';
import { outcomeOf } from '../http/limiter';
import { ListReading, smallerPageSize, type PageSource } from './listReading';
import { MAX_PAGE_SIZE } from './page';

/** Maximum number of successive readings of a list that keeps changing. */
const MAX_READINGS = 6;
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

/**
 * Reads the next items of a list (§2.2). The last item of the preceding batch, or the item after
 * it, shows where they begin: every item that keeps its position relative to the others is in
 * exactly one batch. These two are looked for at the position, then 1,000 items (a batch, if it is
 * larger) before and after it.
 * @param from where the preceding batch ended; undefined for the first batch
 * @throws InvalidInput if the position is lost, EntryTooLarge, and what `fetchPage` throws
 */
export async function readBatch<Item>(
	source: PageSource<Item>,
	from: BatchEnd | undefined,
	size: number,
): Promise<Batch<Item>> {
	const reader = new BatchReader(source, size);
	const items: Item[] = [];
	let end = from;
	for (let readings = 0; readings < MAX_READINGS; readings++) {
		const wanted = size - items.length;
		const unread = await reader.after(end, wanted);
		if (!unread) continue;
		const isEnd = unread.isLast && unread.items.length <= wanted;
		// The item after the batch must be known, to recognize its position.
		const certain = isEnd ? wanted : Math.max(1, unread.items.length - 1);
		const batch = unread.items.slice(0, Math.min(wanted, certain));
		items.push(...batch);
		if (isEnd) return { items, end: undefined };
		const position = unread.start + batch.length;
		const [last, next = null] = unread.items.slice(Math.max(0, batch.length - 1)).map(source.identity);
		end = last === undefined ? end && { ...end, position } : { position, last, next };
		if (items.length === size) return { items, end };
		if (batch.length > 0) readings = 0;
	}
	throw new InvalidInput(
		'The list kept changing while the position of the next batch was searched for',
		'Run the node again when fewer changes are being made.',
	);
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
	private maxPageSize = MAX_PAGE_SIZE;

	/** @param size of a batch */
	constructor(
		private readonly source: PageSource<Item>,
		private readonly size: number,
	) {}

	/**
	 * Items after the end of the preceding batch.
	 * @returns undefined if they must be read again
	 * @throws InvalidInput if the end is not where it may be
	 */
	async after(end: BatchEnd | undefined, wanted: number): Promise<Window<Item> | undefined> {
		if (!end) return await this.window(0, wanted + 1, MIN_WINDOW);
		const last = Math.max(0, end.position - 1);
		for (const reach of [0, Math.max(this.size, MAX_PAGE_SIZE)]) {
			const from = Math.max(0, last - reach);
			const least = last - from + Math.max(reach, MIN_WINDOW);
			// Two more: the last item of the preceding batch, and the first item of the next one.
			const window = await this.window(from, Math.max(least, wanted + 2), least);
			if (!window) return undefined;
			const unread = this.unreadIn(window, end);
			if (unread) return unread;
		}
		throw new InvalidInput(
			'The rows before and after the start of the next batch are no longer in the list near their position',
			'They were deleted, moved, or no longer meet the conditions. Start again without a cursor, or read all rows at once.',
		);
	}

	/** @returns undefined if the window does not show where unread items begin */
	private unreadIn(window: Window<Item>, end: BatchEnd): Window<Item> | undefined {
		const ids = window.items.map(this.source.identity);
		const last = ids.indexOf(end.last);
		const next = end.next === null ? -1 : ids.indexOf(end.next);
		if (last > next && next !== -1)
			throw new InvalidInput(
				'The last row of the preceding batch is now after the row that followed it',
				'Sort by columns whose values do not change while the batches are read, and start again without a cursor.',
			);
		const isListEmpty = ids.length === 0 && window.start === 0;
		if (last === -1 && next === -1 && !isListEmpty) return undefined;
		const first = last === -1 ? Math.max(0, next) : last + 1;
		return { ...window, items: window.items.slice(first), start: window.start + first };
	}

	/**
	 * Items around a position: one page, or more if it has less than `least` items from there on.
	 * @returns undefined if they must be read again, because the list or the page size changed
	 */
	private async window(from: number, wanted: number, least: number): Promise<Window<Item> | undefined> {
		const pageSize = pageSizeAt(from, wanted, this.maxPageSize);
		const before = Math.floor(from / pageSize);
		const reading = new ListReading(this.source, pageSize, { from: before + 1 });
		const start = before * pageSize;
		const items: Item[] = [];
		do {
			const outcome = await outcomeOf(reading.readNext());
			if (outcome.state === 'failed') {
				if (!reading.refused) throw outcome.error;
				this.maxPageSize = await smallerPageSize(this.source, reading.refused, outcome.error);
				return undefined;
			}
			if (reading.pageSize !== pageSize) this.maxPageSize = reading.pageSize;
			if (reading.pageSize !== pageSize || reading.counts.length > 1) return undefined;
			items.push(...outcome.value.fresh);
		} while (reading.hasMore && start + items.length < from + least);
		return { items, start, isLast: !reading.hasMore };
	}
}

/** The size of the page that has the most items from a position on, up to `wanted`. */
function pageSizeAt(position: number, wanted: number, max: number): number {
	const itemsOf = (size: number) => Math.min(wanted, size - (position % size));
	let best = 1;
	for (let size = 2; size <= max; size++) if (itemsOf(size) > itemsOf(best)) best = size;
	return best;
}
