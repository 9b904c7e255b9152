import { allRoutes } from '../../../../service/routes/all';
import { href, makeGrid, objects } from '../http';
import { startWithPeople } from '../people';

/**
 * Each endpoint of the route table, with the identity of another account,
 * of nobody, and of a link of another account. The table is what the server
 * guards, so a new endpoint is tried here without anybody thinking of it.
 */
let context: Awaited<ReturnType<typeof startWithPeople>>;
let stranger: ReturnType<Awaited<ReturnType<typeof startWithPeople>>['person']>;
const ids: Record<string, string> = {};

beforeAll(async () => {
	context = await startWithPeople();
	stranger = context.person('stranger');
	const { owner, home } = context;
	const made = await makeGrid(owner, { a: { name: 'string' } });
	const last = (path: string) => path.split('/').at(-1) ?? '';
	const [form] = objects((await owner.get(`${made.grid}/forms`)).json()['items']);
	const link = await owner.create(`${made.grid}/links`, {
		kind: 'form',
		protection: 'link',
		user: 'u',
		password: 'password',
	});
	const key = (await owner.post(`${home}/accessKeys`, { name: 'k', role: 'reader' })).json();
	const share = await owner.create(`${made.space}/shares`, { email: 'a@b.example', role: 'reader' });
	Object.assign(ids, {
		userId: owner.userId,
		spaceId: last(made.space),
		gridId: last(made.grid),
		fieldId: made.ids['a'],
		entityId: last(await owner.create(`${made.grid}/entities`, { fields: ['secret cell'] })),
		formId: last(href(form ?? {}, 'self')),
		sviewId: last(
			await owner.create(`${made.grid}/sviews`, { type: 'kanban', properties: {}, slotProperties: {} }),
		),
		linkId: last(link),
		keyId: String(key['key']),
		shareId: last(share),
	});
});
afterAll(async () => {
	await context.end();
});

const fill = (path: string) =>
	path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(ids[name] ?? 'unknown'));
const closed = allRoutes.filter(({ path }) => path.startsWith('/api/users/:userId'));
const named = (routes: typeof allRoutes) =>
	routes.map((route) => [`${route.method} ${route.path}`, route] as const);

test('the table has the endpoints of the specification', () => {
	expect(closed.length).toBeGreaterThan(50);
	const parameters = new Set(closed.flatMap(({ path }) => path.match(/(?<=:)\w+/g) ?? []));
	expect(
		[...parameters].filter((name) => !(name in ids) && name !== 'sview' && name !== 'invitationId'),
	).toEqual([]);
});

test.each(named(closed))('%s is 403 for another account, with any body', async (_name, route) => {
	for (const body of [
		undefined,
		{},
		{ name: 'x', fields: [], filter: {}, role: 'admin', email: 'a@b.example' },
	]) {
		const reply = await stranger.caller.send(
			route.method,
			fill(route.path),
			route.method === 'GET' ? {} : { body },
		);
		expect([reply.status, reply.text.includes('secret cell')]).toEqual([403, false]);
	}
});

test.each(named(closed))('%s is 401 without credentials', async (_name, route) => {
	const reply = await context.nobody.send(
		route.method,
		fill(route.path),
		route.method === 'GET' ? {} : { body: {} },
	);
	expect(reply.status).toBe(401);
});

test.each(named(closed.filter(({ path }) => path.includes(':spaceId'))))(
	'%s is closed to another account below its own address, too: 403 or 404',
	async (_name, route) => {
		const path = fill(route.path).replace(String(ids['userId']), stranger.userId);
		const reply = await stranger.caller.send(route.method, path, route.method === 'GET' ? {} : { body: {} });
		expect([403, 404]).toContain(reply.status);
		expect(reply.text).not.toContain('secret cell');
	},
);

test.each(named(allRoutes.filter(({ path }) => /^\/api\/[ar]\/:userId/.test(path))))(
	'%s of a protected link is closed to the key of an account: 401',
	async (_name, route) => {
		for (const caller of [stranger.caller, context.nobody]) {
			const reply = await caller.send(
				route.method,
				fill(route.path),
				route.method === 'GET' ? {} : { body: {} },
			);
			expect([401, 404]).toContain(reply.status);
		}
	},
);

test('none of these requests wrote anything', async () => {
	const { owner, home } = context;
	expect((await owner.get(`${home}/spaces`)).json()).toMatchObject({ numberOfItems: 1 });
	expect((await owner.get(`${home}/accessKeys`)).json()['items']).toHaveLength(2);
	const entity = fill('/api/users/:userId/spaces/:spaceId/grids/:gridId/entities/:entityId');
	expect((await owner.get(entity, { layout: 'key' })).json()).toMatchObject({ a: 'secret cell' });
});
