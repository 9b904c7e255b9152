import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { type Client, type Grid, idsInUrl } from '../../../../client';
import { chosen, locator, required } from './locators';
import { pagedSearch, listingPages } from './pagedList';
import type { Parameter } from '../parameter';
import { gridOfParentPickers } from './grid';
import { parentPickerValue } from './resolvedPickers';

/** A view's address has the form of a grid's (§2.8). */
function viewIdOf(raw: unknown): string | undefined {
	const choice = chosen(raw, 'View');
	if (!choice) return undefined;
	return choice.isUrl ? required(idsInUrl(choice.text).gridId, 'View') : choice.text;
}

const viewProperty = {
	displayName: 'View',
	name: 'view',
	searchMethod: 'searchViews',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/v1',
	idPlaceholder: 'e.g. v1',
	namePlaceholder: 'e.g. Open orders',
};

/** The id of a required view of the chosen grid. */
export const viewPicker: Parameter<string> = {
	property: locator({
		...viewProperty,
		description: 'The view to work with: a saved selection of columns, filter and sorting',
	}),
	read: (raw) => required(viewIdOf(raw), 'View'),
};

/** The id of a view that limits what is read from the chosen grid; undefined for the whole grid. */
export const optionalViewPicker: Parameter<string | undefined> = {
	property: locator({
		...viewProperty,
		required: false,
		whenEmpty: 'The whole grid',
		description: 'A view whose columns, filter and sorting apply. Leave it empty for the whole grid.',
	}),
	read: viewIdOf,
};

/** The view chosen above a list of the editor, or the grid if none is chosen. */
export async function gridOrViewAbove(context: ILoadOptionsFunctions, client: Client): Promise<Grid> {
	const grid = await gridOfParentPickers(context, client);
	const viewId = await parentPickerValue(context, client, optionalViewPicker);
	if (viewId === undefined) return grid;
	return await client.grids.open({ spaceId: grid.address.spaceId, gridId: viewId });
}

/** The views of the chosen grid. */
export const searchViews = pagedSearch(['view'], async ({ client, context, request }) => ({
	pages: listingPages(client.views.list(await gridOfParentPickers(context, client)), request),
	item: ({ id, name }: Grid) => ({ name: name || id, value: id }),
}));
