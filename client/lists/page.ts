import { z } from 'zod/v4';
import { InvalidList } from '../errors';
import { isJsonObject } from '../formats/json';
import { beginningOf, parseResponse, parseRows, type ServiceResponse } from '../session/responses';

/** §4: page size if none is requested; every service supports it. */
export const DEFAULT_PAGE_SIZE = 300;
/** Largest page size to request: §8 names no maximum. A service may give smaller pages. */
export const MAX_PAGE_SIZE = 1000;
/** Maximum number of pages of a list; a workflow cannot hold more. */
export const MAX_PAGES = 10_000;

const count = z.number().int().min(0);
const countsSchema = z.object({
	/** 1-based. */
	page: count,
	/** Items per page: what was requested, or the maximum of the service. */
	pageSize: count,
	/** Items on this page. */
	size: count,
	/** Items of the whole list. */
	numberOfItems: count,
	numberOfPages: count,
});

type Counts = z.infer<typeof countsSchema>;

/** A page of a list (§2.2). */
export interface Page<Item> extends Counts {
	items: Item[];
	/** Set if the counts contradict the items: the list may have changed since the counting. */
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
	/** Whether the items are rows. */
	isOfRows?: true;
}
export interface PagedShape<Item> extends ListShape<Item> {
	mayBeBare: false;
}

/** A list that §4 calls paged. */
export const pagesOf = <Item>(item: z.ZodType<Item>): PagedShape<Item> => ({
	items: z.array(item),
	mayBeBare: false,
});

/** What §4 only calls "a list". */
export const listOf = <Item>(item: z.ZodType<Item>): ListShape<Item> => ({
	items: z.array(item),
	mayBeBare: true,
});

const anyJson = z.unknown();

/**
 * Reads a page (§2.2), or a bare array where the shape allows it.
 * @throws InvalidList if a member is missing, or contradicts the request or another count
 */
export function readPage<Item>(
	shape: PagedShape<Item>,
	answer: ServiceResponse,
	request: PageRequest,
): Page<Item>;
export function readPage<Item>(
	shape: ListShape<Item>,
	answer: ServiceResponse,
	request: PageRequest,
): ListPage<Item>;
export function readPage<Item>(
	shape: ListShape<Item>,
	answer: ServiceResponse,
	request: PageRequest,
): ListPage<Item> {
	const body = shape.isOfRows ? parseRows(answer) : parseResponse(anyJson, answer);
	if (shape.mayBeBare && Array.isArray(body)) return { items: itemsIn(body, shape, answer) };
	if (!isJsonObject(body)) throw invalid(answer, 'is not an object with "items"');
	const { items } = body;
	const { data: counts, error } = countsSchema.safeParse(body);
	if (!counts) {
		const name = String(error.issues[0]?.path[0]);
		throw invalid(answer, `${(body[name] ?? null) === null ? 'lacks' : 'has no count as'} "${name}"`);
	}
	if (!Array.isArray(items)) throw invalid(answer, 'lacks "items"');
	const problem = contradictionIn(counts, items.length, request);
	if (problem !== undefined) throw invalid(answer, problem);
	const page = { ...counts, items: itemsIn(items, shape, answer) };
	const { pageSize, size, numberOfItems } = counts;
	const expected = Math.max(0, Math.min(pageSize, numberOfItems - (counts.page - 1) * pageSize));
	if (size === expected) return page;
	const message = `has ${size} items on page ${counts.page}, but ${numberOfItems} in all and ${pageSize} per page`;
	return { ...page, contradiction: invalid(answer, message) };
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
	if (numberOfPages === pages || (numberOfItems === 0 && numberOfPages === 1)) return undefined;
	return `has the "numberOfPages" ${numberOfPages}, but ${numberOfItems} items in pages of ${pageSize}`;
}

function itemsIn<Item>(items: unknown[], shape: ListShape<Item>, answer: ServiceResponse): Item[] {
	const { data, error } = shape.items.safeParse(items);
	if (data) return data;
	const { path = [], message = 'it is invalid' } = error?.issues[0] ?? {};
	const [index, ...member] = path;
	const what = member.length > 0 ? `"${member.join('.')}" of item` : 'item';
	throw invalid(answer, `has an invalid item: ${what} ${Number(index) + 1}: ${message}`, '§2');
}

function invalid(answer: ServiceResponse, problem: string, section = '§2.2'): InvalidList {
	const { facts } = answer;
	const list = `The list at ${facts.path ?? answer.url.pathname}`;
	return new InvalidList(`${list} ${problem} (${section})`, facts, beginningOf(answer));
}
