import { connect } from 'node:net';
import type { Caller, Reply } from '../http';
import { fieldIds, href, id, makeGrid, objects, startWithOwner, byKey } from '../http';

test('a client that never completes its request is disconnected; others are served meanwhile', async () => {
	const { service, owner } = await startWithOwner({ requestTimeout: 300 });
	const { port } = new URL(service.url);
	const body =
		'POST /api/users/x HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
	const chunked = body.replace(
		'Content-Length: 1000\r\n\r\n{',
		'Transfer-Encoding: chunked\r\n\r\n5\r\n{"fie\r\n',
	);
	const beginnings = [body, chunked, 'GET /api/version HTTP/1.1\r\nHo', ''];
	const dropped = Array.from({ length: 20 }, (_, n) => {
		const socket = connect(Number(port), '127.0.0.1', () => socket.write(beginnings[n % 4] ?? ''));
		// Consumes the response, so that the socket reports the end of the connection.
		socket.resume();
		return new Promise<boolean>((resolve) =>
			socket
				.on('close', () => {
					resolve(true);
				})
				.on('error', () => {
					resolve(true);
				}),
		);
	});
	expect((await owner.get('/api/version')).status).toBe(200);
	expect(await Promise.all(dropped)).not.toContain(false);
	await service.stop();
});

test('§7 a search that takes too long ends with 503 and Retry-After; the service keeps working', async () => {
	const { service, owner } = await startWithOwner({ statementMs: 0, bodyLimit: 64 * 1024 * 1024 });
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Large' });
	const lines = Array.from({ length: 25_000 }, (_, n) => `row ${n},${n}`);
	const grid = await owner.create(`${space}/uploadCSV`, {
		name: 'Large',
		file: `text,n\n${lines.join('\n')}\n`,
	});
	const ids = await fieldIds(owner, grid, 'key');
	const list = (query: Record<string, string>) => owner.get(`${grid}/entities`, query);
	const slow = await list({ filter: JSON.stringify({ [id(ids, 'text')]: { $contains: '7' } }) });
	expect(slow.status).toBe(503);
	expect(slow.headers.get('retry-after')).toBe('1');
	const quick = await list({ filter: JSON.stringify({ [id(ids, 'n')]: { $eq: 24_000 } }), layout: 'key' });
	expect(quick.json()).toMatchObject({ numberOfItems: 1, items: [{ text: 'row 24000' }] });
	await service.stop();
});

test('pages of a large grid are complete, also filtered and sorted, with and without an index', async () => {
	const { service, owner } = await startWithOwner({ bodyLimit: 64 * 1024 * 1024 });
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Large' });
	const size = 30_000;
	const lines = Array.from({ length: size }, (_, n) => `${n},${(n * 7919) % size},${n % 3}`);
	const grid = await owner.create(`${space}/uploadCSV`, {
		name: 'Large',
		file: `n,mixed,third\n${lines.join('\n')}\n`,
	});
	const ids = await fieldIds(owner, grid, 'key');
	const list = async (query: Record<string, string>) => {
		const page = await owner.read(`${grid}/entities`, { ...byKey, pageSize: '100', ...query });
		return {
			total: page['numberOfItems'],
			ns: objects(page['items']).map((item) => Number(item['n'])),
			items: objects(page['items']),
		};
	};
	const range = (from: number, length: number, step = 1) => Array.from({ length }, (_, n) => from + n * step);
	const json = (value: unknown) => JSON.stringify(value);

	// Deletions leave gaps that pages by offset must skip.
	for (const item of (await list({ pageIndex: '2' })).items) await owner.delete(href(item, 'remove'));
	expect(await list({ pageIndex: '2' })).toMatchObject({ total: size - 100, ns: range(200, 100) });
	expect((await list({ pageIndex: '150' })).ns).toEqual(range(15_000, 100));
	expect((await list({ pageIndex: '299' })).ns).toEqual(range(29_900, 100));
	expect((await list({ pageIndex: '300' })).ns).toEqual([]);

	const third = { [id(ids, 'third')]: { $eq: 1 } };
	const byMixed = { [id(ids, 'mixed')]: { $order: 'ascending' } };
	const expected = range(0, size)
		.filter((n) => n < 100 || n >= 200)
		.sort((a, b) => ((a * 7919) % size) - ((b * 7919) % size));
	for (const pageIndex of [1, 120, 150, 151, 299]) {
		const window = expected.slice((pageIndex - 1) * 100, pageIndex * 100);
		expect((await list({ sorting: json(byMixed), pageIndex: String(pageIndex) })).ns).toEqual(window);
	}
	const filtered = expected.filter((n) => n % 3 === 1);
	for (const pageIndex of [1, 50, 100]) {
		const window = filtered.slice((pageIndex - 1) * 100, pageIndex * 100);
		const query = { filter: json(third), sorting: json(byMixed), pageIndex: String(pageIndex) };
		expect(await list(query)).toMatchObject({ total: filtered.length, ns: window });
		// The same filter in a form that uses no index.
		const search = { ...query, filter: json({ $not: { $not: third } }) };
		expect(await list(search)).toMatchObject({ total: filtered.length, ns: window });
	}
	await service.stop();
}, 60_000);

test('§7 500: an internal error reveals no internals', async () => {
	const faults: unknown[] = [];
	let isBroken = false;
	const { service, owner } = await startWithOwner({
		now: () => {
			if (isBroken) throw new Error('a secret detail');
			return Date.now();
		},
		onFault: (error) => faults.push(error),
	});
	const { grid } = await makeGrid(owner, { a: { name: 'string' } });
	isBroken = true;
	const reply = await owner.post(`${grid}/entities`, { fields: ['x'] });
	expect(reply.status).toBe(500);
	expect(reply.text).not.toContain('secret');
	expect(faults).toHaveLength(1);
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(0);
	await service.stop();
});

test('service/README: --rate-limit responds with 429 and Retry-After, per key, and per address for failed logins', async () => {
	const { service, owner, anonymous } = await startWithOwner({ requestsPerSecond: 5 });
	const { caller: reader } = await owner.newKey('reader');
	const flood = (caller: Caller) =>
		Promise.all(Array.from({ length: 40 }, () => caller.get('/api/users/me')));
	const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))].sort();
	const refused = await flood(anonymous);
	expect(statuses(refused)).toEqual([401, 429]);
	const reply = refused.find(({ status }) => status === 429);
	expect(reply?.headers.get('retry-after')).toBe('1');
	expect(reply?.json()).toMatchObject({ status: 429, error: 'Too Many Requests' });
	expect(statuses(await flood(reader))).toEqual([302, 429]);
	expect((await owner.get('/api/users/me')).status).toBe(302);
	await service.stop();
});

test('a multipart boundary of more than 70 characters is refused', async () => {
	const { service, owner } = await startWithOwner();
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'Forms' });
	const type = `multipart/form-data; boundary=${'x'.repeat(300)}`;
	const reply = await owner.send('POST', `${space}/uploadCSV`, { raw: { type, content: 'x' } });
	expect([reply.status, reply.json()['message']]).toEqual([
		400,
		'The boundary of a multipart body has more than 70 characters',
	]);
	await service.stop();
});
