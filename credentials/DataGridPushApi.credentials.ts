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
			description: 'The address of the push provider, without /notifications',
		},
		{
			displayName:
				'Requests over http are not encrypted: anyone on the network path can read them, including the key. Use https, or use this address only within a network that you trust.',
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
			description: 'The ID that the push provider assigned to the app of the Data-Grid Service',
		},
		{
			displayName: 'REST API Key',
			name: 'restApiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key of the push provider for sending notifications of this app',
		},
	];

	/**
	 * §6. Tested by the node's `testPush`: the provider has no request that checks a key without
	 * sending a notification.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const authorization = `Key ${String(credentials.restApiKey ?? '').trim()}`;
		return authorized(requestOptions, { address: credentials.url, label: 'URL', header: authorization });
	}
}
