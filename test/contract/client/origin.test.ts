import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createClient, type Client } from '../../../client';
import { userSchema } from '../../../client/session/currentUser';
import { AxiosTransport } from '../../../testbed/axiosTransport';

interface TestServer {
	url: string;
	requests: Array<{ method: string; path: string; headers: IncomingHttpHeaders }>;
	respond: (path: string, response: ServerResponse) => void;
	server: Server;
}

async function startServer(): Promise<TestServer> {
	const server = createServer();
	const test: TestServer = { url: '', requests: [], respond: (_path, response) => response.end(), server };
	server.on('request', (request, response) => {
		const { method = '', url: path = '', headers } = request;
		test.requests.push({ method, path, headers });
		test.respond(path, response);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	test.url = `http://127.0.0.1:${address.port}`;
	return test;
}

let service: TestServer;
let foreign: TestServer;
let transport: AxiosTransport;
let client: Client;

beforeEach(async () => {
	service = await startServer();
	foreign = await startServer();
	transport = new AxiosTransport({ identity: { key: 'the-key', secret: 'the-secret' } });
	client = createClient({ transport, baseUrl: service.url });
});
afterEach(async () => {
	transport.close();
	for (const { server } of [service, foreign]) {
		server.closeAllConnections();
		await new Promise<void>((closed) =>
			server.close(() => {
				closed();
			}),
		);
	}
});

const json = (response: ServerResponse, body: unknown) => {
	response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

describe('an origin other than that of the base URL', () => {
	it.each([301, 302, 303, 307, 308])('is not followed by a redirect with %d', async (status) => {
		service.respond = (path, response) =>
			response.writeHead(status, { location: `${foreign.url}${path}` }).end();
		await expect(client.users.me()).rejects.toMatchObject({ name: 'ForeignOrigin', origin: foreign.url });
		expect(foreign.requests).toEqual([]);
	});

	it('is not followed if only the scheme is omitted', async () => {
		service.respond = (_path, response) =>
			response.writeHead(302, { location: `${foreign.url.replace('http:', '')}/api/users/u1` }).end();
		await expect(client.users.me()).rejects.toMatchObject({ name: 'ForeignOrigin' });
		expect(foreign.requests).toEqual([]);
	});

	it('is not followed by a link', async () => {
		service.respond = (_path, response) => {
			json(response, {
				id: 'u1',
				_links: { spaces: { href: `${foreign.url}/api/users/u1/spaces`, method: 'get' } },
			});
		};
		await expect(client.spaces.many()).rejects.toMatchObject({
			name: 'ForeignOrigin',
			expected: service.url,
		});
		expect(foreign.requests).toEqual([]);
	});

	it('is not accepted as the address of a created resource', async () => {
		service.respond = (_path, response) =>
			response.writeHead(201, { location: `${foreign.url}/api/users/u1/spaces/s1` }).end();
		const creating = client.session.create({ method: 'POST', href: '/api/users/u1/spaces', body: {} });
		await expect(creating).rejects.toMatchObject({ name: 'CreatedUnlocated', outcome: 'created' });
		await expect(creating).rejects.toThrow(`${foreign.url}, which is not ${service.url}`);
		expect(service.requests).toHaveLength(1);
		expect(foreign.requests).toEqual([]);
	});

	it('is not reached through an address that starts with the base URL', async () => {
		const { port } = new URL(service.url);
		const lookalike = `http://127.0.0.1:${port}@127.0.0.1:${new URL(foreign.url).port}/api/users/u1`;
		service.respond = (_path, response) => response.writeHead(302, { location: lookalike }).end();
		await expect(client.users.me()).rejects.toMatchObject({ name: 'ForeignOrigin' });
		expect(foreign.requests).toEqual([]);
	});
});

describe('the origin of the base URL', () => {
	it('receives the credentials again after a redirect within the origin', async () => {
		service.respond = (path, response) => {
			if (path === '/api/users/me')
				response.writeHead(302, { location: `${service.url}/api/users/u1` }).end();
			else json(response, { id: 'u1' });
		};
		expect(await client.users.me()).toMatchObject({ id: 'u1' });
		expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(
			Array<string>(2).fill(`Basic ${Buffer.from('the-key:the-secret').toString('base64')}`),
		);
	});

	it('receives no second POST after a 303 redirect', async () => {
		service.respond = (_path, response) => response.writeHead(303, { location: '/elsewhere' }).end();
		const creating = client.session.create({ method: 'POST', href: '/api/users/u1/spaces', body: {} });
		await expect(creating).rejects.toMatchObject({ name: 'OutcomeUnknown', facts: { status: 303 } });
		expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it('is abandoned if it redirects in a loop', async () => {
		service.respond = (path, response) => response.writeHead(302, { location: path }).end();
		await expect(client.users.me()).rejects.toMatchObject({ name: 'TooManyRedirects' });
		expect(service.requests).toHaveLength(6);
	});

	it('is reported as unreadable if it responds with a login page', async () => {
		service.respond = (_path, response) =>
			response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Sign in</title></html>');
		await expect(
			client.session.read(userSchema, { method: 'GET', href: '/api/users/u1' }),
		).rejects.toMatchObject({
			name: 'UnreadableResponse',
			excerpt: '<html><title>Sign in</title></html>',
		});
	});
});
