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
				'The address of the Data-Grid Service. A final /api, as in the paths of the service, is cut off. Use https: over plain http, anyone on the network path can read key and secret (acceptable only on the same machine).',
		},
		{
			displayName:
				'Requests over http are not encrypted: anyone on the network path can read them, including key and secret. Use https, or use this address only within a network that you trust.',
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
						'A key and its secret, created in the credentials settings of the service; it never expires',
				},
				{
					name: 'Access Token',
					value: 'accessToken',
					description:
						'A bearer token (JWT) like the one that the web front end of the service uses; it may expire',
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
				'A key with the role reader can only read; a key with the role admin has full access to all spaces of the account',
		},
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['apiKey'] } },
			description:
				'Shown only once, when the key is created. If it is lost, delete the key and create a new one.',
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
		{
			displayName: 'Wait for Service (Seconds)',
			name: 'waitForService',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 },
			default: 60,
			description:
				"How long a run waits for a service that is away, such as during a restart, before it ends with an error. Raise it for jobs at night, but below n8n's own time-out of the workflow.",
		},
		{
			displayName: 'Requests at a Time',
			name: 'requestsAtATime',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 512, numberPrecision: 0 },
			default: 64,
			description:
				'Maximum number of simultaneous requests of one run. A run starts with a few, sends more as long as the service does not slow down, and sends fewer when the service asks for it. Lower it to leave capacity of a shared service to others.',
		},
	];

	/**
	 * §5: HTTP Basic with key and secret, or a bearer token. Tested by the nodes' `testConnection`,
	 * because n8n's declarative test would follow redirects with the credentials.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { baseUrl: address, authentication, accessToken, key, secret } = credentials;
		const header =
			authentication === 'accessToken'
				? `Bearer ${trimmed(accessToken)}`
				: `Basic ${Buffer.from(`${trimmed(key)}:${trimmed(secret)}`).toString('base64')}`;
		return authorized(requestOptions, { address, label: 'Base URL', header });
	}
}

const trimmed = (value: unknown) => String(value ?? '').trim();
