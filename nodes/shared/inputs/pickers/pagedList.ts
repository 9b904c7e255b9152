import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	type Client,
	DEFAULT_PAGE_SIZE,
	ListReading,
	type ListSource,
	OnlyReadable,
} from '../../../../client';
import { ListTooLong } from '../../connection/boundedTransport';
import { connect } from '../../connection/connect';
import { escapedItem } from '../../display/expressionEscape';
import { folded } from '../../display/foldedText';
import { toNodeError } from '../../display/nodeError';

/** Page size of lists, and the number of entries that n8n gets at a time. */
export const LIST_PAGE = 50;

/** Limits of one call. */
const MAX_REQUESTS = 60;
export const MAX_LIST_MS = 8000;

/** Whether a name contains the search text. */
export const matches = (name: string, filter: string | undefined) =>
	folded(name).includes(folded((filter ?? '').trim()));

/** Whether a search text was entered. */
export const isSearch = (filter: string | undefined) => (filter ?? '').trim() !== '';

/** Runs a list search, with errors that n8n can show. */
export async function list(
	context: ILoadOptionsFunctions,
	find: (client: Client) => Promise<INodeListSearchResult>,
): Promise<INodeListSearchResult> {
	return await connect(context)
		.then(find)
		.then(({ results, ...rest }) => ({ ...rest, results: results.map(escapedItem) }))
		.catch((error: unknown) => Promise.reject(toNodeError(context, error)));
}

/** What n8n passes to a list search: the search text, and the token of the page to read. */
export interface ListRequest {
	filter: string | undefined;
	token: string | undefined;
}

/** Resources, and how to show them in a list. */
interface Listing<Resource> {
	source: ListSource<Resource>;
	item(resource: Resource): { name: string; value: string };
	/** Selects the resources to show; all if omitted. */
	kept?(resources: readonly Resource[]): Promise<readonly Resource[]>;
	/** What the error says of the key if no resource is shown; "may only read" by default. */
	lacks?: string;
	/** Finds resources of a list that is too long to be searched page by page. */
	search?(text: string): Promise<readonly Resource[]>;
}

/** The number of the next page; the first one if the token is none. */
export const pageNumber = z
	.string()
	.regex(/^\d{1,6}$/)
	.transform((token) => Math.max(1, Number(token)))
	.catch(1);

/**
 * The next entries of a list, filtered by the search text. While a text is entered, n8n asks for
 * more only when the user scrolls, which a short list does not allow: so pages are read until they
 * fill one.
 */
export async function pagedList<Resource>(
	context: ILoadOptionsFunctions,
	{ filter, token }: ListRequest,
	listing: (client: Client) => Promise<Listing<Resource>> | Listing<Resource>,
): Promise<INodeListSearchResult> {
	return await list(context, async (client) => {
		const { source, item, kept, lacks, search } = await listing(client);
		const { transport } = client.session;
		const until = transport.now() + MAX_LIST_MS;
		const pageSize = isSearch(filter) ? DEFAULT_PAGE_SIZE : LIST_PAGE;
		const reading = new ListReading(source, pageSize, { from: pageNumber.parse(token) });
		const results: Array<{ name: string; value: string }> = [];
		const matching: string[] = [];
		let requests = 0;
		const show = async (resources: readonly Resource[]) => {
			const found = resources.filter((resource) => matches(item(resource).name, filter));
			matching.push(...found.map((resource) => item(resource).name));
			requests += 1 + (kept ? found.length : 0);
			results.push(...(kept ? await kept(found) : found).map(item));
		};
		for await (const page of reading.pages(1)) {
			await show(page);
			if (!reading.hasMore) break;
			const paginationToken = String(reading.next);
			if (results.length >= LIST_PAGE) return { results, paginationToken };
			if (requests < MAX_REQUESTS && transport.now() <= until) continue;
			if (search && isSearch(filter)) await show(await search((filter ?? '').trim()));
			refuseUnfinishedSearch(results, filter, requests);
			return { results, paginationToken };
		}
		refuseOnlyReadable({ named: matching, shown: results, token, lacks });
		return { results };
	});
}

/**
 * An empty list looks as if nothing had that name.
 * @throws ListTooLong if a search ended before the list did, and found nothing
 */
export function refuseUnfinishedSearch(
	shown: readonly unknown[],
	filter: string | undefined,
	requests: number,
): void {
	if (isSearch(filter) && shown.length === 0) throw new ListTooLong(`${requests} requests`);
}

/**
 * An empty list does not show its cause, so an error explains a list that is empty for lack of
 * permission.
 * @throws OnlyReadable if this is the whole list and every entry was omitted
 */
export function refuseOnlyReadable({
	named,
	shown,
	token,
	lacks,
}: {
	named: readonly string[];
	shown: readonly unknown[];
	token: string | undefined;
	lacks?: string | undefined;
}): void {
	if (token === undefined && named.length > 0 && shown.length === 0) throw new OnlyReadable(named, lacks);
}
