import { z } from 'zod/v4';
import { ResponseTooLarge } from '../../http/responseLimit';
import { BadRequest, UnreadableResponse } from '../../errors';
import { entriesIn } from './feedEntries';
import type { Grid } from '../grids';
import { findLink, linksSchema } from '../../hal/links';
import { toTimestamp } from '../../formats/moment';
import { paths } from '../../endpoints/paths';
import { excerptOf, redact } from '../../http/redaction';
import type { RetryOptions } from '../../http/retry';
import { parseResponse, type ServiceResponse, type Session } from '../../session/session';
import { readUpdate, type Update } from './updateRecord';

export type { UpdateKind } from './updateKind';
export type { FieldChange, Update } from './updateRecord';

/** §8 names no largest page size: a service that caps it answers with fewer and says so. */
export const MAX_PAGE_SIZE = 1000;
/** §4: what a page holds where nothing is asked for; every service can give that much. */
const DEFAULT_PAGE_SIZE = 300;
const EXCERPT_LENGTH = 200;
/** How a service may say that there are no changes. */
const NO_CONTENT = 204;

/** One page of the updates feed, in the order in which it came. */
export interface UpdatesPage {
	updates: Update[];
	/** Whether another page follows; `maybe` where the answer does not tell. */
	more: 'yes' | 'no' | 'maybe';
	/** `numberOfItems`, where the answer has it. */
	total?: number | undefined;
	/** More pages follow although this one is not full: what is missing on it stands on no other page of this size. */
	isShort?: boolean;
	/** How many members the page itself has: changes, or groups of them. */
	listed: number;
	/** How many members the service gives a page, if it says so. */
	pageSize?: number | undefined;
	/** Length of the answer. */
	bytes: number;
	/** The `Date` header in milliseconds since 1970. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
}

/** Which page of the feed to read. */
export interface UpdatesQuery {
	/** Milliseconds since 1970; sent as ISO 8601 with offset. */
	since: number;
	/** 1-based (§4). */
	pageIndex: number;
	/** Defaults to `MAX_PAGE_SIZE`. */
	pageSize?: number | undefined;
}

/** Whether a page can be read in smaller ones: it is too large to be held, or the service does not take that page size (§8 names no largest). */
export function asksForSmaller(error: unknown, pageSize: number): boolean {
	if (error instanceof ResponseTooLarge) return true;
	return error instanceof BadRequest && pageSize > DEFAULT_PAGE_SIZE;
}

const count = z.number().int().min(0).optional().catch(undefined);
const pagingSchema = z.looseObject({
	page: count,
	pageSize: count,
	numberOfItems: count,
	numberOfPages: count,
	_links: linksSchema.optional(),
});

/** `GET GRID/updates` (§4.4). Its response body is undocumented (§4, gaps), so it is read under every plausible shape. */
export class Updates {
	constructor(private readonly session: Session) {}

	/** Where a grid's feed is: its own link, or the documented path. */
	static hrefOf(grid: Grid): string {
		return findLink(grid, 'updates', 'changes')?.href ?? paths.updates(grid.address);
	}

	/**
	 * One page of what has changed since a moment.
	 * @param href as `hrefOf` gave it
	 * @param retry how often and how long it may be repeated, where it is to differ from the session's way
	 * @throws UnreadableResponse where the answer is not recognised as a feed, ResponseTooLarge, and what `Session.send` throws
	 */
	async page(
		href: string,
		{ since, pageIndex, pageSize = MAX_PAGE_SIZE }: UpdatesQuery,
		retry: RetryOptions = {},
	): Promise<UpdatesPage> {
		const { transport } = this.session;
		const begun = transport.now();
		const query = { since: isoWithOffset(since), pageIndex, pageSize };
		const answer = await this.session.send({ method: 'GET', href, retry, query });
		const took = transport.now() - begun;
		const date = toTimestamp(answer.headers.date, 'UTC');
		const page =
			answer.status === NO_CONTENT
				? { updates: [], listed: 0, more: 'no' as const }
				: parseUpdates(parseResponse(z.unknown(), answer), answer, since);
		return { ...page, took, bytes: answer.body.length, ...(date === undefined ? {} : { date }) };
	}
}

const isoWithOffset = (time: number) => new Date(time).toISOString().replace('Z', '+00:00');

/**
 * Reads a page of the feed, in any shape that `entriesIn` knows.
 * @param body parsed JSON
 * @param since see `readUpdate`
 * @throws UnreadableResponse with what came, for anything else: never "no changes"
 */
export function parseUpdates(
	body: unknown,
	answer: Pick<ServiceResponse, 'facts' | 'redact'> = { facts: { status: 200 }, redact },
	since?: number,
): Pick<UpdatesPage, 'updates' | 'listed' | 'more' | 'total' | 'pageSize' | 'isShort'> {
	const found = entriesIn(body);
	if (!found) throw unreadable('The updates feed does not hold a list of changes', body, answer);
	const updates = found.entries.map((entry) => {
		const update = readUpdate(entry, since);
		if (!update)
			throw unreadable('An entry of the updates feed does not say which entity has changed', entry, answer);
		return update;
	});
	const paging = Array.isArray(body) ? undefined : pagingSchema.safeParse(body).data;
	const { pageSize, numberOfItems } = paging ?? {};
	const isShort = endsEarly(paging, found.listed);
	return {
		updates,
		listed: found.listed,
		more: isShort ? 'yes' : moreAfter(paging, found.listed),
		total: found.isGrouped ? undefined : numberOfItems,
		...(pageSize === undefined ? {} : { pageSize }),
		...(isShort ? { isShort } : {}),
	};
}

/** Whether a page holds fewer members than its size and the number of all of them say. */
function endsEarly(paging: z.infer<typeof pagingSchema> | undefined, length: number): boolean {
	const { page, pageSize, numberOfItems, numberOfPages } = paging ?? {};
	if (page === undefined || pageSize === undefined || length === 0) return false;
	const isLast = numberOfPages === undefined || page >= numberOfPages;
	const left = numberOfItems === undefined ? (isLast ? 0 : pageSize) : numberOfItems - (page - 1) * pageSize;
	return length < Math.min(pageSize, left);
}

function moreAfter(paging: z.infer<typeof pagingSchema> | undefined, length: number): UpdatesPage['more'] {
	const { page, pageSize, numberOfItems, numberOfPages, _links } = paging ?? {};
	if (page !== undefined && numberOfPages !== undefined) return page < numberOfPages ? 'yes' : 'no';
	if (page !== undefined && pageSize !== undefined && numberOfItems !== undefined)
		return page * pageSize < numberOfItems ? 'yes' : 'no';
	if (_links?.has('next')) return 'yes';
	if (length === 0 || length === numberOfItems) return 'no';
	return 'maybe';
}

function unreadable(what: string, found: unknown, answer: Pick<ServiceResponse, 'facts' | 'redact'>) {
	const excerpt = excerptOf(JSON.stringify(found) ?? '', EXCERPT_LENGTH, answer.redact);
	return new UnreadableResponse(what, answer.facts, excerpt);
}
