import type { Space } from '../../../../client';
import { locator, required, spaceIdIn } from './locators';
import { pagedSearch, listingPages } from './pagedList';
import type { Parameter } from '../parameter';
import { permitted } from './permitted';

const spaceProperty = {
	displayName: 'Space',
	name: 'space',
	searchMethod: 'searchSpaces',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1',
	idPlaceholder: 'e.g. s1',
	keyPlaceholder: 'e.g. sales',
};

const requiredSpace = (picker: { description: string; searchMethod?: string }): Parameter<string> => ({
	property: locator({ ...spaceProperty, ...picker }),
	read: (raw) => required(spaceIdIn(raw), 'Space'),
});

/** A required space. */
export const spacePicker = requiredSpace({ description: 'The space to work in' });

/** A space to add a grid to: the list omits spaces without the link `addGrid` (§2.3). */
export const spaceForGridPicker = requiredSpace({
	searchMethod: 'searchSpacesForGrids',
	description: 'The space to add the grid to; the list shows those to which the key may add grids',
});

/** A space to change or delete: the list omits spaces that the key may only read. */
export const changeableSpacePicker = requiredSpace({
	searchMethod: 'searchSpacesForGrids',
	description: 'The space to work with; the list shows those that the key may change',
});

/** A space whose shares are used: the list omits spaces without the link `shares` (§2.3). */
export const sharedSpacePicker = requiredSpace({
	searchMethod: 'searchSpacesToShare',
	description: 'The space to work in; the list shows those whose shares the key may manage',
});

/** A space that narrows the list of grids, or undefined for all spaces. */
export const gridSpacePicker: Parameter<string | undefined> = {
	property: locator({
		...spaceProperty,
		required: false,
		whenEmpty: 'All spaces',
		description:
			'Narrows the list of grids to one space. Leave it empty to choose from the grids of all spaces.',
	}),
	read: spaceIdIn,
};

/** Older versions of n8n throw where a condition looks for a part of what is no text. */
const IS_TEXT = [{ _cnd: { between: { from: '', to: '\uffff' } } }];

/**
 * The same beside a grid: a chosen grid, its address and both keys with a slash contain the space.
 * Not a pattern: n8n gives those 250 ms, and on a busy machine refused to activate the workflow.
 */
export const spaceBesideGrid: Parameter<string | undefined> = {
	...gridSpacePicker,
	property: {
		...gridSpacePicker.property,
		displayOptions: { show: { grid: IS_TEXT }, hide: { grid: [{ _cnd: { includes: '/' } }] } },
	},
};

/**
 * The spaces of the account.
 * @param rel the link that a listed space must have in its full representation (§2.3)
 * @param lacks what the key may not do with a space without it
 */
const spaceSearch = (rel?: string, lacks?: string) =>
	pagedSearch(['space'], ({ client, request }) => {
		const open = async (space: Space) => await client.spaces.open(space);
		return {
			pages: listingPages(client.spaces.list(), request),
			item: ({ id, name }: Space) => ({ name: name || id, value: id }),
			...(rel === undefined
				? {}
				: { kept: async (found: readonly Space[]) => await permitted(client, found, rel, open), lacks }),
		};
	});
export const searchSpaces = spaceSearch();
/** A writer may change rows but not spaces. */
export const searchSpacesForGrids = spaceSearch('addGrid', 'may not add grids to');
export const searchSpacesToShare = spaceSearch('shares', 'may not manage the shares of');
