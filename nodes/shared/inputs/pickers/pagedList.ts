import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { z } from 'zod/v4';
import {
	type Client,
	DEFAULT_PAGE_SIZE,
	Forbidden,
	type Linked,
	ListReading,
	type ListSource,
	NotFound,
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
const MAX_LIST_MS = 8000;

/** Whether a name contains the search text. */
export const matches = (name: string, filter: string | undefined) =>
	folded(name).includes(folded((filter ?? '').trim()));

/** Whether a search text was entered. */
export const isSearch = (filter: string | undefined) => (filter ?? '').trim() !== '';

/** What n8n passes to a list search: the search text, and the token of the page to read. */
export interface ListRequest {
	filter: string | undefined;
	token?: string | undefined;
	/** The pickers that show the list. */
	of: readonly string[];
}

/** Runs a list search, with errors that n8n can show. */
export async function list(
	context: ILoadOptionsFunctions,
	{ filter, token, of }: ListRequest,
	find: (client: Client) => Promise<INodeListSearchResult>,
): Promise<INodeListSearchResult> {
	const entry = token === undefined && !isSearch(filter) ? chosenEntry(context, of) : undefined;
	return await connect(context)
		.then(find)
		.then(({ results, ...rest }) => ({ ...rest, results: withEntry(results.map(escapedItem), entry) }))
		.catch((error: unknown) =>
			entry && isLacking(error) ? { results: [entry] } : Promise.reject(toNodeError(context, error)),
		);
}

/** Whether an account answers so for what it does not have. */
export const isLacking = (error: unknown): boolean =>
	error instanceof Forbidden || error instanceof NotFound || error instanceof OnlyReadable;

/**
 * The chosen entry of a list, as the workflow keeps it. When the credential changes, n8n empties a
 * list whose entry is not on the first page, and each list whose answer comes after another one has
 * changed the name or address of its entry.
 */
function chosenEntry(
	context: ILoadOptionsFunctions,
	pickers: readonly string[],
): INodeListSearchItems | undefined {
	for (const path of pickers.flatMap((name) => [`&${name}`, name])) {
		const picked = pickedSchema.safeParse(context.getCurrentNodeParameter(path));
		if (!picked.success) continue;
		const { value, cachedResultName: name, cachedResultUrl: url } = picked.data;
		return { name: name || value, value, ...(url ? { url } : {}) };
	}
	return undefined;
}

/** What a workflow keeps of an entry that was chosen from a list. */
const pickedSchema = z.looseObject({
	mode: z.literal('list'),
	value: z.string().min(1),
	cachedResultName: z.string().optional(),
	cachedResultUrl: z.string().optional(),
});

/** The entries with the chosen one among them, whose address stays as it was chosen. */
function withEntry(
	entries: INodeListSearchItems[],
	chosen: INodeListSearchItems | undefined,
): INodeListSearchItems[] {
	if (!chosen) return entries;
	if (!entries.some(({ value }) => value === chosen.value)) return [...entries, chosen];
	const { url } = chosen;
	return entries.map((entry) =>
		url !== undefined && entry.value === chosen.value ? { ...entry, url } : entry,
	);
}

/** The address of a resource, which n8n keeps beside the chosen entry for the mode By URL. */
function addressOf({ session }: Client, { _links }: Linked): { url?: string } {
	const href = _links.get('self')?.href;
	return href === undefined ? {} : { url: session.resolve(href).href };
}

/** Resources of a list, and the token of those that follow; undefined at the end. */
export interface ListingPage<Resource> {
	items: readonly Resource[];
	next: string | undefined;
}

/** Resources, and how to show them in a list. */
interface Listing<Resource> {
	pages: AsyncIterable<ListingPage<Resource>>;
	item(resource: Resource): { name: string; value: string };
	/** Selects the resources to show; all if omitted. */
	kept?(resources: readonly Resource[]): Promise<readonly Resource[]>;
	/** What the error says of the key if no resource is shown; "may only read" by default. */
	lacks?: string | undefined;
	/** Finds resources of a list that is too long to be searched page by page. */
	search?(text: string): Promise<readonly Resource[]>;
	/** Maximum number of requests of one call. */
	maxRequests?: number;
}

/** The number of the next page; the first one if the token is none. */
export const pageNumber = z
	.string()
	.regex(/^\d{1,6}$/)
	.transform((token) => Math.max(1, Number(token)))
	.catch(1);

/** The pages of a list, whose tokens are their numbers. */
export async function* listingPages<Resource>(
	source: ListSource<Resource>,
	{ filter, token }: Omit<ListRequest, 'of'>,
): AsyncGenerator<ListingPage<Resource>> {
	const pageSize = isSearch(filter) ? DEFAULT_PAGE_SIZE : LIST_PAGE;
	const reading = new ListReading(source, pageSize, { from: pageNumber.parse(token) });
	for await (const items of reading.pages())
		yield { items, next: reading.hasMore ? String(reading.next) : undefined };
}

/** A list search of a node, which n8n calls. */
type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/** What a list is made of. */
interface ListPlace {
	client: Client;
	context: ILoadOptionsFunctions;
	request: ListRequest;
}

/**
 * Makes the list search of pickers: the next entries of a list, filtered by the search text. While
 * a text is entered, n8n asks for more only when the user scrolls, which a short list does not
 * allow: so pages are read until they fill one. The search throws ListTooLong if it found nothing
 * before the limits, which would look like no match, and OnlyReadable for a list that is empty for
 * lack of permission, because an empty list does not show its cause.
 * @param of see `ListRequest`
 */
export const pagedSearch = <Resource extends Linked>(
	of: readonly string[],
	listing: (place: ListPlace) => Promise<Listing<Resource>> | Listing<Resource>,
): ListSearch =>
	async function (filter, token) {
		const request = { filter, token, of };
		return await list(this, request, async (client) => {
			const place = { client, context: this, request };
			const { pages, item, kept, lacks, search, maxRequests = MAX_REQUESTS } = await listing(place);
			const { transport } = client.session;
			const until = transport.now() + MAX_LIST_MS;
			const results: INodeListSearchItems[] = [];
			const matching: string[] = [];
			let requests = 0;
			const show = async (resources: readonly Resource[]) => {
				const selected = resources.filter((resource) => matches(item(resource).name, filter));
				matching.push(...selected.map((resource) => item(resource).name));
				requests += 1 + (kept ? selected.length : 0);
				for (const resource of kept ? await kept(selected) : selected)
					results.push({ ...item(resource), ...addressOf(client, resource) });
			};
			for await (const { items, next } of pages) {
				await show(items);
				if (next === undefined) break;
				if (results.length >= LIST_PAGE) return { results, paginationToken: next };
				if (requests < maxRequests && transport.now() <= until) continue;
				if (search && isSearch(filter)) await show(await search((filter ?? '').trim()));
				if (isSearch(filter) && results.length === 0) throw new ListTooLong(`${requests} requests`);
				return { results, paginationToken: next };
			}
			if (token === undefined && matching.length > 0 && results.length === 0)
				throw new OnlyReadable(matching, lacks);
			return { results };
		});
	};
