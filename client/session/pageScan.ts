import { EndlessPages } from '../errors';
import type { Page } from '../hal/links';
import { ItemsDigest } from './itemsDigest';
import type { PageScanFacts, PageScanPlan, SeenIdentities } from './pageScanPlan';
import { actualSize, linksNext, ShortPages } from './shortPages';

/** Maximum number of pages of a list; a workflow cannot hold more. */
const MAX_PAGES = 10_000;
/** Maximum number of pages of a list that does not report their number, contrary to §2.2. */
const MAX_UNCOUNTED_PAGES = 1000;
/** Maximum number of pages requested at a time if their number is unknown. */
const MAX_CONCURRENT_PAGES = 16;
/** Maximum number of times the end of a growing list is read again. */
const TAIL_READINGS = 3;
/** Maximum number of pages in memory while items are streamed. */
const MAX_HELD_PAGES = 16;

/** One reading of a list from its first page to its end, or to the limit. */
export class PageScan<Item> {
	private readonly pages: Item[][] = [];
	/** New items of pages that were already processed. */
	private readonly late: Item[] = [];
	/** Number of processed pages. */
	private taken = 0;
	private held = Number.POSITIVE_INFINITY;
	private readonly seen: SeenIdentities;
	private readonly counts: number[] = [];
	private readonly limit: number;
	/** The page size that the service uses. */
	private readonly pageSize: number;
	/** Number of items per page. */
	private readonly capacity: number;
	/** Number of the last page in the first response, and its maximum; undefined without counts. */
	private readonly lastAtFirst: number | undefined;
	private last: number | undefined;
	private latest: number | undefined;
	private duplicates = 0;
	private overlaps = false;
	private furtherPages = 0;
	private repeatedPages = 0;
	/** Whether the list ended with a page without new items. */
	private ended = false;
	/** Pages of an uncounted list that only repeated items. */
	private readonly repetitions = new Set<number>();
	/** Digest of the items of an uncounted list. */
	private readonly digest = new ItemsDigest();
	private hasShortEnd = false;
	private isInParts = false;
	private readonly shortPages = new ShortPages();

	/**
	 * @param first the first page, already read
	 * @param asked the requested page size
	 */
	constructor(
		private readonly plan: PageScanPlan<Item>,
		first: Page<Item>,
		asked: number,
	) {
		this.seen = plan.newSeen?.() ?? new Set<string>();
		this.limit = plan.limit ?? Number.POSITIVE_INFINITY;
		const stated = first.pageSize ?? 0;
		this.pageSize = actualSize(first, stated >= 1 && stated <= asked ? stated : asked);
		const isTrue = first.numberOfPages === Math.ceil((first.numberOfItems ?? -1) / this.pageSize);
		const { length } = first.items;
		this.capacity = Math.max(1, isTrue ? this.pageSize : length);
		// A first page that exceeds the requested size, or is not full, is the whole list.
		const isWhole = !linksNext(first) && (length > asked || (stated >= 1 && length < this.pageSize));
		this.lastAtFirst = this.statedLast(first) ?? (isWhole ? 1 : undefined);
		this.last = this.lastAtFirst;
		this.take(1, first);
	}

	/**
	 * Reads the pages after the first.
	 * @throws EndlessPages, and what `fetchPage` throws
	 */
	async read(): Promise<void> {
		for (const ranges = this.ranges(); !(await ranges.next()).done; );
	}

	/**
	 * Like `read`, but yields the items page by page, with few pages in memory. Not for a scan with
	 * a limit.
	 */
	async *stream(): AsyncGenerator<Item[]> {
		this.held = MAX_HELD_PAGES;
		const ranges = this.ranges();
		while (!(await ranges.next()).done) yield* this.takePages();
		yield* this.takePages();
		yield this.late;
	}

	private *takePages(): Generator<Item[]> {
		for (; this.taken < this.pages.length; this.taken++) {
			yield this.pages[this.taken] ?? [];
			delete this.pages[this.taken];
		}
	}

	/** Reads ranges of pages; yields when all pages before the last one read are complete. */
	private async *ranges(): AsyncGenerator<void> {
		if (this.last === undefined) yield* this.readUncounted();
		else yield* this.readCounted();
	}

