import { endpoints } from '../../endpoints/endpoints';
import { pathOf } from '../../endpoints/paths';
import { linkTo } from '../../endpoints/permission';
import { type InvalidList, NotFound } from '../../errors';
import { toTimestamp } from '../../formats/moment';
import { outcomeOf } from '../../http/limiter';
import type { RetryOptions } from '../../http/retry';
import { listSource, mapped } from '../../lists/listSource';
import { listOf, readPage, type PageRequest } from '../../lists/page';
import { readList, type Items } from '../../lists/readList';
import type { Session } from '../../session/session';
import type { Grid } from '../grids';
import { identitiesOf } from './updateIdentity';
import { entrySchema, readUpdate, type Update } from './updateRecord';

export type { Update, UpdateKind } from './updateRecord';

/** Which page of the feed to read. */
export interface UpdatesQuery extends PageRequest {
	/** Milliseconds since 1970; sent as ISO 8601 with offset. */
	since: number;
}

/** One page of the updates feed, in the order of the response. */
export interface UpdatesPage {
	updates: Update[];
	/** `numberOfItems`; undefined in a bare array. */
	total?: number | undefined;
	isLast: boolean;
	/** See `Page.contradiction`. */
	contradiction?: InvalidList | undefined;
	/** Length of the response. */
	bytes: number;
	/** The `Date` header in milliseconds since 1970. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
}

/** `GET GRID/updates` (§4.4). Its entries are not shown (§4 Gaps); see `readUpdate`. */
export class Updates {
	constructor(private readonly session: Session) {}

	/** Address of a grid's feed: its link, otherwise the documented path. Sends nothing. */
	hrefOf(grid: Grid): string {
		return linkTo(endpoints.updateList, grid).href;
	}

	/** The documented address of a grid's feed, whatever its link is. Sends nothing. */
	documentedHref({ address }: Grid): string {
		return pathOf(endpoints.updateList, address);
	}

	/**
	 * One page of the changes since a moment; a page past the end is empty.
	 * @param href as returned by `hrefOf`
	 * @param retry overrides the session's retry policy
	 * @throws InvalidList if the body is no feed, which must not count as "no changes",
	 * ResponseTooLarge, and what `Session.send` throws
	 */
	async page(
		href: string,
		{ since, ...request }: UpdatesQuery,
		retry: RetryOptions = {},
	): Promise<UpdatesPage> {
		const { transport } = this.session;
		const begun = transport.now();
		const query = { since: isoWithOffset(since), ...request };
		const sent = await outcomeOf(this.session.send({ method: 'GET', href, retry, query }));
		const took = transport.now() - begun;
		if (sent.state === 'failed') {
			const isPastEnd = request.pageIndex > 1 && sent.error instanceof NotFound;
			if (!isPastEnd) throw sent.error;
			return { updates: [], isLast: true, took, bytes: 0 };
		}
		const { headers, body } = sent.value;
		const page = readPage(listOf(updateSince(since)), sent.value, request);
		const contradiction = page.numberOfItems === undefined ? undefined : page.contradiction;
		const isLast =
			page.numberOfItems === undefined
				? page.items.length !== request.pageSize
				: page.page >= page.numberOfPages;
		const date = toTimestamp(headers.date, 'UTC');
		const { items: updates, numberOfItems: total } = page;
		return { updates, total, isLast, took, bytes: body.length, date, contradiction };
	}

	/**
	 * The changes of a grid since a moment, each once, up to `limit`.
	 * @param since milliseconds since 1970
	 * @throws what `readList` throws
	 */
	async many(grid: Grid, since: number, limit: number): Promise<Items<Update>> {
		const source = listSource(this.session, listOf(updateSince(since)), [endpoints.updateList, grid], {
			identity: ({ entityId }) => entityId,
			query: { since: isoWithOffset(since) },
		});
		const { items, ...rest } = await readList(
			mapped(source, withIdentities, ({ identity }) => identity),
			{
				limit,
			},
		);
		return { ...rest, items: items.map(({ update }) => update) };
	}
}

function withIdentities(updates: Update[]): Array<{ update: Update; identity: string }> {
	const identities = identitiesOf(updates);
	return updates.map((update, index) => ({ update, identity: identities[index] ?? '' }));
}

/** An entry of the feed. @param since see `readUpdate` */
const updateSince = (since: number) => entrySchema((entry) => readUpdate(entry, since));

const isoWithOffset = (time: number) => new Date(time).toISOString().replace('Z', '+00:00');
