import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../../../../testbed/until';
import {
	byKey,
	makeGrid,
	object,
	objects,
	overSocket,
	startWithOwner,
	uploadGrid,
	fieldIds,
	type Caller,
} from '../http';
import { ServiceProcess } from '../upkeep/serviceProcess';

/** Clients that send requests and read no response. */
const open: Socket[] = [];

/** Sends requests in one write. @returns a connection of which nothing is read */
async function unread(url: string, requests: string): Promise<Socket> {
	const socket = connect(Number(new URL(url).port), '127.0.0.1');
	open.push(socket.pause().on('error', () => undefined));
	await new Promise((sent) => socket.write(requests, sent));
	return socket;
}
afterEach(() => {
	for (const socket of open.splice(0)) socket.destroy();
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A public link to a view, and its page of rows of 13 kB: 3.9 MB if there are 300. */
async function largePage(owner: Caller, { size = 300, letter = 'x' } = {}) {
	const { space } = await makeGrid(owner, {});
	const file = `text\n${`${letter.repeat(13_000)}\n`.repeat(size)}`;
	const grid = await uploadGrid(owner, space, { name: 'Large', file });
	const link = await owner.create(`${grid}/links`, { kind: 'view' });
	return { grid, rows: `${link}/entities?pageSize=1000` };
}

describe('memory', () => {
	const service = new ServiceProcess();
	let owner: Caller;
	let rows: string;
	beforeAll(async () => {
		owner = await service.start();
		({ rows } = await largePage(owner));
	}, 60_000);
	afterAll(() => service.remove());

	// Each page that is kept takes 3.9 MB twice: as text, and as bytes to be sent.
	test.each([
		['500 pipelined requests of a page', 1, 500],
		['300 connections with a page each', 300, 1],
		['300 connections with 500 pages each', 300, 500],
	])(
		'%s that nobody reads take little memory, and another client is served',
		async (_, connections, requests) => {
			const before = await service.heldMiB();
			for (let n = 0; n < connections; n++) await unread(owner.url, get(rows).repeat(requests));
			for (let n = 0; n < 20; n++) expect((await owner.get('/api/users/me')).status).toBe(302);
			expect((await service.heldMiB()) - before).toBeLessThan(40);
			expect(objects((await owner.read(rows))['items'])).toHaveLength(300);
		},
		60_000,
	);
});

/** The files of the page that this process has open. */
const openFiles = () =>
	readdirSync('/proc/self/fd').filter((descriptor) => {
		try {
			return readlinkSync(`/proc/self/fd/${descriptor}`).includes('/swagger-ui-dist/');
		} catch {
			// It was that of this list.
			return false;
		}
	}).length;
/** 1.5 MB, more than the buffers of a connection that is not read at first. */
const FILE = get('/api/docs/swagger-ui-bundle.js');

test('requests of a connection wait for the response before them, and end with the connection', async () => {
	const { service, owner, end } = await startWithOwner();
	const { grid, rows } = await largePage(owner);
	const { key, secret } = service;
	const authorization = `Authorization: Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
	const body = JSON.stringify({ fields: ['after'] });
	const create = `POST ${grid}/entities HTTP/1.1\r\nHost: a\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
	const count = async () => (await owner.read(`${grid}/entities`, { pageSize: '1' }))['numberOfItems'];
	// More than the buffers of both ends of a connection take.
	const waiting = await unread(service.url, get(rows).repeat(5) + create);
	for (let n = 0; n < 20; n++) expect(await count()).toBe(300);
	waiting.destroy();
	for (let n = 0; n < 20; n++) expect(await count()).toBe(300);
	const read = connect(Number(new URL(service.url).port), '127.0.0.1');
	read.resume().write(get(rows).repeat(5) + create);
	await until('the row', async () => (await count()) === 301);
	read.destroy();
	await end();
}, 60_000);

/** Until connections that were made before are accepted: one in a turn of the event loop. */
async function accepted(owner: Caller): Promise<void> {
	for (let n = 0; n < 5; n++) await owner.get('/api/version');
}

const KiB = 1024;
/** Rows of a page of 50 MB, which exceeds the buffers of both ends of a connection. */
const STREAMED = 650;
const PAGE = { size: STREAMED, letter: '\u0001' };

test('a page waits while its caller leaves another one unread, and both are whole', async () => {
	// The first page of each caller has room.
	const { service, owner, anonymous, end } = await startWithOwner({
		streams: { bytes: 128 * KiB, waitMs: 120_000 },
		requestTimeout: 120_000,
	});
	const { rows } = await largePage(owner, PAGE);
	const path = get(rows).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
	const whole = async (response: Promise<Response>) => {
		expect(objects(object(await (await response).json())['items'])).toHaveLength(STREAMED);
	};
	let isAnswered = false;
	const waiting = () =>
		anonymous.stream(rows).finally(() => {
			isAnswered = true;
		});
	const slow = await unread(service.url, path);
	await accepted(owner);
	const first = waiting();
	// It has an account, and does not wait for those who have none.
	await whole(owner.stream(rows));
	expect(isAnswered).toBe(false);
	// Its ends are compared, because 50 MB exceed what a regular expression can go through.
	const read = await text(slow);
	expect(read.slice(0, 12)).toBe('HTTP/1.1 200');
	expect(read.slice(-25)).toMatch(/\],"size":650\}\r\n0\r\n\r\n$/);
	await whole(first);

	const gone = await unread(service.url, path);
	await accepted(owner);
	isAnswered = false;
	const second = waiting();
	await whole(owner.stream(rows));
	expect(isAnswered).toBe(false);
	gone.destroy();
	await whole(second);
	await end();
}, 120_000);

