import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Client } from '../../../../client';
import type { Grid, GridReference } from '../../../../client/resources/grids';
import type { Page } from '../../../../client/hal/links';
import { decoded, idsInUrl } from '../../../../client/endpoints/paths';
import { Forbidden, NotFound } from '../../../../client/errors';
import type { Space } from '../../../../client/resources/spaces';
import { ListPosition } from './listPosition';
import { chosen, locator, required } from './locators';
import {
	DEFAULT_PAGE,
	isSearch,
	list,
	LIST_PAGE,
	matches,
	MAX_LIST_MS,
	refuseOnlyReadable,
	refuseUnfinishedSearch,
	type ListRequest,
} from './pagedList';
import type { Parameter } from '../parameter';
import { gridValue, pickedAbove } from './pickedUrls';
import { permitted } from './permitted';
import { gridSpacePicker } from './space';

const gridProperty = {
	displayName: 'Grid',
	name: 'grid',
	required: true,
	description: 'The grid (table) to work with',
	searchMethod: 'searchGrids',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1',
	idPlaceholder: 'e.g. g1',
};

/**
 * The id of a grid, with the id of its space if the value contains it.
 * @param label the picker's label
 * @throws InvalidInput
 */
export function gridReferenceIn(raw: unknown, label: string): GridReference {
	const { text, mode, isUrl } = required(chosen(raw, label), label);
	if (isUrl) {
		const { spaceId, gridId } = idsInUrl(text);
		return { spaceId, gridId: required(gridId, label) };
	}
	// Only list values are percent-encoded; an id is used unchanged.
	const [spaceId, gridId, ...more] = mode === 'list' ? text.split('/').map(decoded) : [];
	return gridId === undefined || more.length > 0 ? { gridId: text } : { spaceId, gridId };
}

export const gridPicker: Parameter<GridReference> = {
	property: locator(gridProperty),
	read: (raw) => gridReferenceIn(raw, 'Grid'),
};

/** A grid to change: the list omits grids that the key may only read. */
export const writableGridPicker: Parameter<GridReference> = {
	...gridPicker,
	property: locator({
		...gridProperty,
		description: 'The grid (table) to change; the list omits grids that the key may only read',
		searchMethod: 'searchWritableGrids',
	}),
};

/** The grid that an operation's two pickers choose together. */
export function gridReference(grid: GridReference, spaceId: string | undefined): GridReference {
	return { spaceId: grid.spaceId ?? spaceId, gridId: grid.gridId };
}

/**
 * Whether a grid is chosen for a dependent list; n8n loads such lists as soon as the node is
 * opened.
 */
export function isGridChosen(context: ILoadOptionsFunctions): boolean {
	return chosen(context.getCurrentNodeParameter('grid'), 'Grid') !== undefined;
}

/** The full grid chosen in the pickers that a list depends on. */
export async function gridAbove(context: ILoadOptionsFunctions, client: Client): Promise<Grid> {
	const grid = await pickedAbove(context, client, gridPicker);
	const spaceId = await pickedAbove(context, client, gridSpacePicker);
	return await client.grids.open(gridReference(grid, spaceId));
}

/** The grids of the chosen space, or of all spaces with each space's name. */
export async function searchGrids(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await gridsIn(this, { filter, token });
}

/**
 * The grids that the key may change: their full representations have `addEntity`, which readers do
 * not get (§2.4, §5).
 */
export async function searchWritableGrids(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await gridsIn(this, { filter, token }, 'addEntity');
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

/** Maximum number of lists of grids that one call reads; a search cannot be continued by n8n. */
const MAX_REQUESTS = { list: 60, search: 150 };

async function gridsIn(
	context: ILoadOptionsFunctions,
	{ filter, token }: ListRequest,
	rel?: 'addEntity',
): Promise<INodeListSearchResult> {
	return await list(context, async (client) => {
		const spaceId = await pickedAbove(context, client, gridSpacePicker);
		const { found, requests, next } = await gridsFrom(client, { spaceId, filter, token });
		const grids = found.map(({ grid }) => grid);
		const open = async ({ address }: Grid) => await client.grids.open(address);
		const kept = new Set(rel === undefined ? grids : await permitted(client, grids, rel, open));
		const results = found
			.filter(({ grid }) => kept.has(grid))
			.map(({ grid, name }) => ({ name, value: gridValue(grid.address.spaceId, grid.id) }));
		if (next === undefined) {
			refuseOnlyReadable({ named: found.map(({ name }) => name), shown: results, token });
			return { results };
		}
		refuseUnfinishedSearch(results, filter, requests);
		return { results, paginationToken: next };
	});
}

/** The grids to list from a token on, and the token of those that follow. */
async function gridsFrom(
	client: Client,
	{ spaceId, filter, token }: ListRequest & { spaceId: string | undefined },
): Promise<{ found: ListedGrid[]; requests: number; next?: string }> {
	const { transport } = client.session;
	const until = transport.now() + MAX_LIST_MS;
	const most = isSearch(filter) ? MAX_REQUESTS.search : MAX_REQUESTS.list;
	const found: ListedGrid[] = [];
	let requests = 0;
	const place = placeSchema.parse(token);
	const { spaces } = place;
	let { space: index, grids: position } = place;
	do {
		const here = spaces.token;
		const page = await spaces.read(spacesFor(client, spaceId, spaces.pageIndex));
		if (page === undefined) break;
		const isNew = spaces.take(page, LIST_PAGE, ({ id }) => id).length > 0;
		for (const space of isNew ? page.items.slice(index) : []) {
			do {
				if (requests >= most || (requests > 0 && transport.now() > until))
					return { found, requests, next: `${here} ${index} ${position.token}` };
				requests++;
				const { pageIndex } = position;
				const reading = client.grids.page(space, { type: 'persistent', pageIndex });
				const grids = await position.read(spaceId === undefined ? unlessClosed(reading) : reading);
				if (grids === undefined) break;
				for (const grid of position.take(grids, DEFAULT_PAGE, ({ id }) => id)) {
					const name = spaceId === undefined ? `${grid.name} (${space.name})` : grid.name;
					if (matches(name, filter)) found.push({ grid, name });
				}
			} while (!position.isAtEnd);
			position = new ListPosition();
			index++;
		}
		index = 0;
		if (!spaces.isAtEnd && found.length >= (isSearch(filter) ? LIST_PAGE : 1))
			return { found, requests, next: `${spaces.token} 0 ${position.token}` };
	} while (!spaces.isAtEnd);
	return { found, requests };
}

/** Undefined for a space whose grids this identity may not read, or that was deleted meanwhile. */
async function unlessClosed<Value>(reading: Promise<Value>): Promise<Value | undefined> {
	return await reading.catch((error: unknown) =>
		error instanceof Forbidden || error instanceof NotFound ? undefined : Promise.reject(error),
	);
}

interface ListedGrid {
	grid: Grid;
	name: string;
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
