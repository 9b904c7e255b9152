import { z } from 'zod/v4';
import { UnreadableResponse } from '../../errors';
import { entriesIn } from './feedEntries';
import { linksSchema } from '../../hal/links';
import { ResponseTooLarge } from '../../http/responseLimit';
import { excerptOf, redact } from '../../http/redaction';
import { refusesPageSize } from '../../session/pageSizes';
import type { ServiceResponse } from '../../session/session';
import { readUpdate, type Update } from './updateRecord';

/**
 * Number of consecutive empty pages after which a request tests what the service counts: changes
 * that this identity may not see, so that others may follow, or changes that `since` excludes.
 */
export const MAX_EMPTY_PAGES = 20;
/** That request asks for changes this much later than all others. */
export const AHEAD_MS = 3_600_000;
const EXCERPT_LENGTH = 200;

/** One page of the updates feed, in the order of the response. */
export interface UpdatesPage {
	updates: Update[];
	/** Whether another page follows; `maybe` if the response does not say. */
	more: 'yes' | 'no' | 'maybe';
	/** `numberOfItems`, if the response contains it. */
	total?: number | undefined;
	/** The service has no such page (404); the feed ended before it, unless pages are counted. */
	isMissing?: boolean;
	/**
	 * More pages follow although this one is not full: its missing entries are on no other page of
	 * this size.
	 */
	isShort?: boolean;
	/** Number of members of the page itself: changes, or groups of them. */
	listed: number;
	/** The service's page size, if the response contains it. */
	pageSize?: number | undefined;
	/** Length of the response. */
	bytes: number;
	/** The `Date` header in milliseconds since 1970. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
}

/**
 * Whether smaller pages may be readable: the page exceeds the size limit, or the service refuses
 * its size (§8 names no maximum).
 */
export function requiresSmallerPages(error: unknown, pageSize: number): boolean {
	return error instanceof ResponseTooLarge || refusesPageSize(error, pageSize);
}

const count = z.number().int().min(0).optional().catch(undefined);
const pagingSchema = z.looseObject({
	page: count,
	pageSize: count,
	numberOfItems: count,
	numberOfPages: count,
	_links: linksSchema.optional(),
});

/**
 * Reads a page of the feed, in any shape that `entriesIn` knows.
 * @param body parsed JSON
 * @param since see `readUpdate`
 * @throws UnreadableResponse for any other body, which must not count as "no changes"
 */
export function parseUpdates(
	body: unknown,
	answer: Pick<ServiceResponse, 'facts' | 'redact'> = { facts: { status: 200 }, redact },
	since?: number,
): Pick<UpdatesPage, 'updates' | 'listed' | 'more' | 'total' | 'pageSize' | 'isShort'> {
	const found = entriesIn(body);
	if (!found) throw unreadable('The updates feed does not contain a list of changes', body, answer);
	const updates = found.entries.map((entry) => {
		const update = readUpdate(entry, since);
		if (!update)
			throw unreadable('An entry of the updates feed does not identify the changed entity', entry, answer);
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

/** Whether a page has fewer members than its size and the total number require. */
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
	if (_links?.has('next') && length > 0) return 'yes';
	if (length === 0 || length === numberOfItems) return 'no';
	return 'maybe';
}

function unreadable(what: string, found: unknown, answer: Pick<ServiceResponse, 'facts' | 'redact'>) {
	const excerpt = excerptOf(JSON.stringify(found) ?? '', EXCERPT_LENGTH, answer.redact);
	return new UnreadableResponse(what, answer.facts, excerpt);
}
