import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { bareAddress, linkInPage } from '../client/resources/pageLink';
import { authorized } from './authorization';
import { overPlainHttp } from './plainHttp';

/**
 * A protected public link with its own user name and password. They are stored together, so that
 * no other address can receive them.
 */
export class DataGridLinkApi implements ICredentialType {
	name = 'dataGridLinkApi';

	displayName = 'DataGrid Public Link API';

	icon = { light: 'file:../icons/datagrid.svg', dark: 'file:../icons/datagrid.dark.svg' } as const;

	documentationUrl =
		'https://github.com/n8n-nodes-datagrid/n8n-nodes-datagrid/blob/main/README.md#credential-for-a-protected-link';

	properties: INodeProperties[] = [
		{
			displayName: 'Link',
			name: 'link',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://grids.example.com/api/a/u1/l1',
			description:
				'The public link as it was shared, or as a page of the service shows it. Its user name and password are sent nowhere else.',
		},
		{
			displayName:
				'Requests over http are not encrypted: anyone on the network path can read them, including user name and password. Use https, or use this address only within a network that you trust.',
			name: 'insecure',
			type: 'notice',
			default: '',
			displayOptions: overPlainHttp('link'),
		},
		{
			displayName: 'User Name',
			name: 'user',
			type: 'string',
			default: '',
			required: true,
			description: 'The user name of the link, not that of an account',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The password of the link, not that of an account',
		},
	];

	/** §5: HTTP Basic. Tested by the node's `testLink`, which opens the link. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const login = `${String(credentials.user ?? '')}:${String(credentials.password ?? '')}`;
		const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
		return authorized(requestOptions, {
			address: addressOf(credentials.link),
			label: 'Link',
			isWithin: isOfSameService,
			header: authorization,
		});
	}
}

/** The address of the link, as the node reads it. */
function addressOf(link: unknown): unknown {
	const text = bareAddress(String(link ?? ''));
	return URL.canParse(text) ? linkInPage(new URL(text)).href : link;
}

/**
 * Whether a request goes to the service of the link. The path before `/api` distinguishes several
 * services on one host.
 */
function isOfSameService(request: URL, link: URL): boolean {
	const base = /^(.*?\/api\/)[ar]\//.exec(link.pathname)?.[1];
	// A proxy may decode an encoded slash or dot, which would change the path compared here.
	return base !== undefined && request.pathname.startsWith(base) && !/%2f|%5c|%2e/i.test(request.pathname);
}
