import { Credentials } from 'n8n-core';
import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IRequestOptionsSimplified,
} from 'n8n-workflow';
import { DataGridApi } from '../../credentials/DataGridApi.credentials';
import { DataGridLinkApi } from '../../credentials/DataGridLinkApi.credentials';
import { DataGridPushApi } from '../../credentials/DataGridPushApi.credentials';

export type CredentialData = ICredentialDataDecryptedObject;

/** The credentials of the package by their frozen names. */
const credentialTypes = new Map<string, DataGridApi | DataGridLinkApi | DataGridPushApi>(
	Object.entries({
		dataGridApi: new DataGridApi(),
		dataGridLinkApi: new DataGridLinkApi(),
		dataGridPushApi: new DataGridPushApi(),
	}),
);

/** The part of n8n's server that holds credentials: here they come from the test; how they are sent is the credential's own. */
export class TestCredentials extends ICredentialsHelper {
	constructor(private readonly data: Record<string, CredentialData>) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	async authenticate(
		credentials: CredentialData,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const type = credentialTypes.get(typeName);
		if (!type) throw new Error(`No credential type ${typeName}: add it to test/support/n8nCredentials.ts`);
		const { headers, ...rest } = requestOptions;
		// The HTTP Request node names the address `uri`, and n8n hands that on as it is.
		const named = [rest].flatMap((options) =>
			'url' in options ? [options.url] : 'uri' in options ? [options.uri] : [],
		);
		const url = named.find((address) => typeof address === 'string') ?? '';
		return await type.authenticate(credentials, {
			...rest,
			url,
			...(headers ? { headers: { ...headers } } : {}),
		});
	}

	preAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}

	getCredentials(nodeCredentials: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		return Promise.resolve(new Credentials(nodeCredentials, type));
	}

	getDecrypted(
		_additionalData: unknown,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
	): Promise<CredentialData> {
		const data = this.data[type];
		return data ? Promise.resolve(data) : Promise.reject(new Error(`The test gave no credential ${type}`));
	}

	updateCredentials(): Promise<void> {
		return Promise.reject(new Error('Nothing in this package changes a credential'));
	}

	updateCredentialsOauthTokenData(): Promise<void> {
		return Promise.reject(new Error('Nothing in this package changes a credential'));
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return credentialTypes.get(type)?.properties ?? [];
	}
}
