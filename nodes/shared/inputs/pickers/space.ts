import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { idsInUrl } from '../../../../client/endpoints/paths';
import type { Space } from '../../../../client/resources/spaces';
import { chosen, list, LIST_PAGE, locator, matches, nextToken, required, tokenSchema } from '../locators';
import type { Parameter } from '../parameter';
import { permitted } from './permitted';

function spaceIdOf(raw: unknown): string | undefined {
	const found = chosen(raw, 'Space');
	if (!found) return undefined;
	if (!found.isUrl) return found.text;
	return required(idsInUrl(found.text).spaceId, 'Space');
}

const spaceProperty = {
	displayName: 'Space',
	name: 'space',
	searchMethod: 'searchSpaces',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1',
	idPlaceholder: 'e.g. s1',
};

/** A space that has to be chosen. */
export const spacePicker: Parameter<string> = {
	property: locator({ ...spaceProperty, required: true, description: 'The space to work in' }),
	read: (raw) => required(spaceIdOf(raw), 'Space'),
};

/** A space to add a grid to: the list shows only those where the key may (§2.3 `addGrid`). */
export const spaceForGridPicker: Parameter<string> = {
	property: locator({
		...spaceProperty,
		searchMethod: 'searchSpacesForGrids',
		required: true,
		description: 'The space to add the grid to; the list shows those to which the key may add grids',
	}),
	read: (raw) => required(spaceIdOf(raw), 'Space'),
};

/** A space to change or delete: the list leaves out those that the key may only read. */
export const changeableSpacePicker: Parameter<string> = {
	...spacePicker,
	property: locator({
		...spaceProperty,
		searchMethod: 'searchSpacesForGrids',
		required: true,
		description: 'The space to work with; the list shows those that the key may change',
	}),
};

/**
 * A space whose shares are to be read or changed: the list
 * shows those where the key may (§2.3 `shares`).
 */
export const sharedSpacePicker: Parameter<string> = {
	...spacePicker,
	property: locator({
		...spaceProperty,
		searchMethod: 'searchSpacesToShare',
		required: true,
		description: 'The space to work in; the list shows those whose shares the key may manage',
	}),
};

/** A space that narrows the list of grids, or undefined for all spaces. */
export const gridSpacePicker: Parameter<string | undefined> = {
	property: locator({
		...spaceProperty,
		required: false,
		whenEmpty: 'All spaces',
		description:
			'Narrows the list of grids to one space. Leave it empty to choose from the grids of all spaces.',
	}),
	read: spaceIdOf,
};

/** The spaces of the account, page after page. */
export async function searchSpaces(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await spacesIn(this, filter, token);
}

/** Those of them whose structure may be changed: in full they have `addGrid` (§2.3). */
export async function searchSpacesForGrids(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await spacesIn(this, filter, token, 'addGrid');
}

/** Those of them whose shares the key may manage. */
export async function searchSpacesToShare(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await spacesIn(this, filter, token, 'shares');
}

async function spacesIn(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	token: string | undefined,
	rel?: 'addGrid' | 'shares',
): Promise<INodeListSearchResult> {
	return await list(context, async (client) => {
		const pageIndex = tokenSchema.parse(token);
		const page = await client.spaces.page({ pageIndex, pageSize: LIST_PAGE });
		const found = page.items.filter(({ name }) => matches(name, filter));
		const open = async (space: Space) => await client.spaces.open(space);
		const shown = rel === undefined ? found : await permitted(client, found, rel, open);
		const results = shown.map((space) => ({ name: space.name || space.id, value: space.id }));
		return { results, ...nextToken(page, pageIndex) };
	});
}
