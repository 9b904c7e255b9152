import { Caller, href, id, makeGrid, object, objects, rels, type Json } from '../http';
import { startWithPeople } from '../people';

let context: Awaited<ReturnType<typeof startWithPeople>>;
let owner: Caller;
let space: string;
let grid: string;
let ids: Record<string, string>;
let entity: string;
const people: Record<string, { caller: Caller; email: string; userId: string }> = {};

beforeAll(async () => {
	context = await startWithPeople();
	owner = context.owner;
	({ space, grid, ids } = await makeGrid(owner, { a: { name: 'string' }, b: { name: 'string' } }));
	entity = await owner.create(`${grid}/entities`, { fields: ['x', 'y'] });
	for (const role of ['reader', 'writer', 'admin', 'creator']) {
		people[role] = context.person(role);
		await owner.create(`${space}/shares`, { email: `${role}@datagrid.example`, role });
	}
	people['stranger'] = context.person('stranger');
});
afterAll(() => context.end());

function person(name: string) {
	const found = people[name];
	if (!found) throw new Error(`No person is called ${name}`);
	return found;
}

/** Operations with the roles that they allow. Deletions have a fresh target for each role. */
const operations: Array<[string, readonly string[], (caller: Caller) => Promise<{ status: number }>]> = [
	['GET space', ['reader', 'writer', 'admin'], (caller) => caller.get(space)],
	['GET grid', ['reader', 'writer', 'admin'], (caller) => caller.get(grid)],
	['GET schema', ['reader', 'writer', 'admin'], (caller) => caller.get(`${grid}/schema`)],
	['GET entities', ['reader', 'writer', 'admin'], (caller) => caller.get(`${grid}/entities`)],
	['GET entity', ['reader', 'writer', 'admin'], (caller) => caller.get(entity)],
	['GET updates', ['reader', 'writer', 'admin'], (caller) => caller.get(`${grid}/updates`, { since: '2020-01-01T00:00:00Z' })],
	['GET csv', ['reader', 'writer', 'admin'], (caller) => caller.get(`${grid}/csv`)],
	['POST entity', ['creator', 'writer', 'admin'], (caller) => caller.post(`${grid}/entities`, { fields: ['n', null] })],
	['POST form', ['creator', 'writer', 'admin'], async (caller) => {
		const [form] = objects((await owner.get(`${grid}/forms`)).json()['items']);
		return await caller.post(href(form ?? {}, 'self'), {});
	}],
	['PUT entity', ['writer', 'admin'], (caller) => caller.put(entity, { [id(ids, 'a')]: 'z' })],
	['POST update', ['writer', 'admin'], (caller) => caller.post(`${entity}/update`, { a: 'z' })],
	['DELETE entity', ['writer', 'admin'], async (caller) => caller.delete(await owner.create(`${grid}/entities`, { fields: ['d', null] }))],
	['POST grid', ['admin'], (caller) => caller.post(`${space}/grids`, { name: `Grid ${Math.random()}` })],
	['PATCH space', ['admin'], (caller) => caller.patch(space, {})],
	['PATCH grid', ['admin'], (caller) => caller.patch(grid, {})],
	['ColumnRename', ['admin'], (caller) => caller.post(`${grid}/ColumnRename`, { oldName: 'A', newName: 'A' })],
	['POST virtualgrids', ['admin'], (caller) => caller.post(`${grid}/virtualgrids`, { fields: [], filter: {} })],
	['GET shares', ['admin'], (caller) => caller.get(`${space}/shares`)],
	['POST shares', ['admin'], (caller) => caller.post(`${space}/shares`, { email: 'q@example.com', role: 'reader' })],
	['POST links', ['admin'], (caller) => caller.post(`${grid}/links`, { kind: 'form' })],
]; // prettier-ignore

test.each(operations)(
	'§4, §5, §7 %s: allowed for %j, 403 for other roles, 401 without credentials',
	async (_name, allowed, run) => {
		for (const role of ['reader', 'writer', 'admin', 'creator', 'stranger']) {
			const { status } = await run(person(role).caller);
			expect([role, status]).toEqual([role, allowed.includes(role) ? expect.any(Number) : 403]);
			if (allowed.includes(role)) expect([200, 201]).toContain(status);
		}
		expect((await run(context.anonymous)).status).toBe(401);
	},
);

test('§1, §5 _links list exactly the operations of the role; the others respond with 403', async () => {
	const ownerLinks = object((await owner.get(grid)).json()['_links']);
	for (const role of ['reader', 'writer', 'admin']) {
		const { caller } = person(role);
		const links = object((await caller.get(grid)).json()['_links']);
		for (const [rel, link] of Object.entries(ownerLinks)) {
			const { href: path, method } = object(link);
			if (rel === 'remove') continue;
			const { status } = await caller.send(
				String(method).toUpperCase(),
				String(path),
				method === 'get' ? {} : { body: { unfit: true } },
			);
			expect([role, rel, status === 403]).toEqual([role, rel, !(rel in links)]);
		}
	}
});

