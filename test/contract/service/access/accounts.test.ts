import { allRoutes } from '../../../../service/routes/all';
import { href, makeGrid, objects } from '../http';
import { startWithPeople } from '../people';

/**
 * Requests each endpoint of the route table as another account and without credentials.
 * The cases come from the table, so new endpoints are covered automatically.
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
const accountRoutes = allRoutes.filter(({ path }) => path.startsWith('/api/users/:userId'));
const named = (routes: typeof allRoutes) =>
	routes.map((route) => [`${route.method} ${route.path}`, route] as const);

test('every path parameter of the route table has a value', () => {
	expect(accountRoutes.length).toBeGreaterThan(50);
	const parameters = new Set(accountRoutes.flatMap(({ path }) => path.match(/(?<=:)\w+/g) ?? []));
	expect(
		[...parameters].filter((name) => !(name in ids) && name !== 'sview' && name !== 'invitationId'),
	).toEqual([]);
});

test.each(named(accountRoutes))(
	'%s responds with 403 to another account, whatever the body',
	async (_name, route) => {
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
	},
);

test.each(named(accountRoutes))('%s responds with 401 without credentials', async (_name, route) => {
	const reply = await context.anonymous.send(
		route.method,
		fill(route.path),
		route.method === 'GET' ? {} : { body: {} },
	);
	expect(reply.status).toBe(401);
});

test.each(named(accountRoutes.filter(({ path }) => path.includes(':spaceId'))))(
	'%s responds with 403 or 404 to another account below its own address',
	async (_name, route) => {
		const path = fill(route.path).replace(String(ids['userId']), stranger.userId);
		const reply = await stranger.caller.send(route.method, path, route.method === 'GET' ? {} : { body: {} });
		expect([403, 404]).toContain(reply.status);
		expect(reply.text).not.toContain('secret cell');
	},
);

test.each(named(allRoutes.filter(({ path }) => /^\/api\/[ar]\/:userId/.test(path))))(
	'%s of a protected link responds with 401 or 404 to the key of an account',
	async (_name, route) => {
		for (const caller of [stranger.caller, context.anonymous]) {
			const reply = await caller.send(
				route.method,
				fill(route.path),
				route.method === 'GET' ? {} : { body: {} },
			);
			expect([401, 404]).toContain(reply.status);
		}
	},
);

test('none of these requests changed anything', async () => {
	const { owner, home } = context;
	expect((await owner.get(`${home}/spaces`)).json()).toMatchObject({ numberOfItems: 1 });
	expect((await owner.get(`${home}/accessKeys`)).json()['items']).toHaveLength(2);
	const entity = fill('/api/users/:userId/spaces/:spaceId/grids/:gridId/entities/:entityId');
	expect((await owner.get(entity, { layout: 'key' })).json()).toMatchObject({ a: 'secret cell' });
});
