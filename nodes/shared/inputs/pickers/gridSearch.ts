import { z } from 'zod/v4';
import {
	type Client,
	DEFAULT_PAGE_SIZE,
	Forbidden,
	type Grid,
	ListReading,
	type ListSource,
	NotFound,
	type Space,
} from '../../../../client';
import { isSearch, LIST_PAGE, matches, MAX_LIST_MS, pageNumber, type ListRequest } from './pagedList';

/** Maximum number of lists of grids that one call reads; a search cannot be continued by n8n. */
const MAX_REQUESTS = { list: 60, search: 150 };

/** A grid and the name that the list shows for it. */
interface ListedGrid {
	grid: Grid;
	name: string;
}

/** What one call found. */
interface Found {
	grids: readonly ListedGrid[];
	requests: number;
	/** The token of the grids that follow; undefined at the end of the list. */
	next: string | undefined;
}

/** The next entries: a page of spaces, the index of a space on it, a page of its grids. */
const placeSchema = z
	.string()
	.regex(/^\d{1,6} \d{1,6} \d{1,6}$/)
	.catch('')
	.transform((token) => {
		const [spacePage, space = '0', gridPage] = token.split(' ');
		return {
			spacePage: pageNumber.parse(spacePage),
			space: Number(space),
			gridPage: pageNumber.parse(gridPage),
		};
	});

/**
 * The grids to list from a token on, and the token of those that follow.
 * @param request the space to search; all spaces if undefined
 */
export async function findGrids(
	client: Client,
	{ spaceId, filter, token }: ListRequest & { spaceId: string | undefined },
): Promise<Found> {
	const search = new GridSearch(client, spaceId, filter);
	const place = placeSchema.parse(token);
	let { spacePage, space: first, gridPage } = place;
	const spaces = new ListReading(spacesFor(client, spaceId), LIST_PAGE, { from: spacePage });
	for await (const page of spaces.pages()) {
		for (const [offset, space] of page.slice(first).entries()) {
			const nextGridPage = await search.readSpace(space, gridPage);
			if (nextGridPage !== undefined) return search.endAt(`${spacePage} ${first + offset} ${nextGridPage}`);
			gridPage = 1;
		}
		first = 0;
		spacePage = spaces.next;
		if (spaces.hasMore && search.isFilled) return search.endAt(`${spacePage} 0 1`);
	}
	return search.endAt(undefined);
}

/** Collects the grids whose names match, within the limits of one call. */
class GridSearch {
	private readonly grids: ListedGrid[] = [];
	private requests = 0;
	private readonly until: number;

	constructor(
		private readonly client: Client,
		private readonly spaceId: string | undefined,
		private readonly filter: string | undefined,
	) {
		this.until = client.session.transport.now() + MAX_LIST_MS;
	}

	/** Whether n8n can be given what was found, and ask for the rest. */
	get isFilled(): boolean {
		return this.grids.length >= (isSearch(this.filter) ? LIST_PAGE : 1);
	}

	/** Reads the grids of a space. @returns the next page, if the limits did not allow all */
	async readSpace(space: Space, from: number): Promise<number | undefined> {
		if (this.isExhausted) return from;
		const all = this.client.grids.list(space, { type: 'persistent' });
		const source = this.spaceId === undefined ? unlessClosed(all) : all;
		const reading = new ListReading(source, DEFAULT_PAGE_SIZE, { from });
		for await (const grids of reading.pages()) {
			this.requests++;
			for (const grid of grids) {
				const name = this.spaceId === undefined ? `${grid.name} (${space.name})` : grid.name;
				if (matches(name, this.filter)) this.grids.push({ grid, name });
			}
			if (reading.hasMore && this.isExhausted) return reading.next;
		}
		return undefined;
	}

	endAt(next: string | undefined): Found {
		return { grids: this.grids, requests: this.requests, next };
	}

	private get isExhausted(): boolean {
		const { requests, until, client } = this;
		if (requests >= (isSearch(this.filter) ? MAX_REQUESTS.search : MAX_REQUESTS.list)) return true;
		return requests > 0 && client.session.transport.now() > until;
	}
}

/** Empty for a space whose grids this identity may not read, or that was deleted meanwhile. */
function unlessClosed<Item>(source: ListSource<Item>): ListSource<Item> {
	return {
		...source,
		fetchPage: async (request) =>
			await source
				.fetchPage(request)
				.catch((error: unknown) =>
					error instanceof Forbidden || error instanceof NotFound ? { items: [] } : Promise.reject(error),
				),
	};
}

/** The chosen space alone, or all spaces. */
function spacesFor(client: Client, spaceId: string | undefined): ListSource<Space> {
	const all = client.spaces.list();
	if (spaceId === undefined) return all;
	return { ...all, fetchPage: async () => ({ items: [await client.spaces.get(spaceId)] }) };
}
