import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Client } from '../../../../client';
import type { Grid, GridReference } from '../../../../client/resources/grids';
import type { Page } from '../../../../client/hal/links';
import { decoded, idsInUrl } from '../../../../client/endpoints/paths';
import type { Space } from '../../../../client/resources/spaces';
import {
	chosen,
	list,
	LIST_PAGE,
	locator,
	matches,
	nextToken,
	refuseOnlyReadable,
	required,
} from './locators';
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
		description: 'The grid (table) to change; the list shows those that the key may do more with than read',
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
	return await gridsIn(this, token, (name) => matches(name, filter));
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
	return await gridsIn(this, token, (name) => matches(name, filter), 'addEntity');
}

/** Position of the next list page: a page of spaces, a space on it, a page of its grids. */
const placeSchema = z
	.string()
	.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/)
	.transform((token) => {
		const [spacesPage = 1, space = 0, gridsPage = 1] = token.split('.').map(Number);
		return { spacesPage, space, gridsPage };
	})
	.catch({ spacesPage: 1, space: 0, gridsPage: 1 });

/** §4: default page size. */
const DEFAULT_PAGE = 300;

/** Limits of one call; n8n requests the rest when the user scrolls. */
const MAX_REQUESTS = 60;
const MAX_MS = 8000;

async function gridsIn(
	context: ILoadOptionsFunctions,
	token: string | undefined,
	isListed: (name: string) => boolean,
	rel?: 'addEntity',
): Promise<INodeListSearchResult> {
	return await list(context, async (client) => {
		const shown = async (all: readonly ListedGrid[]) => {
			const named = all.filter(({ name }) => isListed(name));
			const grids = named.map(({ grid }) => grid);
			const open = async ({ address }: Grid) => await client.grids.open(address);
			const kept = new Set(rel === undefined ? grids : await permitted(client, grids, rel, open));
			return named
				.filter(({ grid }) => kept.has(grid))
				.map(({ grid, name }) => ({ name, value: gridValue(grid.address.spaceId, grid.id) }));
		};
		const spaceId = await pickedAbove(context, client, gridSpacePicker);
		const place = placeSchema.parse(token);
		const page = await spacesFor(client, spaceId, place.spacesPage);
		const { transport } = client.session;
		const until = transport.now() + MAX_MS;
		const found: ListedGrid[] = [];
		let { space: index, gridsPage } = place;
		for (let requests = 1; index < page.items.length; requests++) {
			const space = page.items[index];
			if (space === undefined) break;
			if (requests > MAX_REQUESTS || (requests > 1 && transport.now() > until))
				return {
					results: await shown(found),
					paginationToken: `${place.spacesPage}.${index}.${gridsPage}`,
				};
			const grids = await client.grids.page(space, { type: 'persistent', pageIndex: gridsPage });
			for (const grid of grids.items)
				found.push({ grid, name: spaceId === undefined ? `${grid.name} (${space.name})` : grid.name });
			const more = nextToken({ ...grids, pageSize: grids.pageSize ?? DEFAULT_PAGE }, gridsPage);
			if (more.paginationToken !== undefined) gridsPage++;
			else [index, gridsPage] = [index + 1, 1];
		}
		const next = nextToken(page, place.spacesPage).paginationToken;
		const rest = next === undefined ? {} : { paginationToken: `${next}.0.1` };
		const results = await shown(found);
		const named = found.map(({ name }) => name).filter(isListed);
		refuseOnlyReadable({ named, shown: results, token, next: rest });
		return { results, ...rest };
	});
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
