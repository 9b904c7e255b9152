import { Caller, object, objects, rels, testService } from '../http';

const context = testService();

test('§4.2 GET /api/users/me: 302 to the user resource, which has id and _links', async () => {
	const { owner, home } = context;
	const reply = await owner.get('/api/users/me');
	expect(reply.status).toBe(302);
	expect(reply.headers.get('location')).toBe(home);
	const user = await owner.read(home);
	expect(user['id']).toBe(owner.userId);
	expect(rels(user)).toEqual([
		'accessKeys',
		'addAccessKey',
		'addSpace',
		'changePassword',
		'self',
		'spaces',
		'update',
	]);
});

test('§4.2, §5 POST accessKeys: returns key, secret and name; the key works at once, with the role chosen', async () => {
	const { owner, home, service } = context;
	const reply = await owner.post(`${home}/accessKeys`, { name: 'Reporting', role: 'reader' });
	expect(reply.status).toBe(201);
	const made = reply.json();
	expect([made['name'], typeof made['key'], typeof made['secret']]).toEqual([
		'Reporting',
		'string',
		'string',
	]);
	const reader = Caller.basic(service.url, owner.userId, String(made['key']), String(made['secret']));
	expect((await reader.get(home)).status).toBe(200);
	expect((await reader.post(`${home}/spaces`, { name: 'No' })).status).toBe(403);
	expect(rels(await reader.read(home))).toEqual(['self', 'spaces']);
	const wrong = Caller.basic(service.url, owner.userId, String(made['key']), 'wrong');
	expect((await wrong.get(home)).status).toBe(401);
});

test('§4.2, §7 POST accessKeys: a role other than reader or admin is 400, and so is an unknown member', async () => {
	const { owner, home } = context;
	for (const role of ['writer', 'creator', 'owner', '', null]) {
		expect((await owner.post(`${home}/accessKeys`, { name: 'x', role })).status).toBe(400);
	}
	expect((await owner.post(`${home}/accessKeys`, { name: 'x', role: 'reader', more: 1 })).status).toBe(400);
});

test('§2.8, §4.2 GET accessKeys lists keys without secrets; a deleted key is refused', async () => {
	const { owner, home, service } = context;
	const made = (await owner.post(`${home}/accessKeys`, { name: 'Short-lived', role: 'admin' })).json();
	const list = await owner.read(`${home}/accessKeys`);
	expect(JSON.stringify(list)).not.toContain(String(made['secret']));
	expect(JSON.stringify(list)).not.toContain('secret');
	const found = objects(list['items']).find((key) => key['key'] === made['key']);
	expect(found).toMatchObject({ name: 'Short-lived', role: 'admin' });
	const path = String(object(object(found?.['_links'])['remove'])['href']);
	expect((await owner.delete(path)).status).toBe(200);
	const gone = Caller.basic(service.url, owner.userId, String(made['key']), String(made['secret']));
	expect((await gone.get('/api/users/me')).status).toBe(401);
	expect((await owner.delete(path)).status).toBe(404);
});
