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
export const MAX_LIST_MS = 8000;

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
export function addressOf({ session }: Client, { _links }: Linked): { url?: string } {
	const href = _links.get('self')?.href;
	return href === undefined ? {} : { url: session.resolve(href).href };
}

/** Resources, and how to show them in a list. */
interface Listing<Resource> {
	source: ListSource<Resource>;
	item(resource: Resource): { name: string; value: string };
	/** Selects the resources to show; all if omitted. */
	kept?(resources: readonly Resource[]): Promise<readonly Resource[]>;
	/** What the error says of the key if no resource is shown; "may only read" by default. */
	lacks?: string | undefined;
	/** Finds resources of a list that is too long to be searched page by page. */
	search?(text: string): Promise<readonly Resource[]>;
}

/** The number of the next page; the first one if the token is none. */
export const pageNumber = z
	.string()
	.regex(/^\d{1,6}$/)
	.transform((token) => Math.max(1, Number(token)))
	.catch(1);

/** A list search of a node, which n8n calls. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/** Makes the list search of pickers. @param of see `ListRequest` */
export const pagedSearch = <Resource extends Linked>(
	of: readonly string[],
	listing: (client: Client, context: ILoadOptionsFunctions) => Promise<Listing<Resource>> | Listing<Resource>,
): ListSearch =>
	async function (filter, token) {
		return await pagedList(this, { filter, token, of }, async (client) => await listing(client, this));
	};

/**
 * The next entries of a list, filtered by the search text. While a text is entered, n8n asks for
 * more only when the user scrolls, which a short list does not allow: so pages are read until they
 * fill one.
 */
export async function pagedList<Resource extends Linked>(
	context: ILoadOptionsFunctions,
	request: ListRequest,
	listing: (client: Client) => Promise<Listing<Resource>> | Listing<Resource>,
): Promise<INodeListSearchResult> {
	return await list(context, request, async (client) => {
		const { filter, token } = request;
		const { source, item, kept, lacks, search } = await listing(client);
		const { transport } = client.session;
		const until = transport.now() + MAX_LIST_MS;
		const pageSize = isSearch(filter) ? DEFAULT_PAGE_SIZE : LIST_PAGE;
		const reading = new ListReading(source, pageSize, { from: pageNumber.parse(token) });
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
		for await (const page of reading.pages()) {
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

/** @throws ListTooLong if a search found nothing before the end, which would look like no match */
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
