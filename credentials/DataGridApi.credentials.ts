import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { authorized } from './authorization';
import { overPlainHttp } from './plainHttp';

export class DataGridApi implements ICredentialType {
	name = 'dataGridApi';

	displayName = 'DataGrid API';

	icon = { light: 'file:../icons/datagrid.svg', dark: 'file:../icons/datagrid.dark.svg' } as const;

	documentationUrl =
		'https://github.com/n8n-nodes-datagrid/n8n-nodes-datagrid/blob/main/README.md#credential-in-three-steps';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://grids.example.com',
			description:
				'Where the Data-Grid Service is, without /api. Use https: over plain http, key and secret can be read on the way (fine only on the same machine).',
		},
		{
			displayName:
				'What is sent over http, key and secret included, is not encrypted on the way: anyone in between can read it. Use https, or this address only within a network that you trust.',
			name: 'insecure',
			type: 'notice',
			default: '',
			displayOptions: overPlainHttp('baseUrl'),
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'API Key',
					value: 'apiKey',
					description:
						'A key and its secret, made in the service under the credentials settings; it never expires',
				},
				{
					name: 'Access Token',
					value: 'accessToken',
					description: 'A bearer token (JWT) as the web front end of the service uses it; it may expire',
				},
			],
			default: 'apiKey',
		},
		{
			displayName: 'Key',
			name: 'key',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['apiKey'] } },
			description:
				'With the role reader, nodes can read; with admin, they can do everything in all spaces of the account',
		},
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['apiKey'] } },
			description: 'Shown only once, when the key is made. If it is lost, delete the key and make a new one.',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['accessToken'] } },
		},
	];

	/**
	 * §5: HTTP Basic with key and secret, or a bearer token. Tested by the nodes' `testConnection`,
	 * which n8n's own test cannot replace.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const text = (name: string) => String(credentials[name] ?? '').trim();
		const basic = () => Buffer.from(`${text('key')}:${text('secret')}`).toString('base64');
		const authorization =
			credentials.authentication === 'accessToken' ? `Bearer ${text('accessToken')}` : `Basic ${basic()}`;
		return authorized(requestOptions, {
			address: credentials.baseUrl,
			label: 'Base URL',
			header: authorization,
		});
	}
}
