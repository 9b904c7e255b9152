import { z } from 'zod/v4';
import type { Page } from '../../../../client/hal/links';
import { isMissingPage } from '../../../../client/session/missingPage';

/** The next page, and the number of items before it. */
const tokenSchema = z
	.string()
	.regex(/^\d{1,6}\.\d{1,9}$/)
	.transform((token) => token.split('.').map(Number))
	.catch([]);

/** Position in a list that is read page by page, and whether the list ends there. */
export class ListPosition {
	private readonly seen = new Set<string>();
	private ended = false;

	/** @param pageIndex the next page @param before number of items before it */
	constructor(
		private index = 1,
		private before = 0,
	) {}

	/** The position of a token; the beginning if it is none. */
	static at(token: string | undefined): ListPosition {
		const [pageIndex, before] = tokenSchema.parse(token);
		return new ListPosition(pageIndex, before);
	}

	get pageIndex(): number {
		return this.index;
	}

	get isAtEnd(): boolean {
		return this.ended;
	}

	get token(): string {
		return `${this.index}.${this.before}`;
	}

	/**
	 * Reads what is at this position.
	 * @returns undefined at the end of the list
	 * @throws any other error of `reading`
	 */
	async read<Value>(reading: Promise<Value>): Promise<Value | undefined> {
		return await reading.catch((error: unknown) => {
			this.ended = isMissingPage(error, this.index);
			return this.ended ? undefined : Promise.reject(error);
		});
	}

	/**
	 * Goes on behind the next page.
	 * @param asked the requested page size
	 * @returns its items that no page since the start had
	 */
	take<Item>(page: Page<Item>, asked: number, identity: (item: Item) => string): Item[] {
		const fresh = page.items.filter((item) => {
			const { size } = this.seen;
			return this.seen.add(identity(item)).size > size;
		});
		// A service that ignores `pageIndex` repeats its items.
		this.ended = fresh.length === 0 || !this.isFollowed(page, asked);
		this.index++;
		this.before += page.items.length;
		return fresh;
	}

	/** A service may give smaller pages than it is asked for, and leave out counts (§2.2). */
	private isFollowed(page: Page<unknown>, asked: number): boolean {
		const { items, pageSize, numberOfPages, numberOfItems, _links } = page;
		if (numberOfPages !== undefined || numberOfItems !== undefined)
			return this.index < (numberOfPages ?? 0) || this.before + items.length < (numberOfItems ?? 0);
		if (_links.has('next')) return true;
		return items.length <= asked && items.length >= (pageSize ?? 0);
	}
}
