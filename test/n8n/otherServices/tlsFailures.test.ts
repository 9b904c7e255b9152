import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { freePort } from '../../../scripts/setup/ports.mjs';
import { testCredential } from '../../../testbed/engine/engine';
import { SampleWorld } from '../../../testbed/world/sampleWorld';

/** A server whose certificate nobody trusts, and a service without HTTPS. */
const world = SampleWorld.forTests();
let server: Server;
let received = 0;
let selfSigned: string;
let withoutHttps: string;

beforeAll(async () => {
	const pem = await readFile(join(__dirname, '..', '..', 'fixtures', 'selfSigned.pem'));
	const port = await freePort();
	server = createServer({ key: pem, cert: pem }, (_request, response) => {
		received++;
		response.end();
	}).listen(port, '127.0.0.1');
	await once(server, 'listening');
	selfSigned = `https://127.0.0.1:${String(port)}`;
	withoutHttps = world.service.url.replace('http:', 'https:');
});
afterAll(() => {
	server.close();
});

const messageOf = async (baseUrl: string) =>
	(await testCredential('n8n-nodes-datagrid.entity', 'testConnection', { ...world.owner, baseUrl })).message;

const create = { node: 'entity', resource: 'entity', operation: 'create' } as const;
const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
const run = async (baseUrl: string) =>
	await world.run(
		{ ...create, parameters: { ...world.inGrid, columns } },
		{ baseUrl, input: [{ Name: 'a' }] },
	);

test('the credential test says that the certificate is not trusted', async () => {
	const message = await messageOf(selfSigned);
	expect(message).toContain(`No Data-Grid Service answers at ${selfSigned} (`);
	expect(message).toContain('certificate');
	expect(message).not.toContain('carried out');
});

test('the credential test says that there is no HTTPS', async () => {
	const message = await messageOf(withoutHttps);
	expect(message).toContain(`No Data-Grid Service answers at ${withoutHttps} (no HTTPS)`);
	expect(message).toContain('http://');
	expect(message).not.toContain('carried out');
});

test('the credential test mentions https:// if the server closes the connection', async () => {
	const message = await messageOf(selfSigned.replace('https:', 'http:'));
	expect(message).toContain('connection closed');
	expect(message).toContain('starts with https://');
	expect(message).not.toContain('carried out');
});

test('a run names the certificate at once, and nothing was sent', async () => {
	const { error } = await run(selfSigned);
	expect(error?.message).toContain('certificate');
	expect(error?.description).toContain('Renew the certificate');
	expect(received).toBe(0);
});

test('a run says that there is no HTTPS', async () => {
	const { error } = await run(withoutHttps);
	expect(error?.message).toBe(`No Data-Grid Service answers at ${withoutHttps} (no HTTPS)`);
});
