import { id, makeGrid, object, objects, testService, byKey, last } from '../http';

const columns = { title: { name: 'string' }, count: { name: 'integer' }, done: { name: 'boolean' } };

const { owner } = testService();
let grid: string;
let ids: Record<string, string>;

beforeEach(async () => {
	({ grid, ids } = await makeGrid(
		owner,
		columns,
		`Grid ${expect.getState().currentTestName ?? ''}`.slice(-60),
	));
});

const entities = () => `${grid}/entities`;

test('§4.5 POST /entities: indexed is the default layout; 201, Location, text/plain "Created <path>"', async () => {
	const reply = await owner.post(entities(), { fields: ['a', 1, true] });
	expect(reply.status).toBe(201);
	const location = reply.headers.get('location') ?? '';
	expect(location.startsWith(`${entities()}/`)).toBe(true);
	expect(reply.headers.get('content-type')).toContain('text/plain');
	expect(reply.text).toBe(`Created ${location}`);
	const read = await owner.read(location, byKey);
	expect(read).toMatchObject({ title: 'a', count: 1, done: true, _representation: 'full' });
	expect(read['_id']).toBe(last(location));
});

test('§2.7 the five layouts address the same values: by ID, order, key, ID or key, and name', async () => {
	const title = id(ids, 'title');
	const bodies: Array<[string, unknown]> = [
		['field', { [title]: 'x', [id(ids, 'count')]: 5 }],
		['indexed', { fields: ['x', 5, null] }],
		['key', { title: 'x', count: 5 }],
		['keyAndField', { [title]: 'x', count: 5 }],
		['property', { TITLE: 'x', COUNT: 5 }],
	];
	for (const [layout, body] of bodies) {
		const path = await owner.create(entities(), body, { layout });
		expect(await owner.read(path)).toMatchObject({
			[title]: 'x',
			[id(ids, 'count')]: 5,
			[id(ids, 'done')]: null,
		});
		expect((await owner.read(path, { layout: 'indexed' }))['fields']).toEqual(['x', 5, null]);
		expect(await owner.read(path, { layout: 'keyAndField' })).toMatchObject({
			title: 'x',
			count: 5,
			done: null,
		});
		expect(await owner.read(path, { layout: 'property' })).toMatchObject({
			TITLE: 'x',
			COUNT: 5,
			DONE: null,
		});
	}
});

test('§4.5 POST /entities: a missing body is 400, an empty object creates an entity without values', async () => {
	expect((await owner.post(entities())).status).toBe(400);
	const path = await owner.create(entities(), {}, byKey);
	expect(await owner.read(path, byKey)).toMatchObject({
		title: null,
		count: null,
		done: null,
	});
});

test('§4.5 PUT /entities/{id}: named fields are written, others keep their value, null clears, 200 with the new state', async () => {
	const path = await owner.create(entities(), { title: 'a', count: 1, done: false }, byKey);
	const reply = await owner.put(path, { [id(ids, 'count')]: 2, [id(ids, 'title')]: null });
	expect(reply.status).toBe(200);
	expect(reply.json()).toMatchObject({
		[id(ids, 'title')]: null,
		[id(ids, 'count')]: 2,
		[id(ids, 'done')]: false,
	});
	const indexed = await owner.put(path, { fields: ['b', null, null] }, { layout: 'indexed' });
	expect(indexed.json()['fields']).toEqual(['b', null, null]);
	expect((await owner.patch(path, {})).status).toBe(404);
});

test('§4.5 PUT accepts the response of GET, with its _id and _links', async () => {
	const path = await owner.create(entities(), { fields: ['a', 1, true] });
	const read = await owner.read(path);
	expect((await owner.put(path, { ...read, [id(ids, 'count')]: 7 })).json()).toMatchObject({
		[id(ids, 'count')]: 7,
	});
});

test('§4.5 POST /entities/{id}/update reads keyAndField with any layout', async () => {
	const path = await owner.create(entities(), { fields: ['a', 1, true] });
	const reply = await owner.post(
		`${path}/update`,
		{ title: 'b', [id(ids, 'count')]: 3 },
		{ layout: 'property' },
	);
	expect(reply.status).toBe(200);
	expect(reply.json()).toMatchObject({ TITLE: 'b', COUNT: 3, DONE: true });
});

test('§4.5 DELETE /entities/{id}: 200 with the JSON string deleted, then 404', async () => {
	const path = await owner.create(entities(), { fields: ['a', 1, true] });
	const reply = await owner.delete(path);
	expect(reply.status).toBe(200);
	expect(JSON.parse(reply.text)).toBe('deleted');
	for (const again of [await owner.get(path), await owner.delete(path), await owner.put(path, {})]) {
		expect(again.status).toBe(404);
	}
});

test('§2.2, §4.5 GET /entities: pages in creation order, also after deletions; pageIndex 1 and pageSize 300 by default', async () => {
	const paths: string[] = [];
	for (let n = 0; n < 12; n++) paths.push(await owner.create(entities(), { fields: [`t${n}`, n, null] }));
	await owner.delete(paths[3] ?? '');
	await owner.delete(paths[11] ?? '');
	await owner.create(entities(), { fields: ['last', 99, null] });
	const first = await owner.read(entities(), byKey);
	expect(first).toMatchObject({ page: 1, pageSize: 300, size: 11, numberOfItems: 11, numberOfPages: 1 });
	const counts = [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 99];
	expect(objects(first['items']).map((item) => item['count'])).toEqual(counts);
	expect(objects(first['items'])[0]).toMatchObject({ _representation: 'summary' });
	const third = await owner.read(entities(), { ...byKey, pageSize: '4', pageIndex: '3' });
	expect(third).toMatchObject({ page: 3, pageSize: 4, size: 3, numberOfItems: 11, numberOfPages: 3 });
	expect(objects(third['items']).map((item) => item['count'])).toEqual([9, 10, 99]);
	expect(await owner.read(entities(), { pageIndex: '9' })).toMatchObject({ size: 0, items: [] });
	expect(await owner.read(entities(), { pageSize: '5000' })).toMatchObject({ pageSize: 1000 });
	expect((await owner.get(entities(), { pageIndex: '0' })).status).toBe(400);
});

test('§7 400 of entity bodies: not an indexed entity format, wrong number of values, unknown field, value against its type', async () => {
	const messageOf = async (body: unknown, layout: string) => {
		const reply = await owner.post(entities(), body, { layout });
		expect(reply.status).toBe(400);
		return String(reply.json()['message']);
	};
	expect(await messageOf({ title: 'a' }, 'indexed')).toMatch(/not an indexed entity format/i);
	expect(await messageOf({ fields: ['a'] }, 'indexed')).toContain('expected 3');
	expect(await messageOf({ nope: 'a' }, 'key')).toContain('"nope" in layout key; known: title, count');
	expect(await messageOf({ count: 'many' }, 'key')).toBe(
		'Field "COUNT" (integer) does not accept "many": expected number, received string',
	);
	expect(await messageOf([], 'key')).toContain('object');
	expect((await owner.post(entities(), { fields: ['a', 1, true] }, { layout: 'nope' })).status).toBe(400);
	expect(object(await owner.read(entities()))['numberOfItems']).toBe(0);
});
