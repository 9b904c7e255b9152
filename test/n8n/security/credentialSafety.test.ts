import type { ServerResponse } from 'node:http';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { pollContext, runNode, testCredential } from '../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../testbed/testServer';

/**
 * Invalid and unsafe credentials, and credential tests against a hostile server.
 */
let server: TestServer;
let respond: (response: ServerResponse) => void;

beforeEach(async () => {
	respond = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"u1","_links":{}}');
	server = await startTestServer((_request, response) => {
		respond(response);
	});
}); // prettier-ignore
afterEach(async () => {
	jest.restoreAllMocks();
	await server.stop();
});

const account = (more: object = {}) => ({
	baseUrl: server.url,
	authentication: 'apiKey',
	key: 'the-key',
	secret: 'the-secret',
	...more,
});
const run = async (parameters: object, credentials: object) =>
	await runNode({
		type: 'n8n-nodes-datagrid.space',
		parameters: { resource: 'service', operation: 'getInfo', include: ['user'], ...parameters },
		credentials: { dataGridApi: account(), ...credentials },
	});

describe('a base URL with http for another machine', () => {
	/**
	 * 0.0.0.0 reaches this machine on Linux and macOS, but the node treats it as another machine.
	 */
	const elsewhere = () => `0.0.0.0:${String(server.port)}`;
	const WARNING =
		/use plain http, so anyone on the network path can read them, including the secrets of the credential/;
	const notations: Array<[string, () => string]> = [
		['http://', () => `http://${elsewhere()}`],
		['hTTp://', () => `hTTp://${elsewhere()}/`],
		['http:', () => `http:${elsewhere()}`],
		['http:\\\\', () => `http:\\\\${elsewhere()}\\api`],
		['a leading tab', () => `\thttp://${elsewhere()}`],
		['a tab within', () => `ht\ttp://${elsewhere()}`],
	];

	test.each(notations)('causes a warning at run time: %s', async (_how, baseUrl) => {
		const { hints, typedHints, rows } = await run({}, { dataGridApi: account({ baseUrl: baseUrl() }) });
		expect(rows).toMatchObject([{ user: { id: 'u1' } }]);
		expect(hints).toEqual([expect.stringMatching(WARNING)]);
		expect(typedHints[0]?.type).toBe('danger');
		expect(hints[0]).toContain(elsewhere());
	});

	test.each(notations)('causes a warning in the credential test: %s', async (_how, baseUrl) => {
		const credential = account({ baseUrl: baseUrl() });
		expect(await testCredential('n8n-nodes-datagrid.entity', 'testConnection', credential)).toEqual({
			status: 'OK',
			message: expect.stringMatching(WARNING) as unknown,
		});
	});

	test('also causes a warning for a push provider', async () => {
		const { hints } = await runNode({
			type: 'n8n-nodes-datagrid.pushNotification',
			parameters: { userIds: 'u1', title: 'T', text: 'X' },
			credentials: {
				dataGridPushApi: { url: `http:${elsewhere()}`, appId: 'app-1', restApiKey: 'rest-key-1' },
			},
		});
		expect(hints).toEqual([expect.stringMatching(WARNING)]);
	});

	test('is logged once by a trigger, not with each poll', async () => {
		const warnings: string[] = [];
		for (let polls = 0; polls < 3; polls++) {
			const { context } = pollContext({
				type: 'n8n-nodes-datagrid.entityTrigger',
				parameters: { grid: { __rl: true, mode: 'id', value: 's1/g1' } },
				credentials: { dataGridApi: account({ baseUrl: `hTTp://${elsewhere()}` }) },
			});
			jest.spyOn(context.logger, 'warn').mockImplementation((line: string) => void warnings.push(line));
			await new EntityTrigger().poll.call(context).catch(() => null);
		}
		expect(warnings.filter((line) => WARNING.test(line))).toHaveLength(1);
	});

	test.each(['', '/api/', ' '])('causes no warning for this machine, ending with "%s"', async (end) => {
		const { hints } = await run({}, { dataGridApi: account({ baseUrl: `${server.url}${end}` }) });
		expect(hints).toEqual([]);
	});
});

describe('a credential test', () => {
	test.each(['testConnection', 'testLink'])('%s stops reading a response that exceeds 1 MB', async (method) => {
		const written: number[] = [];
		let closed: Promise<void> | undefined;
		respond = (response) => {
			closed = new Promise((end) => response.once('close', end));
			response.writeHead(200, { 'content-type': 'application/json' });
			const megabyte = Buffer.alloc(1024 * 1024, ' ');
			const more = () => {
				for (; !response.destroyed && written.length < 200; written.push(1))
					if (!response.write(megabyte)) return void response.once('drain', more);
				response.end();
			};
			more();
		};
		const node = method === 'testLink' ? 'publicLink' : 'entity';
		const link = { link: `${server.url}/api/a/u1/l1`, user: 'guest', password: 'open sesame' };
		const { status, message } = await testCredential(`n8n-nodes-datagrid.${node}`, method, { ...account(), ...link });
		expect([status, message]).toEqual(['Error', expect.stringContaining('is larger than 1 MB and was not read')]);
		await closed;
		expect(written.length).toBeLessThan(50);
	}, 60_000); // prettier-ignore
});

test.each([
	['testConnection', 'entity'],
	['testLink', 'publicLink'],
])('the message of %s hides a secret in an address of the service', async (method, node) => {
	for (const host of ['the-secret.example', 'open-sesame.example']) {
		respond = (response) => response.writeHead(302, { location: `http://${host}/` }).end();
		const link = { link: `${server.url}/api/a/u1/l1`, user: 'guest', password: 'open-sesame' };
		const { message } = await testCredential(`n8n-nodes-datagrid.${node}`, method, { ...account(), ...link });
		expect(message).toContain('***.example');
	}
}); // prettier-ignore

test.each(['a.b\nc.d', 'a.b\r\nX-Evil: 1', 'a\u0000b', 'tökén'])('an access token that a header cannot contain (%j) is refused', async (accessToken) => {
	const credential = account({ authentication: 'accessToken', accessToken });
	const { error } = await run({}, { dataGridApi: credential });
	expect(error?.message).toBe('The access token of the credential contains a line break or another character that cannot be sent');
	expect(error).toMatchObject({ description: 'Copy the token again, on one line.' });
	const tested = await testCredential('n8n-nodes-datagrid.entity', 'testConnection', credential);
	expect(tested).toMatchObject({ status: 'Error', message: expect.stringContaining('contains a line break') as unknown });
	expect(server.requests).toEqual([]);
}); // prettier-ignore

test('accepts a line break at the end of a pasted token', async () => {
	const { rows } = await run({}, { dataGridApi: account({ authentication: 'accessToken', accessToken: 'a.b.c\r\n' }) });
	expect(rows).toHaveLength(1);
	expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a.b.c']);
}); // prettier-ignore
