import { z } from 'zod/v4';
import type { Client } from '../../../../client';
import { Forbidden, NotFound } from '../../../../client/errors';
import type { Page } from '../../../../client/hal/links';
import type { Grid } from '../../../../client/resources/grids';
import type { Space } from '../../../../client/resources/spaces';
import { DEFAULT_PAGE_SIZE } from '../../../../client/session/pageSizes';
import { ListPosition } from './listPosition';
import { isSearch, LIST_PAGE, matches, MAX_LIST_MS, type ListRequest } from './pagedList';

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

/** The next entries: a page of spaces, a space on it, a page of its grids. */
interface Place {
	spaces: ListPosition;
	space: number;
	grids: ListPosition;
}

/** A token holds both positions and the space. */
const placeSchema = z
	.string()
	.regex(/^\d+\.\d+ \d{1,6} \d+\.\d+$/)
	.catch('')
	.transform((token): Place => {
		const [spaces, space, grids] = token.split(' ');
		return { spaces: ListPosition.at(spaces), space: Number(space ?? 0), grids: ListPosition.at(grids) };
	});

const tokenOf = (spacesToken: string, space: number, grids: ListPosition) =>
	`${spacesToken} ${space} ${grids.token}`;

/**
 * The grids to list from a token on, and the token of those that follow.
 * @param request the space to search; all spaces if undefined
 */
export async function findGrids(
	client: Client,
	{ spaceId, filter, token }: ListRequest & { spaceId: string | undefined },
): Promise<Found> {
	const search = new GridSearch(client, spaceId, filter);
	const { spaces, ...place } = placeSchema.parse(token);
	let { space: first, grids: start } = place;
	do {
		const here = spaces.token;
		const page = await spaces.read(spacesFor(client, spaceId, spaces.pageIndex));
		if (page === undefined) break;
		const isRepeated = spaces.take(page, LIST_PAGE, ({ id }) => id).length === 0;
		const rest = isRepeated ? [] : page.items.slice(first);
		for (const [offset, space] of rest.entries()) {
			const isWhole = await search.readSpace(space, start);
			if (!isWhole) return search.endAt(tokenOf(here, first + offset, start));
			start = new ListPosition();
		}
		first = 0;
		if (!spaces.isAtEnd && search.isFilled) return search.endAt(tokenOf(spaces.token, 0, start));
	} while (!spaces.isAtEnd);
	return search.endAt(undefined);
}

/** Collects the grids whose names match, within the limits of one call. */
class GridSearch {
	private readonly found: ListedGrid[] = [];
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
		return this.found.length >= (isSearch(this.filter) ? LIST_PAGE : 1);
	}

	/**
	 * Reads the grids of a space from a position on, and moves the position.
	 * @returns whether the limits allowed to read them all
	 */
	async readSpace(space: Space, position: ListPosition): Promise<boolean> {
		do {
			if (this.isExhausted) return false;
			this.requests++;
			const reading = this.client.grids.page(space, { type: 'persistent', pageIndex: position.pageIndex });
			const page = await position.read(this.spaceId === undefined ? unlessClosed(reading) : reading);
			if (page === undefined) return true;
			for (const grid of position.take(page, DEFAULT_PAGE_SIZE, ({ id }) => id)) {
				const name = this.spaceId === undefined ? `${grid.name} (${space.name})` : grid.name;
				if (matches(name, this.filter)) this.found.push({ grid, name });
			}
		} while (!position.isAtEnd);
		return true;
	}

	endAt(next: string | undefined): Found {
		return { grids: this.found, requests: this.requests, next };
	}

	private get isExhausted(): boolean {
		const { requests, until, client } = this;
		if (requests >= (isSearch(this.filter) ? MAX_REQUESTS.search : MAX_REQUESTS.list)) return true;
		return requests > 0 && client.session.transport.now() > until;
	}
}

/** Undefined for a space whose grids this identity may not read, or that was deleted meanwhile. */
async function unlessClosed<Value>(reading: Promise<Value>): Promise<Value | undefined> {
	return await reading.catch((error: unknown) =>
		error instanceof Forbidden || error instanceof NotFound ? undefined : Promise.reject(error),
	);
}

/** The chosen space alone, or a page of all spaces. */
async function spacesFor(
	client: Client,
	spaceId: string | undefined,
	pageIndex: number,
): Promise<Page<Space>> {
	if (spaceId === undefined) return await client.spaces.page({ pageIndex, pageSize: LIST_PAGE });
	return { items: [await client.spaces.get(spaceId)], numberOfPages: 1, _links: new Map() };
}
