import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { runNode } from '../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../testbed/testServer';

/**
 * Endless and truncated responses to a node in n8n's engine, over n8n's HTTP helper.
 */
let server: TestServer;
let respond: (response: ServerResponse) => void;

beforeEach(async () => {
	server = await startTestServer((request, response) => {
		if (request.method === 'GET') response.end('{"id":"u1"}');
		else respond(response);
	});
});
afterEach(async () => {
	jest.restoreAllMocks();
	await server.stop();
});

/** Runs a write, which is not repeated, so each test sends one response. */
const run = async () => {
	return await runNode({
		type: 'n8n-nodes-datagrid.space',
		parameters: { resource: 'space', operation: 'create', name: 'New' },
		credentials: {
			dataGridApi: { baseUrl: server.url, authentication: 'apiKey', key: 'the-key', secret: 'the-secret' },
		},
	});
};

it('stops reading a small response that decompresses to more than the limit', async () => {
	let closed: Promise<void> | undefined;
	respond = (response) => {
		response.writeHead(200, { 'content-encoding': 'gzip' });
		const zip = createGzip({ level: 1 });
		zip.pipe(response);
		const zeros = Buffer.alloc(1024 * 1024, ' ');
		const more = () => {
			while (!response.destroyed) if (!zip.write(zeros)) return void zip.once('drain', more);
			zip.destroy();
		};
		closed = new Promise((end) => response.once('close', end));
		more();
	};
	const before = process.memoryUsage().rss;
	const { error } = await run();
	expect(error?.message).toBe('The response of the service is larger than 128 MB and was not read');
	expect(process.memoryUsage().rss - before).toBeLessThan(700 * 1024 * 1024);
	await closed;
});

it('stops reading an endless slow response after the time limit', async () => {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300));
	respond = (response) => {
		response.writeHead(200);
		const drip = setInterval(() => response.write(' '), 20);
		response.once('close', () => {
			clearInterval(drip);
		});
	};
	const { error } = await run();
	expect(error?.message).toContain(
		'unknown whether the service carried out the request: No response from the service (timeout)',
	);
}, 120_000);

it('reports a truncated response', async () => {
	respond = (response) => {
		response.writeHead(200, { 'content-length': '100' });
		response.write('"2.4', () => response.destroy());
	};
	const { error } = await run();
	expect(error?.message).toContain(
		'unknown whether the service carried out the request: No response from the service (connection closed)',
	);
}, 120_000);
