import type { ILoadOptionsFunctions } from 'n8n-workflow';
import type { Client, Grid, GridReference } from '../../../../client';
import { gridPages, type ListedGrid } from './gridSearch';
import { chosen, gridReferenceIn, locator } from './locators';
import { isSearch, pagedSearch } from './pagedList';
import type { Parameter } from '../parameter';
import { gridValue, parentPickerValue } from './resolvedPickers';
import { permitted } from './permitted';
import { gridSpacePicker } from './space';

const gridProperty = {
	displayName: 'Grid',
	name: 'grid',
	description: 'The grid (table) to work with',
	searchMethod: 'searchGrids',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1',
	idPlaceholder: 'e.g. g1',
	keyPlaceholder: 'e.g. sales/orders',
};

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

/** Whether a grid is chosen: n8n loads dependent lists as soon as the node is opened. */
export function isGridChosen(context: ILoadOptionsFunctions): boolean {
	return chosen(context.getCurrentNodeParameter('grid'), 'Grid') !== undefined;
}

/** The full grid chosen in the pickers that a list depends on. */
export async function gridOfParentPickers(context: ILoadOptionsFunctions, client: Client): Promise<Grid> {
	const grid = await parentPickerValue(context, client, gridPicker);
	const spaceId = await parentPickerValue(context, client, gridSpacePicker);
	return await client.grids.open(gridReference(grid, spaceId));
}

/** The pickers that list grids; one may be part of another input. */
const GRID_PICKERS = ['linkedGrid', 'grid'];

/** Maximum number of lists of grids that a search reads: n8n cannot continue it. */
const MAX_SEARCH_REQUESTS = 150;

/**
 * The grids of the chosen space, or of all spaces with each space's name.
 * @param rel the link that a listed grid must have in its full representation (§2.4)
 */
const gridSearch = (rel?: string) =>
	pagedSearch(GRID_PICKERS, async ({ client, context, request: { filter, token } }) => {
		const spaceId = await parentPickerValue(context, client, gridSpacePicker);
		const open = async ({ address }: Grid) => await client.grids.open(address);
		return {
			pages: gridPages(client, spaceId, token),
			item: ({ label, address, id }: ListedGrid) => ({ name: label, value: gridValue(address.spaceId, id) }),
			...(rel === undefined
				? {}
				: { kept: async (grids: readonly ListedGrid[]) => await permitted(client, grids, rel, open) }),
			...(isSearch(filter) ? { maxRequests: MAX_SEARCH_REQUESTS } : {}),
		};
	});
export const searchGrids = gridSearch();
/** The grids that the key may change; readers do not get `addEntity` (§5). */
export const searchWritableGrids = gridSearch('addEntity');
