import { z } from 'zod/v4';
import type { Links } from './links';

/** §8 names no maximum. Larger page sizes are reduced to this one, which `pageSize` reports. */
const MAX_PAGE_SIZE = 1000;

/** `pageIndex` and `pageSize` of a list (§4). @param size default page size */
export const pageQuery = (size = 300) =>
	z.object({
		pageIndex: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
		pageSize: z.coerce
			.number()
			.int()
			.min(1)
			.default(size)
			.transform((asked) => Math.min(asked, MAX_PAGE_SIZE)),
	});
export type Page = z.infer<ReturnType<typeof pageQuery>>;

/** Parameters of a list without others. */
export const plainPage = pageQuery();

/** Offset and limit of a page, for the store. */
export const rangeOf = ({ pageIndex, pageSize }: Page) => ({
	offset: (pageIndex - 1) * pageSize,
	limit: pageSize,
});

/**
 * A paged collection (§2.2).
 * @param url requested address, from which the links to other pages are derived
 */
export function collection<Item>(items: readonly Item[], total: number, page: Page, url: string) {
	const { pageIndex, pageSize } = page;
	const pages = Math.ceil(total / pageSize);
	const [path = '', search = ''] = url.split('?', 2);
	const at = (index: number) => {
		const query = new URLSearchParams(search);
		query.set('pageIndex', String(index));
		query.set('pageSize', String(pageSize));
		return { href: `${path}?${query.toString()}`, method: 'get' };
	};
	const links: Links = { self: { href: url, method: 'get' } };
	if (pages > 1) links['first'] = at(1);
	if (pageIndex > 1) links['prev'] = at(pageIndex - 1);
	if (pageIndex < pages) links['next'] = at(pageIndex + 1);
	if (pages > 1) links['last'] = at(pages);
	return {
		page: pageIndex,
		pageSize,
		size: items.length,
		numberOfItems: total,
		numberOfPages: pages,
		items,
		_links: links,
	};
}

/** A page of a list in memory. */
export function collectionOf<Item>(all: readonly Item[], page: Page, url: string) {
	const { offset, limit } = rangeOf(page);
	return collection(all.slice(offset, offset + limit), all.length, page, url);
}
