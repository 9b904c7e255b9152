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

export type CredentialData = ICredentialDataDecryptedObject;

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
		if (typeName !== 'dataGridApi')
			throw new Error(`No credential type ${typeName}: add it to test/support/n8nCredentials.ts`);
		const { headers, ...rest } = requestOptions;
		const url = 'url' in rest && typeof rest.url === 'string' ? rest.url : '';
		return await new DataGridApi().authenticate(credentials, {
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
		return type === 'dataGridApi' ? new DataGridApi().properties : [];
	}
}
