import { z } from 'zod/v4';
import { UnreadableAnswer } from './errors';
import type { Grid } from './grids';
import { findLink, linksSchema } from './hal';
import { jsonObject } from './json';
import { toTimestamp } from './moment';
import { paths } from './paths';
import { excerptOf, redact } from './redact';
import type { RetryOptions } from './retry';
import { parseAnswer, type Answer, type Session } from './session';
import { readUpdate, type Update } from './updateRecord';

export type { FieldChange, Update, UpdateKind } from './updateRecord';

/** §8 names no largest page size: a service that caps it answers with fewer and says so. */
const LARGEST_PAGE = 1000;
const EXCERPT_LENGTH = 200;

/** One page of the updates feed, in the order in which it came. */
export interface UpdatesPage {
	updates: Update[];
	/** Whether another page follows; `maybe` where the answer does not tell. */
	more: 'yes' | 'no' | 'maybe';
	/** `numberOfItems`, where the answer has it. */
	total?: number | undefined;
	/** The `Date` header in milliseconds since 1970. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
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
	 * @param since milliseconds since 1970; sent as ISO 8601 with offset
	 * @param pageIndex 1-based (§4)
	 * @param retry how often and how long it may be repeated, where it is to differ from the session's way
	 * @throws UnreadableAnswer where the answer is not recognised as a feed, and what `Session.send` throws
	 */
	async page(href: string, since: number, pageIndex: number, retry: RetryOptions = {}): Promise<UpdatesPage> {
		const { transport } = this.session;
		const begun = transport.now();
		const query = { since: isoWithOffset(since), pageIndex, pageSize: LARGEST_PAGE };
		const answer = await this.session.send({ method: 'GET', href, query, retry });
		const took = transport.now() - begun;
		const date = toTimestamp(answer.headers.date, 'UTC');
		const page = parseUpdates(parseAnswer(z.unknown(), answer), answer);
		return { ...page, took, ...(date === undefined ? {} : { date }) };
	}
}

const isoWithOffset = (time: number) => new Date(time).toISOString().replace('Z', '+00:00');

/**
 * Reads a page of the feed: a bare array, a paged collection (§2.2), a list under `_embedded` or under one other name.
 * @param body parsed JSON
 * @throws UnreadableAnswer with what came, for anything else: never "no changes"
 */
export function parseUpdates(
	body: unknown,
	answer: Pick<Answer, 'facts' | 'redact'> = { facts: { status: 200 }, redact },
): Pick<UpdatesPage, 'updates' | 'more' | 'total'> {
	const entries = listIn(body);
	if (!entries) throw unreadable('The updates feed does not hold a list of changes', body, answer);
	const updates = entries.map((entry) => {
		const update = readUpdate(entry);
		if (!update)
			throw unreadable('An entry of the updates feed does not say which entity has changed', entry, answer);
		return update;
	});
	const paging = Array.isArray(body) ? undefined : pagingSchema.safeParse(body).data;
	return { updates, more: moreAfter(paging, updates.length), total: paging?.numberOfItems };
}

function listIn(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	const parsed = jsonObject.safeParse(body);
	if (!parsed.success) return undefined;
	const { items, _embedded } = parsed.data;
	if (Array.isArray(items)) return items;
	return onlyList(_embedded) ?? onlyList(parsed.data);
}

function onlyList(value: unknown): unknown[] | undefined {
	const parsed = jsonObject.safeParse(value);
	const lists = parsed.success ? Object.values(parsed.data).filter((member) => Array.isArray(member)) : [];
	return lists.length === 1 ? lists[0] : undefined;
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

function unreadable(what: string, found: unknown, answer: Pick<Answer, 'facts' | 'redact'>) {
	const excerpt = excerptOf(JSON.stringify(found) ?? '', EXCERPT_LENGTH, answer.redact);
	return new UnreadableAnswer(what, answer.facts, excerpt);
}
