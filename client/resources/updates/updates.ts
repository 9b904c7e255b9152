import { z } from 'zod/v4';
import { AHEAD_MS, parseUpdates, type UpdatesPage } from './feedPage';
import { MAX_PAGE_SIZE } from '../../session/pageSizes';
import { isMissingPage } from '../../session/missingPage';
import { readFeed, type UnreadableUpdate } from './feedReading';
import type { Grid } from '../grids';
import { toTimestamp } from '../../formats/moment';
import { endpoints } from '../../endpoints/endpoints';
import { outcomeOf } from '../../http/limiter';
import { pathOf } from '../../endpoints/paths';
import { linkTo } from '../../endpoints/permission';
import type { RetryOptions } from '../../http/retry';
import { parseResponse, type Session } from '../../session/session';
import type { Update } from './updateRecord';

export type { UpdateKind } from './updateKind';
export type { Update } from './updateRecord';

/** Status of a response without changes. */
const NO_CONTENT = 204;
const NO_CHANGES = { updates: [], listed: 0, more: 'no' } satisfies Partial<UpdatesPage>;

/** Which page of the feed to read. */
export interface UpdatesQuery {
	/** Milliseconds since 1970; sent as ISO 8601 with offset. */
	since: number;
	/** 1-based (§4). */
	pageIndex: number;
	/** Defaults to `MAX_PAGE_SIZE`. */
	pageSize?: number | undefined;
}

/**
 * `GET GRID/updates` (§4.4). Its response body is undocumented (§4 Gaps), so every plausible shape
 * is accepted.
 */
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
	 * One page of the changes since a moment; a page that does not exist is the end.
	 * @param href as returned by `hrefOf`
	 * @param retry overrides the session's retry policy
	 * @throws UnreadableResponse if the body is not recognized as a feed, ResponseTooLarge, and what
	 * `Session.send` throws
	 */
	async page(
		href: string,
		{ since, pageIndex, pageSize = MAX_PAGE_SIZE }: UpdatesQuery,
		retry: RetryOptions = {},
	): Promise<UpdatesPage> {
		const { transport } = this.session;
		const begun = transport.now();
		const query = { since: isoWithOffset(since), pageIndex, pageSize };
		const sent = await outcomeOf(this.session.send({ method: 'GET', href, retry, query }));
		const took = transport.now() - begun;
		if (sent.state === 'failed') {
			if (!isMissingPage(sent.error, pageIndex)) throw sent.error;
			return { ...NO_CHANGES, isMissing: true, took, bytes: 0 };
		}
		const answer = sent.value;
		const date = toTimestamp(answer.headers.date, 'UTC');
		const page =
			answer.status === NO_CONTENT
				? NO_CHANGES
				: parseUpdates(parseResponse(z.unknown(), answer), answer, since);
		return { ...page, took, bytes: answer.body.length, ...(date === undefined ? {} : { date }) };
	}

	/**
	 * The changes of a grid since a moment, each once, up to `limit`.
	 * @param since milliseconds since 1970
	 * @param onMissing called if changes may be missing; see `FeedReading`
	 * @throws what `readFeed` throws
	 */
	async many(
		grid: Grid,
		since: number,
		limit: number,
		onMissing?: () => void,
	): Promise<Array<Update | UnreadableUpdate>> {
		const href = this.hrefOf(grid);
		let latest = since;
		return await readFeed({
			fetchPage: async (pageIndex, pageSize) => {
				const page = await this.page(href, { since, pageIndex, pageSize });
				latest = Math.max(latest, page.date ?? 0, ...page.updates.map(({ time = 0 }) => time));
				return page;
			},
			limit,
			onMissing,
			countsExcluded: async () => {
				const query = { since: latest + AHEAD_MS, pageIndex: 1, pageSize: 1 };
				const { updates, more, total = 0 } = await this.page(href, query);
				return updates.length === 0 && (more === 'yes' || total > 0);
			},
			now: () => this.session.transport.now(),
		});
	}
}

const isoWithOffset = (time: number) => new Date(time).toISOString().replace('Z', '+00:00');
