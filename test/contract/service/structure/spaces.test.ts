import { href, makeGrid, object, objects, rels, testService, byKey } from '../http';

const context = testService();
const { owner } = context;
let spaces: string;
beforeAll(() => {
	spaces = `${context.home}/spaces`;
});

test('§2.3, §4.3 POST and GET a space: 201 with Location; the full form has every member of the specification', async () => {
	const icon = { name: 'truck', iconset: 'material', color: '#123456' };
	const path = await owner.create(spaces, { name: 'Warehouse', key: 'wh', belongsTo: 'org-1', icon });
	const space = await owner.read(path);
	expect(space).toMatchObject({
		_representation: 'full',
		name: 'Warehouse',
		key: 'wh',
		belongsTo: 'org-1',
		type: 'space',
		metaType: 'space',
		displayValue: 'Warehouse',
		spaceIcon: icon,
		icon: 'truck',
		iconset: 'material',
		color: '#123456',
		properties: {},
		_embedded: { invitations: [] },
	});
	expect([typeof space['plan'], typeof space['availableSeats']]).toEqual(['string', 'number']);
	expect(String(space['createdAt'])).toMatch(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/);
	expect(rels(space)).toEqual(expect.arrayContaining(['self', 'grids', 'addGrid', 'shares', 'blocks']));
	expect(href(space, 'self')).toBe(path);
});

test('§4.3 POST /spaces: the default name is Space; the key is derived from the name', async () => {
	const path = await owner.create(spaces);
	expect(await owner.read(path)).toMatchObject({ name: 'Space', key: 'space' });
});

test('§2.2, §2.3 GET /spaces: a paged collection of summaries, which lack properties, createdAt, plan and availableSeats', async () => {
	await owner.create(spaces, { name: 'Listed' });
	const list = await owner.read(spaces, { pageSize: '1' });
	expect(list).toMatchObject({ page: 1, pageSize: 1, size: 1 });
	expect(Number(list['numberOfItems'])).toBeGreaterThan(1);
	expect(list['numberOfPages']).toBe(list['numberOfItems']);
	const [summary] = objects(list['items']);
	expect(summary).toMatchObject({ _representation: 'summary', type: 'space' });
	for (const absent of ['properties', 'createdAt', 'plan', 'availableSeats'])
		expect(summary).not.toHaveProperty(absent);
	const next = await owner.read(href(list, 'next'));
	expect(next).toMatchObject({ page: 2, pageSize: 1 });
});

test('the links of a list keep a question mark within its query', async () => {
	for (const name of ['Asked', 'Asked again'])
		await owner.create(spaces, { name, properties: { note: 'why?' } });
	const list = await owner.read(`${spaces}?pageSize=1&matching=note,why?`);
	expect(list).toMatchObject({ numberOfItems: 2, items: [{ name: 'Asked' }] });
	const next = await owner.read(href(list, 'next'));
	expect(next).toMatchObject({ page: 2, numberOfItems: 2, items: [{ name: 'Asked again' }] });
});

test('§4.3 PATCH a space: 200 with an empty object; other members are unchanged', async () => {
	const path = await owner.create(spaces, { name: 'Before', key: 'before' });
	const reply = await owner.patch(path, { name: 'After', properties: { a: 1 }, belongsTo: null });
	expect(reply.status).toBe(200);
	expect(reply.json()).toEqual({});
	expect(await owner.read(path)).toMatchObject({
		name: 'After',
		key: 'before',
		properties: { a: 1 },
		belongsTo: null,
	});
	expect((await owner.patch(path, { colour: 'red' })).status).toBe(400);
});

test('§7, §8 space name at most 80 and key at most 25 characters, each unique within the account', async () => {
	await owner.create(spaces, { name: 'n'.repeat(80), key: 'k'.repeat(25) });
	for (const body of [
		{ name: 'm'.repeat(81) },
		{ name: 'Other', key: 'o'.repeat(26) },
		{ name: 'n'.repeat(80), key: 'fresh' },
		{ name: 'Fresh', key: 'k'.repeat(25) },
		{ name: '' },
	]) {
		expect((await owner.post(spaces, body)).status).toBe(400);
	}
	const path = await owner.create(spaces, { name: 'Renamed' });
	expect((await owner.patch(path, { name: 'n'.repeat(80) })).status).toBe(400);
	expect((await owner.patch(path, { name: 'Renamed' })).status).toBe(200);
});

test('§8 names stay unique under concurrent requests', async () => {
	const replies = await Promise.all(
		Array.from({ length: 20 }, () => owner.post(spaces, { name: 'Raced', key: 'raced' })),
	);
	expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
	expect(replies.filter((reply) => reply.status === 400)).toHaveLength(19);
});

