import type { Form } from '../../../../client';
import { idPicker } from './locators';
import { pagedSearch, listingPages } from './pagedList';
import { gridOfParentPickers } from './grid';

/** A form of the chosen grid, by its id (§4.4). */
export const formPicker = idPicker('form', {
	displayName: 'Form',
	name: 'form',
	description: 'The form of the grid to work with',
	searchMethod: 'searchForms',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1/forms/f1',
	idPlaceholder: 'e.g. f1',
});

/** The forms of the chosen grid. */
export const searchForms = pagedSearch(['form'], async ({ client, context, request }) => ({
	pages: listingPages(client.forms.list(await gridOfParentPickers(context, client)), request),
	item: ({ id, name, displayValue }: Form) => ({ name: name || displayValue || id, value: id }),
}));