test('a page or export that waited for long is refused', async () => {
	// A caller may take 256 KiB: two pages, or one export.
	const { service, owner, end } = await startWithOwner({ streams: { bytes: 1024 * KiB, waitMs: 50 } });
	const { grid, rows } = await largePage(owner, PAGE);
	const authorization = `\r\nAuthorization: ${owner.authorization ?? ''}\r\n\r\n`;
	const request = get(rows).replace('\r\n\r\n', authorization);
	const refused = async (path: string) => {
		const reply = await owner.get(path);
		expect([reply.status, reply.headers.get('retry-after'), reply.json()['message']]).toEqual([
			503,
			'1',
			'Too many responses have not been read: send the request again later',
		]);
	};
	await unread(service.url, request);
	await accepted(owner);
	await refused(`${grid}/csv`);
	expect((await owner.get(rows)).status).toBe(200);
	await unread(service.url, request);
	await accepted(owner);
	await refused(rows);
	for (const socket of open.splice(0)) socket.destroy();
	await until('room', async () => (await owner.get(`${grid}/csv`)).status === 200);
	await end();
}, 120_000);

test('connections that arrive together are accepted before the first request begins', async () => {
	const { service, owner, end } = await startWithOwner();
	const { rows } = await largePage(owner);
	let accepted = 0;
	const count = () => (accepted += 1);
	subscribe('net.server.socket', count);
	const sockets = Array.from({ length: 60 }, () => connect(Number(new URL(service.url).port), '127.0.0.1'));
	open.push(...sockets);
	const first = Promise.race(sockets.map((socket) => once(socket, 'data')));
	for (const socket of sockets) socket.write(get(rows.replace('1000', '1')));
	await first;
	unsubscribe('net.server.socket', count);
	expect(accepted).toBe(60);
	await end();
}, 60_000);

test('a connection may have 16 unanswered requests; the next one is refused and ends it', async () => {
	const { service, owner, end } = await startWithOwner();
	const version = get('/api/version');
	const responses = await overSocket(service.url, version.repeat(17));
	const statuses = [...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
	expect(statuses).toEqual([...Array.from({ length: 16 }, () => '200'), '503']);
	expect(responses).toMatch(/More than 16 requests of a connection wait for their responses/);
	expect(await overSocket(service.url, version.repeat(500)).catch(() => '')).toBe('');
	expect((await owner.get('/api/version')).status).toBe(200);
	await end();
});

test('files that are requested and not read are closed with the connection, and the service stops at once', async () => {
	const { service, owner, end } = await startWithOwner({ graceMs: 60_000 });
	const before = openFiles();
	for (let n = 0; n < 40; n++) await unread(service.url, FILE + FILE);
	await until('the files to be open', () => openFiles() >= before + 40);
	expect(openFiles()).toBe(before + 40);
	expect((await owner.get('/api/version')).status).toBe(200);
	for (const socket of open.splice(0)) socket.destroy();
	await until('the files to be closed', () => openFiles() === before);
	const start = performance.now();
	await end();
	expect(performance.now() - start).toBeLessThan(30_000);
}, 60_000);

test('large responses that are not read are limited, and none is refused after a write', async () => {
	const { service, owner, end } = await startWithOwner();
	const { grid } = await makeGrid(owner, { a: { name: 'richText' }, b: { name: 'richText' } });
	const entity = await owner.create(`${grid}/entities`, {
		fields: ['x'.repeat(999_000), 'x'.repeat(999_000)],
	});
	const { key, secret } = service;
	const authorization = `Authorization: Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
	const request = `GET ${entity} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`;
	// Each takes 2 MB, and the owner may have 8 MB.
	for (let n = 0; n < 12; n++) await unread(service.url, request.repeat(8));
	await until('a refusal', async () => (await owner.get(entity)).status === 503);
	const refused = await owner.get(entity);
	expect([refused.headers.get('retry-after'), refused.json()['message']]).toEqual([
		'1',
		'Too many responses have not been read: send the request again later',
	]);
	expect((await owner.put(entity, { a: 'y', b: 'y' }, byKey)).status).toBe(503);
	for (const socket of open.splice(0)) socket.destroy();
	await until('room', async () => (await owner.get(entity)).status === 200);
	expect((await owner.put(entity, { a: 'y', b: 'y' }, byKey)).status).toBe(200);
	await end();
}, 60_000);

test('sorted exports whose clients disconnected give way to others', async () => {
	const { service, owner, end } = await startWithOwner();
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Large' });
	const lines = Array.from({ length: 6000 }, (_, n) => `${(n * 7919) % 6007},${n}`).join('\n');
	const grid = await uploadGrid(owner, space, { name: 'Large', file: `a,b\n${lines}\n` });
	const ids = await fieldIds(owner, grid, 'key');
	const sorting = JSON.stringify({
		[ids['a'] ?? '']: { $order: 'ascending' },
		[ids['b'] ?? '']: { $order: 'descending' },
	});
	const path = `${grid}/csv?sorting=${encodeURIComponent(sorting)}`;
	const { key, secret } = service;
	const authorization = `Authorization: Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
	const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`;
	// One runs, and ten may wait.
	for (let n = 0; n < 11; n++) await unread(service.url, request);
	for (let n = 0; n < 5; n++) await owner.get('/api/version');
	for (const socket of open.splice(0)) socket.destroy();
	for (let n = 0; n < 5; n++) await owner.get('/api/version');
	const replies = await Promise.all(Array.from({ length: 10 }, () => owner.get(path)));
	expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
	await end();
}, 60_000);
