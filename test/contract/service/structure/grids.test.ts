import { href, id, makeGrid, object, objects, rels, testService, byKey } from '../http';

const context = testService();
const { owner } = context;
let space: string;
beforeAll(async () => {
	space = await owner.create(`${context.home}/spaces`, { name: 'Grids' });
});

test('§2.4, §4.4 POST and GET a grid: every member of the specification, and its links', async () => {
	const icon = { name: 'list', iconset: 'material', color: '#abc' };
	const path = await owner.create(`${space}/grids`, { name: 'Orders', key: 'orders', icon });
	const grid = await owner.read(path);
	expect(grid).toMatchObject({
		_representation: 'full',
		name: 'Orders',
		key: 'orders',
		type: 'persistent',
		metaType: 'grid',
		displayValue: 'Orders',
		icon,
		properties: {},
	});
	expect(rels(grid)).toEqual(
		expect.arrayContaining(['self', 'entities', 'addEntity', 'schema', 'virtualGrids']),
	);
	expect(href(grid, 'self')).toBe(path);
});

test('§2.4, §9 fields are part of the full grid with version 2 only', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'enum', options: ['x', 'y'] } }, 'Versions');
	expect(await owner.read(grid)).not.toHaveProperty('fields');
	expect(
		await owner.read(grid, undefined, { Accept: 'application/vnd.service.hal;version=1' }),
	).not.toHaveProperty('fields');
	const [field, ...more] = await owner.fields(grid);
	expect(more).toEqual([]);
	expect(field).toMatchObject({
		id: ids['a'],
		name: 'A',
		key: 'a',
		description: null,
		type: { name: 'enum', options: ['x', 'y'] },
		schema: { type: 'string', enum: ['x', 'y'] },
	});
	const spaced = { Accept: 'text/html, application/vnd.service.hal; version=2; q=0.9' };
	expect(await owner.read(grid, undefined, spaced)).toHaveProperty('fields');
});

test('§4.4 GET /grids: filtered by type, paged, in summary form', async () => {
	const own = await owner.create(`${context.home}/spaces`, { name: 'Typed' });
	await owner.create(`${own}/grids`, { name: 'One', createView: true });
	const names = async (query: Record<string, string>) =>
		(await owner.items(`${own}/grids`, query)).map((one) => one['name']);
	expect(await names({ type: 'persistent' })).toEqual(['One']);
	expect(await names({ type: 'virtual' })).toEqual(['One view']);
	expect(await names({})).toEqual(['One', 'One view']);
	expect(await names({ pageSize: '1', pageIndex: '2' })).toEqual(['One view']);
	expect((await owner.get(`${own}/grids`, { type: 'other' })).status).toBe(400);
	expect((await owner.items(`${own}/grids`))[0]).toMatchObject({
		_representation: 'summary',
	});
});

test('§4.4 POST /grids createView: the created view shows fields that are added later', async () => {
	const own = await owner.create(`${context.home}/spaces`, { name: 'First views' });
	const grid = await owner.create(`${own}/grids`, { name: 'G', createView: true });
	await owner.create(`${grid}/ColumnAdd`, { name: 'A', type: { name: 'string' } });
	await owner.create(`${grid}/entities`, { fields: ['x'] });
	const [view] = await owner.items(`${grid}/virtualgrids`);
	const page = await owner.read(href(object(view), 'entities'), { layout: 'property' });
	expect(objects(page['items'])).toMatchObject([{ A: 'x' }]);
});

test('§4.4 PATCH and DELETE a grid', async () => {
	const path = await owner.create(`${space}/grids`, { name: 'Old name', key: 'old' });
	expect((await owner.patch(path, { name: 'New name', properties: { p: true } })).status).toBe(200);
	expect(await owner.read(path)).toMatchObject({
		name: 'New name',
		key: 'old',
		properties: { p: true },
	});
	expect((await owner.patch(path, { type: 'virtual' })).status).toBe(400);
	expect((await owner.delete(path)).status).toBe(200);
	expect((await owner.get(path)).status).toBe(404);
});

