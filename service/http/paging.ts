import { z } from 'zod/v4';
import { LIMITS } from '../rules/limits';
import type { Links } from './links';

/** A number in a query: decimal digits, not whatever JavaScript reads as a number. */
const decimal = <Schema extends z.ZodType<number>>(schema: Schema) =>
	z.preprocess((text) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text), schema);

/**
 * `pageIndex` and `pageSize` of a list (§4). A larger size is reduced, which `pageSize` reports.
 * @param size default page size
 */
export const pageQuery = (size = 300) =>
	z.object({
		pageIndex: decimal(z.int().min(1).max(1_000_000_000)).default(1),
		pageSize: decimal(z.int().min(1))
			.default(size)
			.transform((asked) => Math.min(asked, LIMITS.pageSize)),
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
	const [path = '', ...search] = url.split('?');
	const at = (index: number) => {
		const query = new URLSearchParams(search.join('?'));
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
