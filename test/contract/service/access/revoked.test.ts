import { request } from 'node:http';
import { id, makeGrid, object, uploadGrid, byKey } from '../http';
import { testPeople } from '../people';

/**
 * Rights are checked again after each wait, so a right revoked meanwhile is refused. Requests have
 * to arrive while a password is hashed.
 */
const context = testPeople({ passwordCost: 16_384 });
const { owner } = context;
let grid: string;
let ids: Record<string, string>;
beforeAll(async () => {
	({ grid, ids } = await makeGrid(owner, { a: { name: 'string' } }));
});

/** Sends a request whose body ends only after `meanwhile` has run. */
async function sendSlowly(
	method: 'POST' | 'PUT',
	{ path, authorization, body }: { path: string; authorization: string; body: object },
	meanwhile: () => Promise<unknown>,
): Promise<number> {
	const content = JSON.stringify(body);
	const headers = { authorization, 'content-type': 'application/json', 'content-length': content.length, expect: '100-continue' };
	const sent = request(`${owner.url}${path}`, { method, headers });
	const answered = new Promise<number>((resolve, reject) => {
		sent.on('error', reject).on('response', (response) => {
			response.resume();
			resolve(response.statusCode ?? 0);
		});
	});
	sent.flushHeaders();
	await new Promise((resolve) => sent.once('continue', resolve));
	// Once it responds to another request, the service has processed the headers.
	await owner.get('/api/version');
	sent.write(content.slice(0, 1));
	await meanwhile();
	sent.end(content.slice(1));
	return await answered;
} // prettier-ignore

const values = () => ({ [id(ids, 'a')]: 'too late' });
const rows = async () => (await owner.items(`${grid}/entities`, byKey)).map((row) => row['a']);

test('a key that is deleted while its request arrives writes nothing', async () => {
	const { holder, remove } = await ownKey();
	const status = await sendSlowly(
		'POST',
		{ path: `${grid}/entities?layout=field`, authorization: holder.authorization ?? '', body: values() },
		remove,
	);
	expect([status, await rows()]).toEqual([401, []]);
});

test('a share that is deleted while a request arrives is refused', async () => {
	const person = context.person('Guest');
	const space = grid.replace(/\/grids\/.*/, '');
	const share = await owner.create(`${space}/shares`, { email: person.email, role: 'writer' });
	const { caller } = await person.caller.newKey('admin');
	const authorization = caller.authorization ?? '';
	const status = await sendSlowly(
		'POST',
		{ path: `${grid}/entities?layout=field`, authorization, body: values() },
		() => owner.delete(share),
	);
	expect([status, await rows()]).toEqual([403, []]);
});

/** Orders in which a request and a deletion may end. */
const beforeOrNever = (done: string, refused: string) => [
	['deleted', refused],
	[refused, 'deleted'],
	[done, 'deleted'],
];

test('a grid that is deleted while the password of a new link is hashed has no link', async () => {
	for (let times = 0; times < 4; times++) {
		const own = await owner.create(grid.replace(/\/[^/]*$/, ''), { name: 'Short-lived' });
		const [made] = await Promise.all([
			owner.post(`${own}/links`, { kind: 'view', user: 'guest', password: 'open sesame' }),
			owner.delete(own),
		]);
		// Created before the deletion, or not at all.
		expect([201, 404]).toContain(made.status);
	}
});

/** Creates a key of the owner. @returns a caller with it, and a function that deletes it */
async function ownKey() {
	const { caller, id: keyId } = await owner.newKey('admin');
	return {
		holder: caller,
		remove: () => owner.delete(`/api/users/${owner.userId}/accessKeys/${keyId}`),
	};
}

/** Revokes a right once the service is busy with a request. @returns the status of the request */
async function revokedMeanwhile(slow: Promise<{ status: number }>, revoke: () => Promise<unknown>) {
	for (let served = 0; served < 20; served++) await owner.get('/api/version');
	await revoke();
	return (await slow).status;
}

const file = `n\n${Array.from({ length: 50_000 }, (_, n) => n).join('\n')}\n`;

test('a key that is deleted while the password of its new link is hashed creates no link', async () => {
	for (let times = 0; times < 4; times++) {
		const { holder, remove } = await ownKey();
		const ended: string[] = [];
		const making = holder
			.post(`${grid}/links`, { kind: 'view', user: 'guest', password: 'open sesame' })
			.then(({ status }) => ended.push(`link ${status}`));
		for (let served = 0; served < 3; served++) await owner.get('/api/version');
		await Promise.all([making, remove().then(() => ended.push('deleted'))]);
		// Created before the deletion, or not at all.
		expect(beforeOrNever('link 201', 'link 401')).toContainEqual(ended);
	}
});

test('a key that is deleted while its file is imported creates no grid', async () => {
	const space = grid.replace(/\/grids\/.*/, '');
	const { holder, remove } = await ownKey();
	const status = await revokedMeanwhile(holder.post(`${space}/uploadCSV`, { name: 'Late', file }), remove);
	expect([status, (await owner.get(`${space}/grids`)).text.includes('"Late"')]).toEqual([401, false]);
});

test('a person whose share is deleted while they copy a space gets no copy', async () => {
	const { caller, email, userId } = context.person('Copier');
	const space = await owner.create(`/api/users/${owner.userId}/spaces`, { name: 'To copy' });
	await owner.create(`${space}/uploadCSV`, { name: 'Rows', file });
	const share = await owner.create(`${space}/shares`, { email, role: 'reader' });
	const copying = caller.post(`${space}/copy`, { includeEntities: true });
	expect(await revokedMeanwhile(copying, () => owner.delete(share))).toBe(403);
	expect((await caller.read(`/api/users/${userId}/spaces`))['numberOfItems']).toBe(0);
});

test('a key that is deleted during a search finds nothing', async () => {
	const space = grid.replace(/\/grids\/.*/, '');
	const large = await owner.create(`${space}/uploadCSV`, { name: 'To search', file });
	const [n = ''] = Object.keys(object((await owner.read(`${large}/schema`))['properties']));
	const filter = { $or: Array.from({ length: 150 }, (_, digits) => ({ [n]: { $eq: -digits - 1 } })) };
	const { holder, remove } = await ownKey();
	const searching = holder.get(`${large}/entities`, { filter: JSON.stringify(filter) });
	expect(await revokedMeanwhile(searching, remove)).toBe(401);
});

test('an export and a streamed page are aborted once their key is deleted', async () => {
	const space = grid.replace(/\/grids\/.*/, '');
	const text = 'x'.repeat(50_000);
	const lines = Array.from({ length: 300 }, (_, n) => `${n},${text}`).join('\n');
	const file = `n,text\n${lines}\n`;
	const large = await uploadGrid(owner, space, { name: 'To export', file });
	for (const path of ['csv', 'entities?pageSize=1000', 'updates?since=2020-01-01T00:00:00Z&pageSize=1000']) {
		const { holder, remove } = await ownKey();
		const exported = await holder.stream(`${large}/${path}`);
		expect(exported.status).toBe(200);
		await remove();
		await owner.create(`${large}/entities`, { fields: [-1, 'after the deletion of the key'] });
		const end = await exported.text().then(
			(content) => content.slice(-40),
			() => 'aborted',
		);
		expect([path, end]).toEqual([path, 'aborted']);
	}
});