test('§7, §8 grid name at most 80 and key at most 25 characters, each unique within the space', async () => {
	await owner.create(`${space}/grids`, { name: 'u'.repeat(80), key: 'u'.repeat(25) });
	for (const body of [
		{ name: 'v'.repeat(81) },
		{ name: 'V', key: 'v'.repeat(26) },
		{ name: 'u'.repeat(80) },
		{ name: 'V', key: 'u'.repeat(25) },
		{},
	]) {
		expect((await owner.post(`${space}/grids`, body)).status).toBe(400);
	}
	const other = await owner.create(`${context.home}/spaces`, { name: 'Elsewhere' });
	expect((await owner.post(`${other}/grids`, { name: 'u'.repeat(80), key: 'u'.repeat(25) })).status).toBe(
		201,
	);
});

test('§4.4 GET schema: the fields and their allowed values', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' }, b: { name: 'boolean' } }, 'Schemed');
	const schema = await owner.read(`${grid}/schema`);
	expect(Object.keys(object(schema['properties']))).toEqual([ids['a'], ids['b']]);
	expect(object(schema['properties'])[id(ids, 'b')]).toEqual({
		title: 'B',
		anyOf: [{ type: 'boolean' }, { type: 'null' }],
		'x-key': 'b',
		'x-type': { name: 'boolean' },
	});
});

test('§4.4 POST ColumnAdd: name, key, description, position, type; 201 with the address of the field', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' }, b: { name: 'string' } }, 'Columns');
	const path = await owner.create(`${grid}/ColumnAdd`, {
		name: 'First',
		key: 'first',
		description: 'Why',
		position: 0,
		type: { name: 'date' },
	});
	expect(await owner.read(path)).toMatchObject({
		name: 'First',
		key: 'first',
		description: 'Why',
		type: { name: 'date' },
	});
	const fields = await owner.fields(grid);
	expect(fields.map((field) => field['key'])).toEqual(['first', 'a', 'b']);
	for (const body of [
		{ name: 'First', type: { name: 'string' } },
		{ name: 'X', key: 'first', type: { name: 'string' } },
		{ name: 'X', key: ids['a'], type: { name: 'string' } },
		{ name: '_id', type: { name: 'string' } },
		{ name: 'X', type: { name: 'nonsense' } },
		{ name: 'X' },
		{ name: 'X', type: { name: 'string' }, position: -1 },
	]) {
		expect((await owner.post(`${grid}/ColumnAdd`, body)).status).toBe(400);
	}
});

test('§4.4 ColumnRename, ColumnKeyChange and PATCH fields/{id}: values stay with the field ID', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' }, b: { name: 'string' } }, 'Renames');
	const entity = await owner.create(`${grid}/entities`, { fields: ['x', 'y'] });
	expect((await owner.post(`${grid}/ColumnRename`, { oldName: 'A', newName: 'Title' })).status).toBe(200);
	expect((await owner.post(`${grid}/ColumnKeyChange`, { fieldId: ids['a'], key: 'title' })).status).toBe(200);
	expect(
		(await owner.patch(`${grid}/fields/${ids['b']}`, { name: 'Body', key: 'body', description: 'd' })).status,
	).toBe(200);
	expect(await owner.read(entity, { layout: 'property' })).toMatchObject({ Title: 'x', Body: 'y' });
	expect(await owner.read(entity, byKey)).toMatchObject({ title: 'x', body: 'y' });
	expect(await owner.read(entity)).toMatchObject({ [id(ids, 'a')]: 'x', [id(ids, 'b')]: 'y' });
	const field = `${grid}/fields/${ids['b']}`;
	expect((await owner.patch(field, { type: { name: 'richText' } })).status).toBe(200);
	expect(await owner.read(field)).toMatchObject({
		...{ id: ids['b'], name: 'Body', key: 'body', description: 'd' },
		...{ type: { name: 'richText' }, schema: { type: 'string' } },
	});
	expect((await owner.patch(field, { type: { name: 'nonsense' } })).status).toBe(400);
	expect((await owner.post(`${grid}/ColumnRename`, { oldName: 'Nope', newName: 'X' })).status).toBe(400);
	expect((await owner.post(`${grid}/ColumnRename`, { oldName: 'Title', newName: 'Body' })).status).toBe(400);
	expect((await owner.post(`${grid}/ColumnKeyChange`, { fieldId: 'nope', key: 'x' })).status).toBe(400);
	expect((await owner.get(`${grid}/fields/nope`)).status).toBe(404);
});

