import { pbkdf2 } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { makeGrid, object, startWithOwner, uploadGrid, type Json } from '../http';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';

const derive = promisify(pbkdf2);

const folder = new TemporaryFolder();

test('without --host the service listens on this machine only', async () => {
	const { service } = await startWithOwner();
	const { port, hostname } = new URL(service.url);
	expect(hostname).toBe('127.0.0.1');
	const others = Object.values(networkInterfaces())
		.flatMap((addresses) => addresses ?? [])
		.filter(({ internal, family }) => !internal && family === 'IPv4');
	// A service on all addresses would also respond at 127.0.0.2.
	for (const address of ['127.0.0.2', ...others.map((other) => other.address)])
		await expect(fetch(`http://${address}:${port}/api/health`)).rejects.toThrow();
	await service.stop();
});

test('--log writes a line of JSON per request, with its ID and caller, and no secret', async () => {
	const log = folder.file('access.log');
	const { service, owner, anonymous } = await startWithOwner({ log });
	const { grid } = await makeGrid(owner, { a: { name: 'string' } });
	const listed = await owner.get(`${grid}/entities`, { filter: '{"$and":[]}' });
	const refused = await anonymous.get(grid);
	const hidden = await owner.get('/api/a/0123456789abcdef/fedcba9876543210');
	const missing = await owner.get('/nowhere');
	// Someone may enter a secret, a link or a key instead of an ID.
	for (const mistaken of [service.secret, service.key])
		await owner.delete(`/api/users/${owner.userId}/accessKeys/${mistaken}x`);
	await owner.delete(`${grid}/links/0123456789abcdeffedcba9876543210`);
	await service.stop();
	const text = readFileSync(log, 'utf8');
	const lines: Json[] = text.trim().split('\n').map((line) => object(JSON.parse(line))); // prettier-ignore
	expect(lines).toHaveLength(10);
	// Responses that end at nearly the same time may be logged in either order.
	const lineOf = (reply: typeof listed) =>
		lines.find(({ requestId }) => requestId === reply.headers.get('x-request-id'));
	expect(lineOf(listed)).toMatchObject({
		method: 'GET',
		route: '/api/users/:userId/spaces/:spaceId/grids/:gridId/entities',
		params: { userId: owner.userId },
		userId: owner.userId,
		status: 200,
	});
	expect(typeof lineOf(listed)?.['ms']).toBe('number');
	expect(lineOf(refused)).toMatchObject({ userId: null, status: 401 });
	expect(lineOf(hidden)).toMatchObject({ route: '/api/a/:userId/:linkId', status: 404 });
	expect(lineOf(missing)).toMatchObject({ route: 'none', status: 404 });
	expect(new Set(lines.map((line) => line['requestId'])).size).toBe(10);
	expect(lines.map((line) => line['params'])).toContainEqual({ userId: owner.userId, keyId: 'no ID' });
	for (const secret of [service.secret, service.key, '0123456789abcdef', '$and'])
		expect(text).not.toContain(secret);
	expect(statSync(log).mode & 0o777).toBe(0o600);
});

test('--log has the reason of a response that breaks off, also if its client ended it', async () => {
	const log = folder.file('access.log');
	const faults: unknown[] = [];
	const { service, owner, home } = await startWithOwner({ log, onFault: (error) => faults.push(error) });
	const { space } = await makeGrid(owner, {});
	const file = `text\n${`${'x'.repeat(50_000)}\n`.repeat(600)}`;
	const large = await uploadGrid(owner, space, { name: 'Large', file });
	const { caller: reader, id } = await owner.newKey('reader');
	const ended = await reader.stream(`${large}/csv`);
	await ended.body?.cancel();
	const broken = await reader.stream(`${large}/csv`);
	await owner.delete(`${home}/accessKeys/${id}`);
	await owner.create(`${large}/entities`, { fields: ['after the deletion of the key'] });
	await expect(broken.text()).rejects.toThrow('terminated');
	await service.stop();
	const lines = readFileSync(log, 'utf8').trim().split('\n').map((line) => object(JSON.parse(line))); // prettier-ignore
	const exports = lines.filter(({ route }) => String(route).endsWith('/csv'));
	expect(exports.map(({ status, error }) => [status, error])).toEqual([
		[200, 'The client disconnected'],
		[200, 'Unknown key, or wrong secret'],
	]);
	expect(faults).toEqual([]);
});

test('--log has a line of each request once the service has stopped, also on a busy machine', async () => {
	const log = folder.file('access.log');
	const { service, anonymous } = await startWithOwner({ log });
	// As many as Node has threads for files.
	const work = Array.from({ length: 4 }, async () => await derive('password', 'salt', 500_000, 64, 'sha512'));
	await anonymous.get('/api/health');
	await anonymous.get('/api/health');
	await service.stop();
	expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(2);
	await Promise.all(work);
});

test('--cors allows web pages of the given origins to call the API, also without credentials', async () => {
	const { service, owner, anonymous } = await startWithOwner({ origins: ['https://app.example'] });
	const preflightFrom = (origin: string) =>
		anonymous.send('OPTIONS', `/api/users/${owner.userId}/spaces`, {
			headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' }, // prettier-ignore
		});
	const preflight = await preflightFrom('https://app.example');
	expect(preflight.status).toBe(204);
	expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example');
	expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
	expect(
		(await preflightFrom('https://other.example')).headers.get('access-control-allow-origin'),
	).toBeNull();
	const reply = await owner.get('/api/version', undefined, { Origin: 'https://app.example' });
	const exposed = reply.headers.get('access-control-expose-headers');
	// §5: tells a page which credentials a protected link requires.
	for (const header of ['Location', 'Service-Authorization']) expect(exposed).toContain(header);
	await service.stop();
	const closed = await startWithOwner();
	const silent = await closed.owner.get('/api/version', undefined, { Origin: 'https://app.example' });
	expect(silent.headers.get('access-control-allow-origin')).toBeNull();
	await closed.service.stop();
});
