import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { idsInUrl } from '../../../client/paths';
import type { Space } from '../../../client/spaces';
import { chosen, list, LIST_PAGE, locator, matches, nextToken, required, tokenSchema } from '../locators';
import type { Parameter } from '../parameter';

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

/** A space whose shares are to be read or changed: the list shows those where the key may (§2.3 `shares`). */
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
	return await spacesIn(this, filter, token, () => true);
}

/**
 * Those of them whose structure may be changed: they have `addGrid`. Summaries carry links (§1; §2.3 lists what they lack); one that
 * has none tells nothing and stays in the list.
 */
export async function searchSpacesForGrids(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await spacesIn(this, filter, token, mayFollow('addGrid'));
}

/** Those of them whose shares the key may manage. */
export async function searchSpacesToShare(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await spacesIn(this, filter, token, mayFollow('shares'));
}

const mayFollow =
	(rel: string) =>
	({ _links }: Space) =>
		_links.size < 2 || _links.has(rel);

async function spacesIn(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	token: string | undefined,
	isUsable: (space: Space) => boolean,
): Promise<INodeListSearchResult> {
	return await list(context, async (client) => {
		const pageIndex = tokenSchema.parse(token);
		const page = await client.spaces.page({ pageIndex, pageSize: LIST_PAGE });
		const results = page.items
			.filter((space) => isUsable(space) && matches(space.name, filter))
			.map((space) => ({ name: space.name || space.id, value: space.id }));
		return { results, ...nextToken(page, pageIndex) };
	});
}