test('§4.4 ColumnTypeChange converts unambiguous values and clears the rest, with history', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' } }, 'Types');
	const number = await owner.create(`${grid}/entities`, { fields: ['12'] });
	const word = await owner.create(`${grid}/entities`, { fields: ['twelve'] });
	expect(
		(await owner.post(`${grid}/ColumnTypeChange`, { fieldId: ids['a'], type: { name: 'integer' } })).status,
	).toBe(200);
	expect((await owner.read(number, byKey))['a']).toBe(12);
	expect((await owner.read(word, byKey))['a']).toBeNull();
	const [latest] = await owner.items(`${word}/events`);
	expect(latest).toMatchObject({
		type: 'updated',
		changes: [{ fieldId: ids['a'], oldValue: 'twelve', newValue: null }],
	});
	expect(
		(await owner.post(`${grid}/ColumnTypeChange`, { fieldId: ids['a'], type: { name: 'nope' } })).status,
	).toBe(400);
});

test('§4.4 ColumnRemove removes the field from the schema, the entities and the views that use it', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' }, b: { name: 'string' } }, 'Removals');
	const entity = await owner.create(`${grid}/entities`, { fields: ['x', 'y'] });
	const filter = { $or: [{ [id(ids, 'b')]: { $eq: 'y' } }, { [id(ids, 'a')]: { $eq: 'x' } }] };
	const sorting = { [id(ids, 'b')]: { $order: 'ascending' } };
	const view = await owner.view(grid, [ids['b'], ids['a']], filter, { name: 'Uses B', sorting });
	expect((await owner.post(`${grid}/ColumnRemove`, { fieldId: ids['b'] })).status).toBe(200);
	expect(Object.keys(object((await owner.read(`${grid}/schema`))['properties']))).toEqual([ids['a']]);
	expect((await owner.read(entity, { layout: 'indexed' }))['fields']).toEqual(['x']);
	const shown = await owner.read(`${view}/entities`, byKey);
	expect(objects(shown['items'])).toMatchObject([{ a: 'x' }]);
	expect(objects(shown['items'])[0]).not.toHaveProperty('b');
	expect((await owner.post(`${grid}/ColumnRemove`, { fieldId: ids['b'] })).status).toBe(400);
});

test('a form whose required column was deleted asks for the others, and stores their answers', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' }, b: { name: 'string' } }, 'Asked');
	const inputs = [
		{ field: ids['b'], label: 'B?', required: true },
		{ field: ids['a'], label: 'A?' },
	];
	expect((await owner.patch(grid, { properties: { form: { inputs } } })).status).toBe(200);
	const [form] = await owner.items(`${grid}/forms`);
	const path = href(form ?? {}, 'self');
	const asked = async () =>
		objects((await owner.read(path))['inputs']).map((input) => object(input[String(input['type'])])['label']);
	expect(await asked()).toEqual(['B?', 'A?']);
	expect((await owner.post(path, { [id(ids, 'a')]: 'x' })).status).toBe(400);
	expect((await owner.post(`${grid}/ColumnRemove`, { fieldId: ids['b'] })).status).toBe(200);
	expect(await asked()).toEqual(['A?']);
	expect((await owner.post(path, { [id(ids, 'a')]: 'x' })).status).toBe(201);
	const late = await owner.post(path, { [id(ids, 'a')]: 'y', [id(ids, 'b')]: 'z' });
	expect([late.status, late.json()['details']]).toMatchObject([400, { unknown: ids['b'] }]);
	expect(await owner.items(`${grid}/entities`, byKey)).toMatchObject([{ a: 'x' }]);
});
