import { basic, href, id, makeGrid, objects, rels, byKey, last } from '../http';
import { testPeople } from '../people';
import { addLink } from '../../../../service/cli/commands';

const context = testPeople();
const { owner, anonymous } = context;
let grid: string;
let ids: Record<string, string>;
beforeAll(async () => {
	({ grid, ids } = await makeGrid(owner, { a: { name: 'string' }, n: { name: 'integer' } }));
});

const login = (user: string, password: string) => ({ authorization: basic(user, password) });

test('§4.6 a form link: read and submit without an account', async () => {
	const path = await owner.create(href(await owner.read(grid), 'addLink'), { kind: 'form' });
	expect(path).toMatch(new RegExp(`^/api/a/${owner.userId}/`));
	const form = await anonymous.read(path);
	expect(objects(form['inputs']).map((input) => input['formKey'])).toEqual([ids['a'], ids['n']]);
	expect(rels(form)).toEqual(['self', 'submit']);
	const reply = await anonymous.post(href(form, 'submit'), { [id(ids, 'a')]: 'from outside' });
	expect(reply.status).toBe(201);
	expect(reply.text).toMatch(/^Created \/api\/a\//);
	const items = await owner.items(`${grid}/entities`, byKey);
	expect(items.at(-1)).toMatchObject({ a: 'from outside' });
	expect((await anonymous.post(path, { nope: 1 })).status).toBe(400);
	expect((await anonymous.get(`${path}/entities`)).status).toBe(403);
});

test('a form link to a view has the name of the view, not that of its grid', async () => {
	const view = await owner.create(`${grid}/virtualgrids`, { name: 'Guests', fields: [ids['a']], filter: {} });
	const form = await anonymous.read(await owner.create(`${view}/links`, { kind: 'form' }));
	expect(form).toMatchObject({ name: 'Guests', displayValue: 'Guests' });
});

test('a form link lists no rows, even with the role writer', async () => {
	const writer = await owner.create(`${grid}/links`, { kind: 'form', role: 'writer' });
	expect((await anonymous.get(`${writer}/entities`)).status).toBe(403);
});

test('§4.6 a shared view: its rows and columns only, without an account', async () => {
	await owner.create(`${grid}/entities`, { fields: ['in', 7] });
	await owner.create(`${grid}/entities`, { fields: ['out', 8] });
	const view = await owner.view(grid, [ids['a']], { [id(ids, 'n')]: { $eq: 7 } }, { name: 'Sevens' });
	const path = await owner.create(`${view}/links`, { kind: 'view' });
	const shown = await anonymous.read(path);
	expect(shown).toMatchObject({ name: 'Sevens', fields: [{ id: ids['a'] }] });
	expect(rels(shown)).toEqual(['entities', 'names', 'self']);
	const page = await anonymous.read(href(shown, 'entities'), byKey);
	expect(page).toMatchObject({ numberOfItems: 1, items: [{ a: 'in' }] });
	expect(JSON.stringify(page)).not.toContain('"n"');
	expect((await anonymous.post(path, {})).status).toBe(403);
	const writing = await owner.create(`${view}/links`, { kind: 'view', role: 'writer' });
	const { items } = await anonymous.read(`${writing}/entities`);
	expect(objects(items).map(rels)).toEqual([['self']]);
});

test('§4.6 an edit link under /api/r: read and change one entity, without an account', async () => {
	const entity = await owner.create(`${grid}/entities`, { fields: ['editable', 1] });
	const path = await owner.create(`${grid}/links`, { kind: 'edit', entityId: last(entity) });
	expect(path).toMatch(new RegExp(`^/api/r/${owner.userId}/`));
	expect(rels(await anonymous.read(path))).toEqual(['names', 'schema', 'self', 'update']);
	const schema = await anonymous.read(`${path}/schema`);
	const { properties } = await owner.read(`${grid}/schema`);
	expect(schema).toMatchObject({ type: 'object', properties });
	const changed = await anonymous.put(path, { n: 2 }, byKey);
	expect(changed.json()).toMatchObject({ a: 'editable', n: 2 });
	const [latest] = await owner.items(`${entity}/events`);
	const [made] = (await owner.items(`${grid}/links`)).filter((one) => one['href'] === path);
	expect(latest).toMatchObject({ type: 'updated', userId: `link:${String(made?.['id'])}` });
	const readOnly = await owner.create(`${grid}/links`, {
		kind: 'edit',
		entityId: last(entity),
		role: 'reader',
	});
	expect((await anonymous.get(readOnly)).status).toBe(200);
	expect((await anonymous.put(readOnly, {})).status).toBe(403);
	await owner.delete(entity);
	expect((await anonymous.get(path)).status).toBe(404);
	expect((await anonymous.get(`${path}/schema`)).status).toBe(404);
});

test('§5 protection "link": 401 with Service-Authorization: link until its user name and password are sent as Basic', async () => {
	const path = await owner.create(`${grid}/links`, {
		kind: 'form',
		protection: 'link',
		user: 'guest',
		password: 'open sesame',
	});
	for (const headers of [{}, login('guest', 'wrong'), login('other', 'open sesame')]) {
		const reply = await anonymous.get(path, undefined, headers);
		expect(reply.status).toBe(401);
		expect(reply.headers.get('service-authorization')).toBe('link');
	}
	const opened = await anonymous.get(path, undefined, login('guest', 'open sesame'));
	expect(opened.status).toBe(200);
	expect(opened.headers.get('service-authorization')).toBeNull();
	expect(
		(await anonymous.send('POST', path, { body: {}, headers: login('guest', 'open sesame') })).status,
	).toBe(201);
});

test('§5 protection "internal": 401 with Service-Authorization: internal until a login', async () => {
	const path = await owner.create(`${grid}/links`, { kind: 'form', protection: 'internal' });
	const closed = await anonymous.get(path);
	expect(closed.status).toBe(401);
	expect(closed.headers.get('service-authorization')).toBe('internal');
	expect((await context.person('colleague').caller.get(path)).status).toBe(200);
	expect((await (await context.bearer()).get(path)).status).toBe(200);
	expect((await anonymous.get(`${context.home}/spaces`)).headers.get('service-authorization')).toBeNull();
});

test('links are listed and deleted by an admin; invalid combinations are refused', async () => {
	const path = await owner.create(`${grid}/links`, { kind: 'form' });
	const list = await owner.items(`${grid}/links`);
	const mine = list.find((link) => link['href'] === path);
	expect(JSON.stringify(list)).not.toContain('password');
	expect((await owner.delete(href(mine ?? {}, 'remove'))).status).toBe(200);
	expect((await anonymous.get(path)).status).toBe(404);
	for (const [body, status] of [
		[{ kind: 'form', protection: 'link' }, 400],
		[{ kind: 'form', role: 'reader' }, 400],
		[{ kind: 'view', role: 'creator' }, 400],
		[{ kind: 'poster' }, 400],
		[{ kind: 'view', user: 'a:b', password: 'long enough' }, 400],
		[{ kind: 'edit' }, 404],
		[{ kind: 'form', formId: 'nope' }, 404],
	] as const) {
		expect((await owner.post(`${grid}/links`, body)).status).toBe(status);
	}
});

test('main.js link creates a link to a grid given by its key', async () => {
	const made = await addLink(context.data, { grid: 'things', kind: 'form', protection: 'none' });
	expect((await anonymous.get(made.path)).status).toBe(200);
	await expect(addLink(context.data, { grid: 'nope' })).rejects.toThrow('There is no grid "nope"');
	await expect(addLink(context.data, { grid: 'things', protection: 'locked' })).rejects.toThrow(
		'--protection',
	);
});
