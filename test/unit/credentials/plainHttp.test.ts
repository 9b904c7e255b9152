import { NodeHelpers, type ICredentialType } from 'n8n-workflow';
import { DataGridApi } from '../../../credentials/DataGridApi.credentials';
import { DataGridLinkApi } from '../../../credentials/DataGridLinkApi.credentials';
import { DataGridPushApi } from '../../../credentials/DataGridPushApi.credentials';

/** Whether n8n shows the warning in the form of a credential. */
function warns(credential: ICredentialType, field: string, address: string): boolean {
	const notice = credential.properties.find(({ name }) => name === 'insecure');
	if (!notice) throw new Error(`${credential.name} has no warning`);
	return NodeHelpers.displayParameter({ [field]: address }, notice, null, null);
}

describe.each([
	['baseUrl', new DataGridApi()],
	['link', new DataGridLinkApi()],
	['url', new DataGridPushApi()],
])('the warning of the credential about %s', (field, credential) => {
	it.each([
		'http://grids.example.com',
		'HTTP://grids.example.com/prefix/',
		' http://192.168.1.5:8080',
		'http://localhost.evil.example',
		'http://127.0.0.1.evil.example/api',
		'http://[::2]:8080',
	])('is shown for %s', (address) => {
		expect(warns(credential, field, address)).toBe(true);
	});

	it.each([
		'',
		'https://grids.example.com',
		'http://localhost',
		'http://localhost:8080/',
		'http://127.0.0.1:5678/prefix',
		'http://[::1]:8080',
	])('is not shown for "%s"', (address) => {
		expect(warns(credential, field, address)).toBe(false);
	});
});
