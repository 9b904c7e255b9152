import type { Page } from '../hal/links';

/** Whether a page shows that it is not the last one. The last page of some lists links another. */
export const linksNext = ({ _links, items }: Page<unknown>): boolean =>
	items.length > 0 && _links.has('next');

/** Whether a page that no count describes has fewer items than its size, although others follow. */
export const endsBeforeNext = (page: Page<unknown>, pageSize: number): boolean =>
	page.numberOfItems === undefined && linksNext(page) && page.items.length < pageSize;

/** The size of further pages: a service may limit its pages, or end them early, unlike stated. */
export function actualSize(first: Page<unknown>, stated: number): number {
	const { length } = first.items;
	const isCut = length > 0 && length < Math.min(stated, first.numberOfItems ?? 0);
	return isCut || endsBeforeNext(first, stated) ? length : stated;
}

/** Pages that ended early although others follow: their missing items are on no other page. */
export class ShortPages {
	/** Number of items of the smallest counted page that ended early. */
	private counted = Number.POSITIVE_INFINITY;
	/** Number of items by page, of uncounted pages that link a next one. */
	private readonly linked = new Map<number, number>();
	/** Number of the last page with new items. */
	private last = 1;

	/** @param pageSize requested page size */
	note(pageIndex: number, page: Page<unknown>, pageSize: number): void {
		const { length } = page.items;
		if (endsBeforeNext(page, pageSize)) this.linked.set(pageIndex, length);
		const isCut = length > 0 && length < pageSize && pageIndex * pageSize < (page.numberOfItems ?? 0);
		if (isCut) this.counted = Math.min(this.counted, length);
	}

	noteNewItems(pageIndex: number): void {
		this.last = Math.max(this.last, pageIndex);
	}

	/** The smallest number of items of such a page. */
	get cutTo(): number | undefined {
		const linked = [...this.linked].flatMap(([index, length]) => (index < this.last ? [length] : []));
		const least = Math.min(this.counted, ...linked);
		return least === Number.POSITIVE_INFINITY ? undefined : least;
	}
}
