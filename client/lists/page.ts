import { z } from 'zod/v4';
import { InvalidList } from '../errors';
import { isJsonObject } from '../formats/json';
import { beginningOf, parseResponse, type ServiceResponse } from '../session/responses';

/** §4: page size if none is requested; every service supports it. */
export const DEFAULT_PAGE_SIZE = 300;
/** Largest page size to request: §8 names no maximum. A service may give smaller pages. */
export const MAX_PAGE_SIZE = 1000;
/** Maximum number of pages of a list; a workflow cannot hold more. */
export const MAX_PAGES = 10_000;

/** A page of a list (§2.2). */
export interface Page<Item> {
	/** 1-based. */
	page: number;
	/** Items per page: what was requested, or the maximum of the service. */
	pageSize: number;
	/** Items on this page. */
	size: number;
	/** Items of the whole list. */
	numberOfItems: number;
	numberOfPages: number;
	items: Item[];
	/**
	 * Set if it has more or fewer items than its counts say: the list may have changed between
	 * counting and reading.
	 */
	contradiction?: InvalidList;
}

/** What §4 only calls "a list" may also be an array, whole or in pages: it has no counts. */
interface BareList<Item> {
	items: Item[];
	numberOfItems?: undefined;
}
export type ListPage<Item> = Page<Item> | BareList<Item>;

/** A page as requested (§4). */
export interface PageRequest {
	/** 1-based. */
	pageIndex: number;
	pageSize: number;
}

/** How a list is parsed. */
export interface ListShape<Item> {
	items: z.ZodType<Item[]>;
	/** Whether it may be a bare array. */
	mayBeBare: boolean;
}

/** A list that §4 calls paged. */
export const pagesOf = <Item>(item: z.ZodType<Item>): ListShape<Item> => ({
	items: z.array(item),
	mayBeBare: false,
});

/** What §4 only calls "a list". */
export const listOf = <Item>(item: z.ZodType<Item>): ListShape<Item> => ({
	items: z.array(item),
	mayBeBare: true,
});

const anyJson = z.unknown();
const count = z.number().int().min(0);
const countsSchema = z.object({
	page: count,
	pageSize: count,
	size: count,
	numberOfItems: count,
	numberOfPages: count,
});
type Counts = z.infer<typeof countsSchema>;

/**
 * Reads a page (§2.2), or a bare array where the shape allows it.
 * @throws InvalidList if a member is missing, or contradicts the request or another count
 */
export function readListPage<Item>(
	{ items, mayBeBare }: ListShape<Item>,
	answer: ServiceResponse,
	request: PageRequest,
): ListPage<Item> {
	const body: unknown = parseResponse(anyJson, answer);
	if (mayBeBare && Array.isArray(body)) return { items: parsed(items, body, answer) };
	return pageIn(items, body, { answer, request });
}

/** Reads a page (§2.2). @throws what `readListPage` throws */
export function readPage<Item>(
	{ items }: ListShape<Item>,
	answer: ServiceResponse,
	request: PageRequest,
): Page<Item> {
	return pageIn(items, parseResponse(anyJson, answer), { answer, request });
}

function pageIn<Item>(
	items: z.ZodType<Item[]>,
	body: unknown,
	{ answer, request }: { answer: ServiceResponse; request: PageRequest },
): Page<Item> {
	if (!isJsonObject(body)) throw invalid(answer, 'is not an object with "items" (§2.2)');
	const { data: counts, error } = countsSchema.safeParse(body);
	if (!counts) throw invalid(answer, missingIn(body, String(error.issues[0]?.path[0])));
	if (!Array.isArray(body['items'])) throw invalid(answer, 'lacks "items" (§2.2)');
	const problem = contradictionIn(counts, body['items'].length, request);
	if (problem !== undefined) throw invalid(answer, `${problem} (§2.2)`);
	const parsedPage = { ...counts, items: parsed(items, body['items'], answer) };
	const { page, pageSize, size, numberOfItems } = counts;
	const expected = Math.max(0, Math.min(pageSize, numberOfItems - (page - 1) * pageSize));
	if (size === expected) return parsedPage;
	const each = `${numberOfItems} in all and ${pageSize} per page`;
	const contradiction = invalid(answer, `has ${size} items on page ${page}, but ${each} (§2.2)`);
	return { ...parsedPage, contradiction };
}

function missingIn(body: Readonly<Record<string, unknown>>, name: string): string {
	const isMissing = (body[name] ?? null) === null;
	return isMissing ? `lacks "${name}" (§2.2)` : `has no count as "${name}" (§2.2)`;
}

/** What contradicts the request or another member. */
function contradictionIn(
	{ page, pageSize, size, numberOfItems, numberOfPages }: Counts,
	length: number,
	request: PageRequest,
): string | undefined {
	if (page !== request.pageIndex)
		return `is page ${page}, but "pageIndex" ${request.pageIndex} was requested`;
	if (pageSize < 1 || pageSize > request.pageSize)
		return `has the "pageSize" ${pageSize}, but ${request.pageSize} was requested`;
	if (size !== length) return `has the "size" ${size}, but ${length} items`;
	if (length > pageSize) return `has ${length} items, but the "pageSize" ${pageSize}`;
	const pages = Math.ceil(numberOfItems / pageSize);
	if (numberOfPages !== pages && !(numberOfItems === 0 && numberOfPages === 1))
		return `has the "numberOfPages" ${numberOfPages}, but ${numberOfItems} items in pages of ${pageSize}`;
	return undefined;
}

function parsed<Item>(schema: z.ZodType<Item[]>, items: unknown[], answer: ServiceResponse): Item[] {
	const { data, error } = schema.safeParse(items);
	if (data) return data;
	const { path = [], message = 'it is invalid' } = error?.issues[0] ?? {};
	const [index, ...member] = path;
	const what = member.length > 0 ? `"${member.join('.')}" of item` : 'item';
	throw invalid(answer, `has an invalid item: ${what} ${Number(index) + 1}: ${message} (§2)`);
}

function invalid(answer: ServiceResponse, problem: string): InvalidList {
	const { facts } = answer;
	return new InvalidList(
		`The list at ${facts.path ?? answer.url.pathname} ${problem}`,
		facts,
		beginningOf(answer),
	);
}
