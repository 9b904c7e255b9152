import type { AccessKey } from '../../../../client';
import { idPicker } from './locators';
import { pagedSearch, listingPages } from './pagedList';

/** An access key of the account, by its id (§4.2). */
export const accessKeyPicker = idPicker('accessKey', {
	displayName: 'Access Key',
	name: 'accessKey',
	description: 'The access key, shown by its name and role',
	searchMethod: 'searchAccessKeys',
	urlPlaceholder: 'e.g. https://grids.example.com/api/users/u1/accessKeys/k1',
	idPlaceholder: 'e.g. k1',
});

/** The label of a key includes the key itself, which is not secret, to tell equal names apart. */
export const searchAccessKeys = pagedSearch(['accessKey'], ({ client, request }) => ({
	pages: listingPages(client.accessKeys.list(), request),
	item: ({ id, key, name, role }: AccessKey) => ({
		name: [name || 'Unnamed', role && `(${role})`, key && `– ${key}`].filter(Boolean).join(' '),
		value: id,
	}),
}));