	/** Whether all further pages only repeated the first one. */
	get isRepetitive(): boolean {
		return this.last !== undefined && this.furtherPages > 0 && this.repeatedPages === this.furtherPages;
	}

	/** Whether the list has more pages, or an unknown number of pages. */
	isLongerThan(maxPages = Number.POSITIVE_INFINITY): boolean {
		return (this.last ?? Number.MAX_SAFE_INTEGER) > maxPages;
	}

	/**
	 * A smaller page size, if a page ended early although others follow: its missing items are on
	 * no other page. At most half of the current size, so that few scans are needed.
	 */
	get smallerPage(): number | undefined {
		const { cutTo } = this.shortPages;
		if (cutTo === undefined || this.pageSize === 1) return undefined;
		return Math.min(cutTo, Math.floor(this.pageSize / 2));
	}

	/**
	 * Whether no item can be missing: as many different items as the latest response counts, and a
	 * count that never decreased. If the limit ends the scan before the end of the list, no item
	 * may have occurred on two pages. Several pages without any count are sound if they do not
	 * overlap and the preceding scan had the same items.
	 * @param before digest of the preceding scan
	 */
	isCompleteAfter(before: string | undefined): boolean {
		if (this.isRepetitive || this.shortPages.cutTo !== undefined) return false;
		if (this.latest === undefined)
			return this.isSinglePage || (!this.overlaps && this.itemsDigest === before);
		if (this.hasShrunk || this.latest < Math.max(...this.counts)) return false;
		return this.found >= this.limit ? this.duplicates === 0 : this.found === this.latest;
	}

	/** Identifies the items of an uncounted list, in any order. */
	get itemsDigest(): string {
		return this.digest.value;
	}

	/**
	 * Whether the first page is the whole list: all others repeat it. An empty one proves nothing,
	 * because items may have moved to the first page in the meantime, nor does one read in parts.
	 */
	private get isSinglePage(): boolean {
		return this.found === 0 || (this.furtherPages === this.repeatedPages && !this.isInParts);
	}

	/** Facts about changes of the list during the scan. */
	get facts(): PageScanFacts {
		return { numberOfItems: [...this.counts], found: this.found, duplicates: this.duplicates };
	}

	/** The items in the order of the pages, each identity once, up to the limit. */
	items(): Item[] {
		return this.pages.flat().slice(0, this.limit);
	}

	private get found(): number {
		return this.seen.size;
	}

	/** The first response precedes all other requests, so a lower count is a later one. */
	private get hasShrunk(): boolean {
		return this.counts.some((count) => count < (this.counts[0] ?? 0));
	}

	private async *readCounted(): AsyncGenerator<void> {
		let next = 2;
		for (let readings = 0; ; readings++) {
			while (next <= (this.last ?? 0) && this.found < this.limit && !this.ended) {
				this.refuseTooMany();
				const to = Math.min(this.last ?? 0, next - 1 + this.pagesNeeded());
				await this.readRange(next, to);
				next = to + 1;
				yield;
			}
			if (this.found >= this.limit || this.hasShrunk || readings === TAIL_READINGS) return;
			if (this.latest === undefined || (this.isCompleteAfter(undefined) && this.counts.length === 1)) return;
			// Items added in the meantime are usually at the end: another scan can be avoided.
			const before = [this.found, this.latest];
			await this.readRange(Math.min(this.lastAtFirst ?? 1, next - 1), next - 1, true);
			if (before[0] === this.found && before[1] === this.latest) return;
		}
	}

	private async *readUncounted(): AsyncGenerator<void> {
		let next = 2;
		for (let step = 1; this.found < this.limit && !this.ended && !this.hasShortEnd; step *= 2) {
			if (next > MAX_UNCOUNTED_PAGES)
				throw new EndlessPages(
					`The service does not report the number of pages, and the list has more than ${MAX_UNCOUNTED_PAGES}`,
				);
			// A repetition usually means that `pageIndex` is ignored: one more page shows it.
			if (this.repetitions.has(next - 1)) step = 1;
			const to = next - 1 + Math.min(step, MAX_CONCURRENT_PAGES, this.pagesNeeded());
			await this.readRange(next, to);
			next = to + 1;
			yield;
		}
	}