test('§4.3 DELETE a space deletes it with its contents', async () => {
	const { space, grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Doomed');
	const entity = await owner.create(`${grid}/entities`, { fields: ['x'] });
	expect((await owner.delete(space)).status).toBe(200);
	for (const path of [space, grid, entity, `${grid}/forms`, `${grid}/schema`])
		expect((await owner.get(path)).status).toBe(404);
	expect((await owner.delete(space)).status).toBe(404);
});

test('§4.3 POST copy: structure only, or with entities; field IDs are new, and the copied views use them', async () => {
	const { space, grid, ids } = await makeGrid(
		owner,
		{ a: { name: 'string' }, n: { name: 'integer' } },
		'Original',
	);
	await owner.create(`${grid}/entities`, { fields: ['x', 1] });
	await owner.create(`${grid}/entities`, { fields: ['y', 2] });
	const filter = { [String(ids['n'])]: { $eq: 2 } };
	await owner.create(`${grid}/virtualgrids`, { name: 'Twos', fields: [ids['a']], filter });
	const contentsOf = async (copy: string) => {
		const grids = await owner.items(`${copy}/grids`);
		const rows = grids.map(async (one) => {
			const page = await owner.read(href(one, 'entities'), byKey);
			return [one['name'], one['type'], objects(page['items']).map((row) => row['a'])];
		});
		return await Promise.all(rows);
	};
	const bare = await owner.create(`${space}/copy`, { name: 'Bare' });
	expect(await contentsOf(bare)).toEqual([['Original', 'persistent', []], ['Twos', 'virtual', []]]); // prettier-ignore
	const whole = await owner.create(`${space}/copy`, { name: 'Whole', includeEntities: true });
	expect(await contentsOf(whole)).toEqual([['Original', 'persistent', ['x', 'y']], ['Twos', 'virtual', ['y']]]); // prettier-ignore
	expect((await owner.post(`${space}/copy`, { name: 'Whole' })).status).toBe(400);
});

test('§4.3, §7 GET resources: types is required and validated; returns type and href of each', async () => {
	const { space, grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Resourceful');
	const entity = await owner.create(`${grid}/entities`, { fields: ['x'] });
	expect((await owner.get(`${space}/resources`)).status).toBe(400);
	expect((await owner.get(`${space}/resources`, { types: 'grid,nonsense' })).status).toBe(400);
	const list = await owner.read(`${space}/resources`, {
		types: 'grid,entity,flow node,form,field,space,user',
	});
	const found = objects(list['items']);
	expect(found).toContainEqual({ type: 'grid', href: grid });
	expect(found).toContainEqual({ type: 'entity', href: entity });
	expect(found).toContainEqual({ type: 'space', href: space });
	expect(found.map((one) => one['type'])).toEqual(['grid', 'entity', 'form', 'field', 'space', 'user']);
	for (const one of found) expect((await owner.get(String(one['href']))).status).toBe(200);
	const second = await owner.read(`${space}/resources`, {
		types: 'grid,entity',
		pageSize: '1',
		pageIndex: '2',
	});
	expect(second).toMatchObject({ numberOfItems: 2, items: [{ type: 'entity', href: entity }] });
});

test('§4.3 shares: GET and POST; a second share for the same address replaces the role', async () => {
	const space = await owner.create(spaces, { name: 'Shared' });
	const path = await owner.create(`${space}/shares`, { email: 'Ann@Example.com', role: 'reader' });
	expect(await owner.read(path)).toMatchObject({
		role: 'reader',
		emails: ['ann@example.com'],
		users: [],
	});
	await owner.create(`${space}/shares`, { email: 'ann@example.com', role: 'writer' });
	const list = await owner.items(`${space}/shares`);
	expect(list.map((share) => share['role'])).toEqual(['writer']);
	for (const body of [
		{ email: 'no address', role: 'reader' },
		{ email: 'a@example.com', role: 'king' },
		{ role: 'reader' },
	]) {
		expect((await owner.post(`${space}/shares`, body)).status).toBe(400);
	}
	expect((await owner.delete(path)).status).toBe(200);
	expect(await owner.read(`${space}/shares`)).toMatchObject({ numberOfItems: 0 });
});

test('§2.1, §4.3 invite and invitations: an open invitation is listed, and embedded in the space', async () => {
	const space = await owner.create(spaces, { name: 'Inviting' });
	await owner.create(`${space}/shares`, { email: 'quiet@example.com', role: 'reader' });
	await owner.create(`${space}/invite`, { email: 'new@example.com', role: 'writer' });
	const open = await owner.items(`${space}/invitations`);
	expect(open).toMatchObject([{ email: 'new@example.com', role: 'writer' }]);
	const embedded = object((await owner.read(space))['_embedded'])['invitations'];
	expect(embedded).toMatchObject([{ email: 'new@example.com' }]);
});
