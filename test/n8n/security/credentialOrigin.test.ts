import { loadOptionsContext, runNode } from '../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../testbed/testServer';

/**
 * Predefined credentials in n8n's request helpers with arbitrary addresses, as the HTTP Request
 * node uses them.
 */
let own: TestServer;
let otherServer: TestServer;
let location = '';

beforeAll(async () => {
	own = await startTestServer((_request, response) => {
		if (location !== '') response.writeHead(302, { location });
		response.end('{}');
	});
	otherServer = await startTestServer((_request, response) => {
		response.end('{}');
	});
});
afterAll(async () => {
	await own.stop();
	await otherServer.stop();
});
beforeEach(() => {
	location = '';
});

const credentials = () => ({
	dataGridApi: { baseUrl: own.url, authentication: 'apiKey', key: 'the-key', secret: 'the-secret' },
	dataGridLinkApi: { link: `${own.url}/api/a/u1/l1`, user: 'guest', password: 'open sesame' },
	dataGridPushApi: { url: own.url, appId: 'app-1', restApiKey: 'rest-key-1' },
});
const NODES = {
	dataGridApi: ['entity', {}],
	dataGridLinkApi: ['publicLink', { resource: 'form', operation: 'get', access: 'link' }],
	dataGridPushApi: ['pushNotification', {}],
} as const;
const names = ['dataGridApi', 'dataGridLinkApi', 'dataGridPushApi'] as const;

/** Request functions for both helpers of n8n. */
function requests(name: (typeof names)[number]): Array<(address: string) => Promise<unknown>> {
	const [node, parameters] = NODES[name];
	const settings = {
		type: `n8n-nodes-datagrid.${node}`,
		parameters: { ...parameters },
		credentials: credentials(),
	};
	const context = loadOptionsContext(settings);
	return (['httpRequestWithAuthentication', 'requestWithAuthentication'] as const).map(
		(way) => async (address) => {
			// The HTTP Request node sends `uri` and follows all redirects.
			const named = way === 'requestWithAuthentication' ? { uri: address, followAllRedirects: true } : {};
			const response: unknown = await context.helpers[way].call(context, name, { url: address, ...named });
			return response;
		},
	);
}

const authorizations = ({ requests: seen }: TestServer) => seen.map(({ headers }) => headers.authorization);

test.each(names)('%s goes to its own service, and to no other', async (name) => {
	for (const [index, request] of requests(name).entries()) {
		own.requests.length = 0;
		await request(`${own.url}/api/a/u1/l1`);
		expect([index, authorizations(own)]).toEqual([index, [expect.stringMatching(/^(Basic|Key) /)]]);
		await expect(request(`${otherServer.url}/api/a/u1/l1`)).rejects.toThrow();
		expect([index, otherServer.requests]).toEqual([index, []]);
	}
});

test.each(names)('%s is not sent to another baseURL', async (name) => {
	const [node, parameters] = NODES[name];
	const settings = { type: `n8n-nodes-datagrid.${node}`, parameters: { ...parameters }, credentials: credentials() };
	const context = loadOptionsContext(settings);
	own.requests.length = 0;
	for (const way of ['httpRequestWithAuthentication', 'requestWithAuthentication'] as const) {
		const url = ` ${own.url}/api/a/u1/l1`;
		await context.helpers[way].call(context, name, { url, baseURL: otherServer.url });
		expect([way, otherServer.requests]).toEqual([way, []]);
	}
	expect(authorizations(own)).toHaveLength(2);
}); // prettier-ignore

test.each(names)('%s follows no redirect to another origin', async (name) => {
	location = `${otherServer.url}/api/a/u1/l1`;
	for (const [index, request] of requests(name).entries()) {
		await expect(request(`${own.url}/api/a/u1/l1`)).rejects.toThrow();
		expect([index, otherServer.requests]).toEqual([index, []]);
	}
});

test('a node follows no redirect to another origin, and says so', async () => {
	location = `${otherServer.url}/api/users/u1`;
	const { error } = await runNode({
		type: 'n8n-nodes-datagrid.space',
		parameters: { resource: 'service', operation: 'getInfo', include: ['user'] },
		credentials: credentials(),
	});
	expect(error?.message).toContain('nothing was sent there');
	expect(otherServer.requests).toEqual([]);
});
