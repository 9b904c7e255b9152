import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { MAX_RESPONSE_BYTES } from '../../../client/http/responseLimit';
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
const messageOfRun = async () => {
	const { error } = await runNode({
		type: 'n8n-nodes-datagrid.space',
		parameters: { resource: 'space', operation: 'create', name: 'New' },
		credentials: {
			dataGridApi: { baseUrl: server.url, authentication: 'apiKey', key: 'the-key', secret: 'the-secret' },
		},
	});
	return error?.message;
};
const UNKNOWN = 'unknown whether the service carried out the request: No response from the service';

it('stops reading a small response that decompresses to more than the limit', async () => {
	expect(MAX_RESPONSE_BYTES.text).toBe(128 * 1024 * 1024);
	jest.replaceProperty(MAX_RESPONSE_BYTES, 'text', 4 * 1024 * 1024);
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
	expect(await messageOfRun()).toBe('The response of the service is larger than 4 MB and was not read');
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
	expect(await messageOfRun()).toContain(`${UNKNOWN} (timeout)`);
});

it('reports a truncated response', async () => {
	respond = (response) => {
		response.writeHead(200, { 'content-length': '100' });
		response.write('"2.4', () => response.destroy());
	};
	expect(await messageOfRun()).toContain(`${UNKNOWN} (connection closed)`);
});
