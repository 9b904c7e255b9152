import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { idInUrl } from '../../../../client/endpoints/paths';
import { chosen, list, LIST_PAGE, locator, matches, nextToken, required, tokenSchema } from '../locators';
import type { Parameter } from '../parameter';
import { gridAbove } from './grid';

/** A form of the chosen grid, by its id (§4.4). */
export const formPicker: Parameter<string> = {
	property: locator({
		displayName: 'Form',
		name: 'form',
		required: true,
		description: 'The form of the grid to work with',
		searchMethod: 'searchForms',
		urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/spaces/s1/grids/g1/forms/f1',
		idPlaceholder: 'e.g. f1',
	}),
	read(raw) {
		const { text, isUrl } = required(chosen(raw, 'Form'), 'Form');
		return isUrl ? required(idInUrl('form', text), 'Form') : text;
	},
};

/** The forms of the grid chosen above. */
export async function searchForms(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await list(this, async (client) => {
		const pageIndex = tokenSchema.parse(token);
		const page = await client.forms.page(await gridAbove(this, client), { pageIndex, pageSize: LIST_PAGE });
		const results = page.items
			.map(({ id, name, displayValue }) => ({ name: name || displayValue || id, value: id }))
			.filter(({ name }) => matches(name, filter));
		return { results, ...nextToken(page, pageIndex) };
	});
}
