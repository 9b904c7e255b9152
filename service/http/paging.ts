import { z } from 'zod/v4';
import { badRequest } from '../rules/errors';
import type { Links } from './links';

/**
 * §8 names no largest page; this service answers a larger wish with this many, and says so in
 * `pageSize`.
 */
const MAX_PAGE_SIZE = 1000;

/** `pageIndex` and `pageSize` of a list (§4). @param size the default number of items */
export const pageQuery = (size = 300) =>
	z.object({
		pageIndex: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
		pageSize: z.coerce
			.number()
			.int()
			.min(1)
			.default(size)
			.transform((wish) => Math.min(wish, MAX_PAGE_SIZE)),
	});
export type Page = z.infer<ReturnType<typeof pageQuery>>;

/** The parameters of a list that takes no others. */
export const plainPage = pageQuery();

/** How a page is asked of the store. */
export const windowOf = ({ pageIndex, pageSize }: Page) => ({
	offset: (pageIndex - 1) * pageSize,
	limit: pageSize,
});

/**
 * A paged collection (§2.2).
 * @param url the address asked for, from which the neighbors are made
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

/** The page of a list that is held in memory as a whole. */
export function collectionOf<Item>(all: readonly Item[], page: Page, url: string) {
	const { offset, limit } = windowOf(page);
	return collection(all.slice(offset, offset + limit), all.length, page, url);
}

/** Of all that may be wrong with a body; nobody reads more of it. */
const MAX_ISSUES = 20;
/** In characters: a message may name thousands of members. */
const MAX_SENTENCE_LENGTH = 1000;

/** Reads something from outside. @throws ServiceError 400 that says what is wrong where */
export function read<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	what: string,
): z.infer<Schema> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const issues = parsed.error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
		path: path.join('.').slice(0, MAX_SENTENCE_LENGTH),
		message: message.slice(0, MAX_SENTENCE_LENGTH),
	}));
	const said = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
	throw badRequest(`${what}: ${said}`, issues);
}
