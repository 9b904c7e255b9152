import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { Client } from '../../../client';
import type { Grid, GridReference } from '../../../client/grids';
import { idsInUrl } from '../../../client/paths';
import type { Space } from '../../../client/spaces';
import { chosen, list, LIST_PAGE, locator, matches, nextToken, required, tokenSchema } from '../locators';
import type { Parameter } from '../parameter';
import { gridSpacePicker } from './space';

/** A grid's list value names its space too, since a grid's id alone makes no address (§4.4). */
function gridValue(spaceId: string, gridId: string): string {
	return `${encodeURIComponent(spaceId)}/${encodeURIComponent(gridId)}`;
}

const gridProperty = {
	displayName: 'Grid',
	name: 'grid',
	required: true,
	description: 'The grid (table) to work with',
	searchMethod: 'searchGrids',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1',
	idPlaceholder: 'e.g. g1',
};

/** A grid; the ids of its space and itself where both were chosen, else its own. */
export const gridPicker: Parameter<GridReference> = {
	property: locator(gridProperty),
	read(raw) {
		const { text, isUrl } = required(chosen(raw, 'Grid'), 'Grid');
		if (isUrl) {
			const { spaceId, gridId } = idsInUrl(text);
			return { spaceId, gridId: required(gridId, 'Grid') };
		}
		const [first = '', second] = text.split('/').map(decodeURIComponent);
		return second === undefined ? { gridId: first } : { spaceId: first, gridId: second };
	},
};

/** A grid to change: the list leaves out those that the key may only read. */
export const writableGridPicker: Parameter<GridReference> = {
	...gridPicker,
	property: locator({
		...gridProperty,
		description: 'The grid (table) to change; the list shows those that the key may do more with than read',
		searchMethod: 'searchWritableGrids',
	}),
};

/** The grid that an operation's two pickers name together. */
export function gridReference(grid: GridReference, spaceId: string | undefined): GridReference {
	return { spaceId: grid.spaceId ?? spaceId, gridId: grid.gridId };
}

/** Whether a dependent list has a grid to list something of; n8n asks for it as soon as the node is opened. */
export function isGridChosen(context: ILoadOptionsFunctions): boolean {
	return chosen(context.getCurrentNodeParameter('grid'), 'Grid') !== undefined;
}

/** The grid that the pickers above a dependent list hold, in full. */
export async function gridAbove(context: ILoadOptionsFunctions, client: Client): Promise<Grid> {
	const grid = gridPicker.read(context.getCurrentNodeParameter('grid'));
	const spaceId = gridSpacePicker.read(context.getCurrentNodeParameter('space'));
	return await client.grids.open(gridReference(grid, spaceId));
}

/** The grids of the chosen space, or of all spaces with the space's name beside each. */
export async function searchGrids(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await gridsIn(this, token, (_grid, name) => matches(name, filter));
}

/**
 * Those of them in which the key may do more than read. Every response carries `_links`, the summaries of a list included (§1, §2.3
 * names what a summary lacks, and links are not among it): of the links that the spec names for a grid, `addEntity` is the one that
 * readers do not have (§2.4, §5). A summary without links tells nothing and stays in the list.
 */
export async function searchWritableGrids(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	const isWritable = ({ _links }: Grid) => _links.size < 2 || _links.has('addEntity');
	return await gridsIn(this, token, (grid, name) => isWritable(grid) && matches(name, filter));
}

/** Whether a grid is to be listed under a name. */
type Listed = (grid: Grid, name: string) => boolean;

async function gridsIn(
	context: ILoadOptionsFunctions,
	token: string | undefined,
	listed: Listed,
): Promise<INodeListSearchResult> {
	return await list(context, async (client) => {
		const spaceId = gridSpacePicker.read(context.getCurrentNodeParameter('space'));
		if (spaceId !== undefined)
			return { results: await gridsOf(client, await client.spaces.get(spaceId), listed, false) };
		const pageIndex = tokenSchema.parse(token);
		const page = await client.spaces.page({ pageIndex, pageSize: LIST_PAGE });
		const results: INodeListSearchItems[] = [];
		for (const space of page.items) results.push(...(await gridsOf(client, space, listed, true)));
		return { results, ...nextToken(page, pageIndex) };
	});
}

async function gridsOf(
	client: Client,
	space: Space,
	listed: Listed,
	nameSpace: boolean,
): Promise<INodeListSearchItems[]> {
	const results: INodeListSearchItems[] = [];
	for (let pageIndex = 1, pages = 1; pageIndex <= pages; pageIndex++) {
		const page = await client.grids.page(space, { type: 'persistent', pageIndex });
		pages = page.items.length === 0 ? 0 : (page.numberOfPages ?? 1);
		for (const grid of page.items) {
			const name = nameSpace ? `${grid.name} (${space.name})` : grid.name;
			if (listed(grid, name)) results.push({ name, value: gridValue(space.id, grid.id) });
		}
	}
	return results;
}