test('§2.6, §5 links by role: a reader sees no addEntity, no update, no remove', async () => {
	const seen = async (role: string, path: string) => rels((await person(role).caller.get(path)).json());
	expect(await seen('reader', grid)).not.toContain('addEntity');
	expect(await seen('writer', grid)).toContain('addEntity');
	expect(await seen('writer', grid)).not.toContain('columnAdd');
	expect(await seen('reader', entity)).toEqual(['events', 'self']);
	expect(await seen('writer', entity)).toEqual(['events', 'remove', 'self', 'update', 'updateByKeyAndField']);
	expect(await seen('reader', space)).not.toContain('addGrid');
	// Rows in lists have only the three links of §2.6, because lists have thousands of rows.
	const listed = async (role: string) =>
		objects((await person(role).caller.get(`${grid}/entities`)).json()['items']).map(rels)[0];
	expect(await listed('writer')).toEqual(['remove', 'self', 'update']);
	expect(await listed('reader')).toEqual(['self']);
});

test('§5 a shared space is listed for and accessible to the person it is shared with', async () => {
	const { caller, userId } = person('reader');
	const list = objects((await caller.get(`/api/users/${userId}/spaces`)).json()['items']);
	expect(list.map((one) => one['id'])).toEqual([space.split('/').pop()]);
	expect((await caller.get(href(list[0] ?? {}, 'self'))).status).toBe(200);
	const none = person('stranger');
	expect((await none.caller.get(`/api/users/${none.userId}/spaces`)).json()).toMatchObject({ items: [] });
	const found = async (name: string, query: Record<string, string> = {}) =>
		(await person(name).caller.get(`/api/users/${person(name).userId}/spaces`, query)).json()[
			'numberOfItems'
		];
	expect(await found('creator')).toBe(1);
	// Properties can only be read, and so compared, by readers.
	await owner.patch(space, { properties: { code: 'sesame' } });
	const matching = { matching: 'code,sesame' };
	expect([await found('reader', matching), await found('creator', matching)]).toEqual([1, 0]);
});

test('§5 requests to another account respond with 403', async () => {
	for (const path of ['', '/spaces', '/accessKeys']) {
		expect((await person('admin').caller.get(context.home + path)).status).toBe(403);
	}
});

test('§5 a reader key of a person with an admin share may only read', async () => {
	const { caller, userId } = person('admin');
	const made = (await caller.post(`/api/users/${userId}/accessKeys`, { name: 'r', role: 'reader' })).json();
	const reader = Caller.basic(context.service.url, userId, String(made['key']), String(made['secret']));
	expect((await reader.get(grid)).status).toBe(200);
	expect((await reader.post(`${grid}/entities`, { fields: ['n', null] })).status).toBe(403);
});

test('§5 a bearer token is a login of its account', async () => {
	expect((await (await context.bearer()).get('/api/users/me')).headers.get('location')).toBe(context.home);
	expect((await (await context.bearer('reader')).get(grid)).status).toBe(200);
	expect((await (await context.bearer('reader')).patch(grid, {})).status).toBe(403);
	const forged = `Bearer ${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${Buffer.from(JSON.stringify({ sub: owner.userId, exp: 9e9 })).toString('base64url')}.`;
	for (const authorization of [
		forged,
		'Bearer x',
		'Bearer a.b.c',
		'Basic bm9jb2xvbg==',
		'Digest x',
		'',
		'Basic',
	]) {
		expect(
			(await new Caller(context.service.url, owner.userId, authorization).get(context.home)).status,
		).toBe(401);
	}
});

test('§4.4 a shared stateful view grants a role on its grid and nothing else', async () => {
	const guest = context.person('guest');
	expect((await guest.caller.get(grid)).status).toBe(403);
	const sview = await owner.create(`${grid}/sviews`, { type: 'kanban' });
	await owner.create(`${sview}/shares`, { email: guest.email, role: 'reader' });
	expect((await guest.caller.get(`${grid}/entities`)).status).toBe(200);
	expect((await guest.caller.get(sview)).status).toBe(200);
	expect((await guest.caller.put(entity, {})).status).toBe(403);
	expect((await guest.caller.get(space)).status).toBe(403);
});

test('§7 the bodies of 401, 403, 404 and 400 have the same members', async () => {
	const bodies: Json[] = [
		(await context.anonymous.get('/api/users/anything/at/all')).json(),
		(await person('stranger').caller.get(space)).json(),
		(await owner.get(`${context.home}/spaces/nope`)).json(),
		(await owner.get('/api/nope')).json(),
		(
			await owner.send('POST', `${grid}/entities`, { raw: { type: 'application/json', content: '{broken' } })
		).json(),
		(await owner.send('POST', `${grid}/entities`, { raw: { type: 'text/plain', content: 'x' } })).json(),
	];
	for (const { status, error, message } of bodies)
		expect([typeof status, typeof error, typeof message]).toEqual(['number', 'string', 'string']);
	expect(bodies.map((body) => body['status'])).toEqual([401, 403, 404, 404, 400, 400]);
});
