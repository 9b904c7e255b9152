import { UserError, type IHttpRequestOptions } from 'n8n-workflow';
import { DataGridApi } from '../../../credentials/DataGridApi.credentials';
import { DataGridLinkApi } from '../../../credentials/DataGridLinkApi.credentials';
import { DataGridPushApi } from '../../../credentials/DataGridPushApi.credentials';

const OWN = 'https://grids.example.com:8443/base';
const account = { baseUrl: ` ${OWN} `, authentication: 'apiKey', key: 'the-key', secret: 'the-secret' };
const link = { link: `${OWN}/api/a/u1/l1`, user: 'guest', password: 'open sesame' };
const push = { url: OWN, appId: 'app', restApiKey: 'rest-key-1' };

/** Requests with `url`, as nodes send them, and with `uri`, as the HTTP Request node does. */
const requestsTo = (address: string, more: object = {}): IHttpRequestOptions[] => [
	{ url: address, ...more },
	{ url: '', ...{ uri: address }, ...more },
];

describe.each([
	['of the account', new DataGridApi(), account],
	['of a link', new DataGridLinkApi(), link],
	['of the push provider', new DataGridPushApi(), push],
])('the credential %s', (_name, type, data) => {
	test.each([
		`${OWN}/api/a/u1/l1`,
		`${OWN}/api/a/u1/l1/submit?x=https://evil.example`,
		'HTTPS://GRIDS.example.com:8443/base/api/r/x',
	])('is sent to %s, and follows no redirect with its secret', async (address) => {
		for (const request of requestsTo(address, { headers: { accept: 'text/plain' } })) {
			const sent = await type.authenticate(data, request);
			expect(sent.headers).toEqual({ accept: 'text/plain', Authorization: expect.stringMatching(/^(Basic|Key) \S+$/) as unknown });
			expect(sent).toMatchObject({ disableFollowRedirect: true, followRedirect: false, followAllRedirects: false, maxRedirects: 0 });
		}
	}); // prettier-ignore

	test.each([
		'https://evil.example/base/api/a/u1/l1',
		'http://grids.example.com:8443/base/api/a/u1/l1',
		'https://grids.example.com/base/api/a/u1/l1',
		'https://grids.example.com:8443@evil.example/base/api/a/u1/l1',
		'https://grids.example.com:8443.evil.example/base/api/a/u1/l1',
		'https://sub.grids.example.com:8443/base/api/a/u1/l1',
		'//evil.example/base/api/a/u1/l1',
		'https:\\\\evil.example/base/api/a/u1/l1',
		'file:///etc/passwd',
		'/base/api/a/u1/l1',
		'',
	])('is not sent to %s', async (address) => {
		for (const request of requestsTo(address))
			await expect(type.authenticate(data, request)).rejects.toThrow('nothing was sent');
	});

	test('is checked against the address resolved with baseURL', async () => {
		const sent = await type.authenticate(data, { url: 'api/a/u1/l1', baseURL: `${OWN}/` });
		expect(sent.headers).toHaveProperty('Authorization');
		for (const [url, baseURL] of [
			['api/a/u1/l1', 'https://evil.example/base/'],
			['//evil.example/base/api/a/u1/l1', OWN],
			['https://evil.example/base/api/a/u1/l1', OWN],
		] as const)
			await expect(type.authenticate(data, { url, baseURL })).rejects.toThrow('nothing was sent');
	});

	test('is sent to the address that was checked', async () => {
		for (const [url, baseURL] of [
			[`  ${OWN}/api/a/u1/l1`, 'https://evil.example'],
			[`\t${OWN}/api/a/u1/l1`, 'https://evil.example'],
			[OWN.replace('//', '').concat('/api/a/u1/l1'), 'http://evil.example'],
		] as const) {
			const [sent, named] = [
				await type.authenticate(data, { url, baseURL }),
				await type.authenticate(data, { url: '', baseURL, ...{ uri: url } }),
			];
			expect(sent).toMatchObject({ url: `${OWN}/api/a/u1/l1` });
			expect(named).toMatchObject({ url: `${OWN}/api/a/u1/l1`, uri: `${OWN}/api/a/u1/l1` });
			expect([sent.baseURL, named.baseURL]).toEqual([undefined, undefined]);
		}
	});

	test('is not sent through a proxy that the request names', async () => {
		const proxy = { host: 'evil.example', port: 8080 };
		for (const request of requestsTo(`${OWN}/api/a/u1/l1`, { proxy }))
			await expect(type.authenticate(data, request)).rejects.toThrow(UserError);
	});

	test('is not sent if it has no address', async () => {
		const nowhere = { ...data, baseUrl: '', link: '', url: '' };
		await expect(type.authenticate(nowhere, { url: `${OWN}/api/a/u1/l1` })).rejects.toThrow('is not a web address');
	}); // prettier-ignore
});

test.each([
	'https://grids.example.com:8443/other/api/a/u1/l1',
	'https://grids.example.com:8443/base/apix/a/u1/l1',
	'https://grids.example.com:8443/base/../other/api/a/u1/l1',
	'https://grids.example.com:8443/base/api/..%2f..%2fother',
])('the credential of a link is not sent outside the path of its service: %s', async (url) => {
	await expect(new DataGridLinkApi().authenticate(link, { url })).rejects.toThrow('nothing was sent');
});

test.each([
	['accessToken', new DataGridApi(), { ...account, authentication: 'accessToken', accessToken: 'a.b\nX-Evil: 1' }],
	['restApiKey', new DataGridPushApi(), { ...push, restApiKey: 'key\r\nHost: evil' }],
	['accessToken', new DataGridApi(), { ...account, authentication: 'accessToken', accessToken: 'žeton' }],
])('a value of %s that a header cannot contain is refused', async (_name, type, data) => {
	await expect(type.authenticate(data, { url: `${OWN}/x` })).rejects.toThrow('that cannot be sent');
}); // prettier-ignore
