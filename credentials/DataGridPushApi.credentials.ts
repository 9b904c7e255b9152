import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { authorized } from './authorization';
import { overPlainHttp } from './plainHttp';

export class DataGridPushApi implements ICredentialType {
	name = 'dataGridPushApi';

	displayName = 'DataGrid Push API';

	icon = { light: 'file:../icons/datagrid.svg', dark: 'file:../icons/datagrid.dark.svg' } as const;

	documentationUrl =
		'https://github.com/n8n-nodes-datagrid/n8n-nodes-datagrid/blob/main/README.md#credential-for-push-notifications';

	properties: INodeProperties[] = [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://push.example.com',
			description: 'Where the push provider is: what stands before /notifications',
		},
		{
			displayName:
				'What is sent over http, the key included, is not encrypted on the way: anyone in between can read it. Use https, or this address only within a network that you trust.',
			name: 'insecure',
			type: 'notice',
			default: '',
			displayOptions: overPlainHttp('url'),
		},
		{
			displayName: 'App ID',
			name: 'appId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 7f2c1e9a-0000-4000-8000-000000000000',
			description: 'The app of the Data-Grid Service, as the push provider names it',
		},
		{
			displayName: 'REST API Key',
			name: 'restApiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key with which the push provider lets notifications of this app be sent',
		},
	];

	/**
	 * §6. Tested by the node's `testPush`: the provider has no
	 * request that would prove a key without sending something.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const authorization = `Key ${String(credentials.restApiKey ?? '').trim()}`;
		return authorized(requestOptions, { address: credentials.url, label: 'URL', header: authorization });
	}
}
