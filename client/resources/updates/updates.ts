import { endpoints } from '../../endpoints/endpoints';
import { pathOf } from '../../endpoints/paths';
import { linkTo } from '../../endpoints/permission';
import { toTimestamp } from '../../formats/moment';
import type { RetryOptions } from '../../http/retry';
import { DEFAULT_PAGE_SIZE, listOf, readPage, type ListPage, type PageRequest } from '../../lists/page';
import { readList, type Items, type ListSource } from '../../lists/readList';
import type { Session } from '../../session/session';
import type { Grid } from '../grids';
import { EntryIdentities, type IdentifiedUpdate } from './updateIdentity';
import { entrySchema, readUpdate, type Update } from './updateRecord';

export type { Update, UpdateKind } from './updateRecord';

/** One page of the updates feed, in the order of the response, and what the response shows. */
export type UpdatesPage = ListPage<Update> & {
	/** Length of the response. */
	bytes: number;
	/** The `Date` header in milliseconds since 1970. */
	date?: number | undefined;
	/** How long the request took, in milliseconds. */
	took: number;
};

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
	 * One page of the changes since a moment.
	 * @param href as returned by `hrefOf`
	 * @param query.since milliseconds since 1970; sent as ISO 8601 with offset
	 * @param retry overrides the session's retry policy
	 * @throws InvalidList if the body is no feed, which must not count as "no changes",
	 * ResponseTooLarge, and what `Session.send` throws
	 */
	async page(
		href: string,
		{ since, ...request }: PageRequest & { since: number },
		retry: RetryOptions = {},
	): Promise<UpdatesPage> {
		const { transport } = this.session;
		const begun = transport.now();
		const query = { since: isoWithOffset(since), ...request };
		const answer = await this.session.send({ method: 'GET', href, retry, query });
		const took = transport.now() - begun;
		const { headers, body } = answer;
		const page = readPage(listOf(updateSince(since)), answer, request);
		return { ...page, took, bytes: body.length, date: toTimestamp(headers.date, 'UTC') };
	}

	/**
	 * The changes of a grid since a moment, each once, up to `limit`.
	 * @param since milliseconds since 1970
	 * @throws what `readList` throws
	 */
	async many(grid: Grid, since: number, limit: number): Promise<Items<Update>> {
		const href = this.hrefOf(grid);
		const identities = new EntryIdentities();
		const source: ListSource<IdentifiedUpdate> = {
			fetchPage: async (request) => {
				const page = await this.page(href, { since, ...request });
				return { ...page, items: identities.identified(page, request.pageIndex) };
			},
			identity: ({ identity }) => identity,
			limiter: this.session.limiter,
			maxPageSize: DEFAULT_PAGE_SIZE,
		};
		const { items, ...rest } = await readList(source, { limit });
		return { ...rest, items: items.map(({ update }) => update) };
	}
}

/** An entry of the feed. @param since see `readUpdate` */
const updateSince = (since: number) => entrySchema((entry) => readUpdate(entry, since));

const isoWithOffset = (time: number) => new Date(time).toISOString().replace('Z', '+00:00');