	private pagesNeeded(): number {
		return Math.min(this.held, Math.ceil((this.limit - this.found) / this.capacity));
	}

	private async readRange(from: number, to: number, again = false): Promise<void> {
		const read = async (pageIndex: number) => {
			this.take(pageIndex, await this.plan.fetchPage(pageIndex, this.pageSize), again);
		};
		const run = await this.plan.limiter.run(this.indices(from, to), read, { stopOn: () => true });
		if (run.stoppedBy) throw run.stoppedBy.error;
	}

	private *indices(from: number, to: number): Generator<number> {
		for (let pageIndex = from; pageIndex <= to && !this.ended; pageIndex++) yield pageIndex;
	}

	private take(pageIndex: number, page: Page<Item>, again = false): void {
		this.note(page);
		const { length } = page.items;
		this.shortPages.note(pageIndex, page, this.pageSize);
		const fresh = page.items.filter((item) => {
			const id = this.plan.identity(item);
			const before = this.seen.size;
			this.seen.add(id);
			if (this.seen.size === before) return false;
			// Counts prove a scan without it.
			if (this.latest === undefined) this.digest.add(id);
			return true;
		});
		if (again) {
			(this.pages[pageIndex - 1] ?? this.late).push(...fresh);
			return;
		}
		this.pages[pageIndex - 1] = fresh;
		this.duplicates += length - fresh.length;
		this.overlaps ||= fresh.length > 0 && fresh.length < length;
		if (pageIndex === 1) return;
		this.furtherPages++;
		// A shorter page holds rows that moved there, so others may have moved to the first page.
		if (fresh.length === 0 && length >= this.capacity) this.repeatedPages++;
		if (fresh.length === 0) this.ended ||= this.isEnd(pageIndex, length);
		else this.shortPages.noteNewItems(pageIndex);
		if (length < this.capacity && !linksNext(page)) this.hasShortEnd = true;
	}

	/**
	 * Whether a page without new items is the end. If a pageful of items was added in the meantime,
	 * the next page repeats one, so in an uncounted list only two repetitions in a row are the end.
	 */
	private isEnd(pageIndex: number, length: number): boolean {
		if (this.last !== undefined || length === 0) return true;
		this.repetitions.add(pageIndex);
		return this.repetitions.has(pageIndex - 1) || this.repetitions.has(pageIndex + 1);
	}

	private note(page: Page<Item>): void {
		this.isInParts ||= page.partCounts !== undefined;
		for (const count of [...(page.partCounts ?? []), page.numberOfItems ?? this.latest]) {
			this.latest = count;
			if (count !== undefined && this.counts.at(-1) !== count) this.counts.push(count);
		}
		const stated = this.statedLast(page);
		if (this.last === undefined || stated === undefined) return;
		this.last = Math.max(this.last, stated);
		this.refuseTooMany();
	}

	/**
	 * The number of the last page according to the larger of both counts: superfluous pages are
	 * empty.
	 */
	private statedLast(page: Page<Item>): number | undefined {
		const { numberOfPages, numberOfItems } = page;
		if (numberOfPages === undefined && numberOfItems === undefined) return undefined;
		return Math.max(1, numberOfPages ?? 0, Math.ceil((numberOfItems ?? 0) / this.capacity));
	}

	private refuseTooMany(): void {
		const { last = 0, lastAtFirst = last } = this;
		if (this.limit !== Number.POSITIVE_INFINITY && this.pages.length < MAX_PAGES) return;
		if (last > MAX_PAGES)
			throw new EndlessPages(
				`The service reports ${last} pages of ${this.capacity} items; the limit is ${MAX_PAGES} pages`,
			);
		// A list may grow while it is read, but not as fast as it is read.
		if (last > 2 * lastAtFirst + 10)
			throw new EndlessPages(
				`The service reported ${lastAtFirst} pages of the list, then ${last}: it grows as fast as it is read`,
			);
	}
}
