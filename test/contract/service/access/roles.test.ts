import { type Caller, href, makeGrid, object, rels, type Json, last } from '../http';
import { allRoutes } from '../../../../service/routes/all';
import { testPeople } from '../people';

const context = testPeople();
const { owner } = context;
let space: string;
let grid: string;
let entity: string;
const people: Record<string, { caller: Caller; email: string; userId: string }> = {};

beforeAll(async () => {
	({ space, grid } = await makeGrid(owner, { a: { name: 'string' }, b: { name: 'string' } }));
	entity = await owner.create(`${grid}/entities`, { fields: ['x', 'y'] });
	for (const role of ['reader', 'writer', 'admin', 'creator']) {
		people[role] = context.person(role);
		await owner.create(`${space}/shares`, { email: `${role}@datagrid.example`, role });
	}
	people['stranger'] = context.person('stranger');
});

function person(name: string) {
	const found = people[name];
	if (!found) throw new Error(`No person is called ${name}`);
	return found;
}

test('§1, §5 _links list exactly the operations of the role; the others respond with 403', async () => {
	for (const address of [space, grid, entity]) {
		const ownerLinks = object((await owner.read(address))['_links']);
		for (const role of ['reader', 'writer', 'admin']) {
			const { caller } = person(role);
			const links = object((await caller.read(address))['_links']);
			for (const [rel, link] of Object.entries(ownerLinks)) {
				const { href: path, method } = object(link);
				if (rel === 'remove' && rel in links) continue;
				const { status } = await caller.send(
					String(method).toUpperCase(),
					String(path),
					method === 'get' ? {} : { body: { unfit: true } },
				);
				expect([role, rel, status === 403]).toEqual([role, rel, !(rel in links)]);
			}
		}
	}
});

test('§2.6 rows in lists have only the three links of §2.6, because lists have thousands of rows', async () => {
	const listed = async (role: string) => (await person(role).caller.items(`${grid}/entities`)).map(rels)[0];
	expect(await listed('writer')).toEqual(['remove', 'self', 'update']);
	expect(await listed('reader')).toEqual(['self']);
});

test('§5 a shared space is listed for and accessible to the person it is shared with', async () => {
	const { caller, userId } = person('reader');
	const list = await caller.items(`/api/users/${userId}/spaces`);
	expect(list.map((one) => one['id'])).toEqual([last(space)]);
	expect((await caller.get(href(list[0] ?? {}, 'self'))).status).toBe(200);
	const none = person('stranger');
	expect(await none.caller.read(`/api/users/${none.userId}/spaces`)).toMatchObject({ items: [] });
	const found = async (name: string, query: Record<string, string> = {}) =>
		(await person(name).caller.read(`/api/users/${person(name).userId}/spaces`, query))['numberOfItems'];
	expect(await found('creator')).toBe(1);
	// Properties can only be read, and so compared, by readers.
	await owner.patch(space, { properties: { code: 'sesame' } });
	const matching = { matching: 'code,sesame' };
	expect([await found('reader', matching), await found('creator', matching)]).toEqual([1, 0]);
});

test('§5 a key as reader has the links of a reader, whatever the share allows', async () => {
	const linksIn = async ({ caller, userId }: { caller: Caller; userId: string }) => {
		const [listed] = await caller.items(`/api/users/${userId}/spaces`);
		const read = await Promise.all([space, grid, entity].map((address) => caller.read(address)));
		return [listed ?? {}, ...read].map(rels);
	};
	const expected = await linksIn(person('reader'));
	for (const role of ['reader', 'writer', 'admin']) {
		const { caller, userId } = person(role);
		expect([role, await linksIn({ ...(await caller.newKey('reader')), userId })]).toEqual([role, expected]);
	}
});

test.each([
	['grid', () => `${grid}/ColumnAdd`, 'Things'],
	['space', () => `${space}/grids`, 'Space of Things'],
])('§7 a refusal names the %s to those who have a role in it', async (kind, address, named) => {
	const refusalOf = async (name: string) => {
		const reply = await person(name).caller.post(address(), {});
		return [reply.status, String(reply.json()['message']).split(' on ')[1]];
	};
	expect(await refusalOf('reader')).toEqual([403, `the ${kind} "${named}"; your role is reader`]);
	expect(await refusalOf('stranger')).toEqual([403, `this ${kind}; you have no role`]);
});

/** What a 404 calls the resource of each parameter of a path. */
const MISSING = new Map([
	['entityId', 'Entity'],
	['fieldId', 'Field'],
	['formId', 'Form'],
	['gridId', 'Grid'],
	['keyId', 'Access key'],
	['linkId', 'Link'],
	['shareId', 'Share'],
	['spaceId', 'Space'],
	['sview', 'Stateful view'],
	['token', 'Invitation'],
	['userId', 'User'],
]);
const addresses = allRoutes.filter(
	({ method, path }) => ['GET', 'DELETE'].includes(method) && path.includes(':'),
);

test.each(addresses)('§7 $method $path names what is missing', async ({ method, path }) => {
	const known = new Map([
		['userId', owner.userId],
		['spaceId', last(space)],
		['gridId', last(grid)],
	]);
	const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
	const missing = names.find((name) => !known.has(name)) ?? names.at(-1) ?? '';
	known.delete(missing);
	const address = path.replace(/:(\w+)/g, (_, name: string) => known.get(name) ?? 'nope');
	const reply = await owner.send(method, address);
	expect([reply.status, reply.json()['message']]).toEqual([404, `${MISSING.get(missing)} not found`]);
});

test('§7 the bodies of 401, 403, 404 and 400 have the same members', async () => {
	const bodies: Json[] = [
		await context.anonymous.read('/api/users/anything/at/all'),
		await person('stranger').caller.read(space),
		await owner.read(`${context.home}/spaces/nope`),
		await owner.read('/api/nope'),
		(
			await owner.send('POST', `${grid}/entities`, { raw: { type: 'application/json', content: '{broken' } })
		).json(),
		(await owner.send('POST', `${grid}/entities`, { raw: { type: 'text/plain', content: 'x' } })).json(),
	];
	for (const { status, error, message } of bodies)
		expect([typeof status, typeof error, typeof message]).toEqual(['number', 'string', 'string']);
	expect(bodies.map((body) => body['status'])).toEqual([401, 403, 404, 404, 400, 400]);
});
