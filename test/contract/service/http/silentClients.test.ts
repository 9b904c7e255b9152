import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { until } from '../../../../testbed/until';
import { startWithOwner, type Caller } from '../http';

/**
 * Request timeout of the service; it closes an idle connection after twice as long.
 */
const REQUEST_TIMEOUT_MS = 400;
const CLIENTS = 6;

let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
let grid: string;
let fileLength: number;
let authorization: string;
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'silent-clients-'));
	const options = { data: join(folder, 'data.db'), bodyLimit: 64 * 1024 * 1024 };
	// With the default timeout, because the upload may take longer on a busy machine.
	context = await startWithOwner(options);
	owner = context.owner;
	const { key, secret } = context.service;
	authorization = `Authorization: Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
	const space = await owner.create(`${context.home}/spaces`, { name: 'Large' });
	// Larger than the socket buffers of both ends together.
	const lines = Array.from({ length: 20_000 }, (_, n) => `${n},${'x'.repeat(1000)}`);
	grid = await owner.create(`${space}/uploadCSV`, { name: 'Large', file: `n,text\n${lines.join('\n')}\n` });
	fileLength = (await owner.get(`${grid}/csv`)).text.length;
	await context.service.stop();
	context = await startWithOwner({ ...options, requestTimeout: REQUEST_TIMEOUT_MS });
	owner = context.owner;
}, 60_000);
afterAll(async () => {
	await context.service.stop();
	await rm(folder, { recursive: true, force: true });
});

/** Connects and sends a request, but reads no response. */
function client(request: string): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const socket = connect(Number(new URL(context.service.url).port), '127.0.0.1');
		socket.once('error', reject);
		socket.pause();
		socket.write(request, () => {
			resolve(socket);
		});
	});
}

/** Reads to the end of the connection. @returns the number of bytes */
const rest = (socket: Socket) =>
	new Promise<number>((resolve) => {
		let length = 0;
		socket.on('data', (chunk: Buffer) => (length += chunk.length));
		socket.on('error', () => undefined);
		socket.on('close', () => {
			resolve(length);
		});
		socket.resume();
	});

const acceptedSchema = z.object({ socket: z.instanceof(Socket) });

test('clients that never read their response are disconnected and do not block others', async () => {
	const request = `GET ${grid}/csv HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${authorization}\r\n\r\n`;
	/** The service's ends of the connections, by the port of the client. */
	const ends = new Map<number | undefined, Socket>();
	const accept = (message: unknown) => {
		const { socket } = acceptedSchema.parse(message);
		ends.set(socket.remotePort, socket);
	};
	subscribe('net.server.socket', accept);
	const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => client(request)));
	const ports = sockets.map(({ localPort }) => localPort);
	expect((await owner.get('/api/version')).status).toBe(200);
	expect((await owner.post(`${grid}/entities`, { fields: [1, 'meanwhile'] })).status).toBe(201);
	await until('the end of the connections', () => ports.every((port) => ends.get(port)?.destroyed));
	unsubscribe('net.server.socket', accept);
	// Buffered bytes still arrive; the service has dropped the rest.
	const read = await Promise.all(sockets.map(rest));
	expect(read.filter((length) => length >= fileLength)).toEqual([]);
	expect((await owner.get('/api/version')).status).toBe(200);
}, 60_000);
