import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { idInUrl } from '../../../../client/endpoints/paths';
import { chosen, list, LIST_PAGE, locator, matches, nextToken, required, tokenSchema } from '../locators';
import type { Parameter } from '../parameter';

/** An access key of the account, by its id (§4.2). */
export const accessKeyPicker: Parameter<string> = {
	property: locator({
		displayName: 'Access Key',
		name: 'accessKey',
		required: true,
		description: 'The access key, shown by its name and role',
		searchMethod: 'searchAccessKeys',
		urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/accessKeys/k1',
		idPlaceholder: 'e.g. k1',
	}),
	read(raw) {
		const { text, isUrl } = required(chosen(raw, 'Access Key'), 'Access Key');
		return isUrl ? required(idInUrl('accessKey', text), 'Access Key') : text;
	},
};

/**
 * The keys of the account; two of the same name are told
 * apart by the key itself, which is no secret.
 */
export async function searchAccessKeys(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await list(this, async (client) => {
		const pageIndex = tokenSchema.parse(token);
		const page = await client.accessKeys.page({ pageIndex, pageSize: LIST_PAGE });
		const results = page.items
			.map(({ id, key, name, role }) => ({
				name: [name || 'Unnamed', role && `(${role})`, key && `– ${key}`].filter(Boolean).join(' '),
				value: id,
			}))
			.filter(({ name }) => matches(name, filter));
		return { results, ...nextToken(page, pageIndex) };
	});
}
