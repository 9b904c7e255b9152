import type { Json } from '../http';
import { href, id, makeGrid, object, objects, rels, testService, version2, byKey, last } from '../http';

const { owner } = testService();
let space: string;
let grid: string;
let ids: Record<string, string>;
let rows: string[];
beforeAll(async () => {
	({ space, grid, ids } = await makeGrid(owner, {
		title: { name: 'string' },
		n: { name: 'integer' },
		secret: { name: 'string' },
	}));
	rows = [];
	for (const [title, n, secret] of [['a', 1, 'x'], ['b', 2, 'y'], ['c', 2, 'x'], ['d', 3, 'y']]) {
		rows.push(await owner.create(`${grid}/entities`, { fields: [title, n, secret] }));
	} // prettier-ignore
});

const titles = (page: Json) => objects(page['items']).map((item) => item['title']);
const where = (key: string, operand: unknown) => ({ [id(ids, key)]: operand });
const makeView = (name: string, body: Json = {}) =>
	owner.create(`${grid}/virtualgrids`, {
		name,
		fields: [ids['title'], ids['n']],
		filter: where('n', { $eq: 2 }),
		...body,
	});

test('§2.8, §4.4 POST virtualgrids: 201; the Location is the address of a grid', async () => {
	const view = await makeView('Twos');
	expect(view.startsWith(`${space}/grids/`)).toBe(true);
	const grids = await owner.read(view, undefined, version2);
	expect(grids).toMatchObject({ name: 'Twos', type: 'virtual', metaType: 'grid' });
	expect(objects(grids['fields']).map((field) => field['id'])).toEqual([ids['title'], ids['n']]);
	expect(rels(grids)).toEqual(expect.arrayContaining(['self', 'entities', 'addEntity', 'schema']));
	expect(titles(await owner.read(`${view}/entities`, byKey))).toEqual(['b', 'c']);
	const listed = await owner.items(`${grid}/virtualgrids`);
	expect(listed).toMatchObject([{ name: 'Twos', type: 'virtual', _representation: 'summary' }]);
	expect(listed.map((one) => href(one, 'self'))).toEqual([view]);
});

test('§7 POST virtualgrids: fields and filter are required; unknown fields and operators are refused', async () => {
	const fields = [ids['title']];
	for (const body of [
		{ name: 'V', filter: {} },
		{ name: 'V', fields },
		{ name: 'V', fields: ['nope'], filter: {} },
		{ name: 'V', fields: [ids['title'], ids['title']], filter: {} },
		{ name: 'V', fields, filter: { nope: { $eq: 1 } } },
		{ name: 'V', fields, filter: where('n', { $nope: 1 }) },
		{ name: 'V', fields, filter: {}, sorting: where('n', { $order: 'sideways' }) },
	]) {
		expect((await owner.post(`${grid}/virtualgrids`, body)).status).toBe(400);
	}
});

test('§4.4 PUT a virtual grid: filter, fields and name are required', async () => {
	const view = await makeView('To be replaced');
	const body = { name: 'Replaced', fields: [ids['secret']], filter: {} };
	for (const missing of ['name', 'fields', 'filter']) {
		expect((await owner.put(view, { ...body, [missing]: undefined })).status).toBe(400);
	}
	expect((await owner.put(view, body)).status).toBe(200);
	const page = await owner.read(`${view}/entities`, byKey);
	expect(objects(page['items']).map((item) => item['secret'])).toEqual(['x', 'y', 'x', 'y']);
	expect((await owner.read(view))['name']).toBe('Replaced');
	expect((await owner.put(grid, body)).status).toBe(404);
});

test('§4.4 POST FilterChange replaces the filter of a virtual grid', async () => {
	const view = await makeView('Filtered');
	expect((await owner.post(`${view}/FilterChange`, { filter: where('n', { $eq: 3 }) })).status).toBe(200);
	expect(titles(await owner.read(`${view}/entities`, byKey))).toEqual(['d']);
	expect((await owner.post(`${view}/FilterChange`, {})).status).toBe(400);
	expect((await owner.post(`${grid}/FilterChange`, { filter: {} })).status).toBe(404);
});

test('FilterChange refuses a filter that is too large for a view, as PUT does', async () => {
	const view = await makeView('Too large');
	const filter = where('title', { $eq: 'x'.repeat(100_000) });
	const two = { $and: [filter, filter] };
	expect((await owner.post(`${view}/FilterChange`, { filter: two })).status).toBe(400);
	expect((await owner.post(`${view}/FilterChange`, { filter })).status).toBe(200);
	expect((await owner.put(view, { name: 'Renamed', fields: [], filter: two })).status).toBe(400);
});

test('§4.5 viewId, filter and compose: combined with the filter of the view, or instead of it; hidden fields may be used', async () => {
	const view = await makeView('Composed', { sorting: where('title', { $order: 'descending' }) });
	const viewId = last(view);
	const filter = JSON.stringify(where('secret', { $eq: 'x' }));
	const list = (address: string, query: Record<string, string>) =>
		owner.read(`${address}/entities`, { ...byKey, ...query });
	const found = await list(grid, { viewId });
	expect(titles(found)).toEqual(['c', 'b']);
	expect(objects(found['items'])[0]).not.toHaveProperty('secret');
	for (const [address, query] of [
		[view, {}],
		[grid, { viewId }],
	] as const) {
		// prettier-ignore
		expect(titles(await list(address, { ...query, filter }))).toEqual(['c']);
		expect(titles(await list(address, { ...query, filter, compose: 'true' }))).toEqual(['c']);
		expect(titles(await list(address, { ...query, filter, compose: 'false' }))).toEqual(['c', 'a']);
		expect(
			titles(
				await list(address, { ...query, sorting: JSON.stringify(where('secret', { $order: 'ascending' })) }),
			),
		).toEqual(['c', 'b']);
	}
	expect((await owner.get(`${grid}/entities`, { viewId: 'nope' })).status).toBe(404);
});

test('§4.5 entities below a virtual grid: only its rows and fields', async () => {
	const view = await makeView('Cut');
	const inside = `${view}/entities/${last(rows[1] ?? '')}`;
	const outside = `${view}/entities/${last(rows[0] ?? '')}`;
	const entity = await owner.read(inside, byKey);
	expect(entity).toMatchObject({ title: 'b', n: 2 });
	expect(entity).not.toHaveProperty('secret');
	expect(href(entity, 'update')).toBe(inside);
	expect((await owner.get(outside)).status).toBe(404);
	expect((await owner.put(outside, {})).status).toBe(404);
	expect((await owner.put(inside, { secret: 'z' }, byKey)).status).toBe(400);
	const made = await owner.create(`${view}/entities`, { fields: ['new', 2] });
	expect(await owner.read(made, byKey)).toMatchObject({ title: 'new', n: 2 });
	await owner.delete(made);
});

test('§2.8 sorting by several fields applies them in the given order', async () => {
	const sorting = JSON.stringify({
		...where('n', { $order: 'descending' }),
		...where('title', { $order: 'ascending' }),
	});
	expect(titles(await owner.read(`${grid}/entities`, { layout: 'key', sorting }))).toEqual([
		'd',
		'b',
		'c',
		'a',
	]);
});

test('§4.4 DELETE a virtual grid keeps its grid', async () => {
	const view = await makeView('Short-lived');
	expect((await owner.delete(view)).status).toBe(200);
	expect((await owner.get(view)).status).toBe(404);
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(4);
});

test('§4.4 sviews: create, list (nested), read, change, delete, schema, shares', async () => {
	const view = await makeView('With kanban');
	const body = {
		type: 'kanban',
		properties: { by: ids['n'] },
		slotProperties: { title: { field: ids['title'] } },
	};
	const path = await owner.create(`${grid}/sviews`, body);
	expect(path).toMatch(new RegExp(`^${grid}/sviews/`));
	const below = await owner.create(`${view}/sviews`, { type: 'calendar' });
	expect(await owner.read(path)).toMatchObject({ ...body, _representation: 'full' });
	const listed = async (address: string, query: Record<string, string> = {}) =>
		(await owner.items(`${address}/sviews`, query)).map((one) => href(one, 'self'));
	expect([await listed(grid), await listed(view)]).toEqual([[path], [below]]);
	expect(await listed(grid, { nested: 'true' })).toEqual([path, below]);
	expect((await owner.get(`${grid}/sviews`, { nested: 'perhaps' })).status).toBe(400);
	expect((await owner.patch(path, { type: 'list' })).status).toBe(200);
	expect((await owner.patch(path, { type: 5 })).status).toBe(400);
	expect(await owner.read(path)).toMatchObject({ ...body, type: 'list' });
	const { properties } = await owner.read(`${below}/schema`);
	expect(Object.keys(object(properties))).toEqual([ids['title'], ids['n']]);
	await owner.create(`${path}/shares`, { email: 'eve@example.com', role: 'reader' });
	expect(await owner.read(`${path}/shares`)).toMatchObject({
		numberOfItems: 1,
		items: [{ role: 'reader', emails: ['eve@example.com'] }],
	});
	for (const wrong of [
		{ email: 'eve', role: 'reader' },
		{ email: 'eve@example.com', role: 'king' },
	])
		expect((await owner.post(`${path}/shares`, wrong)).status).toBe(400);
	for (const wrong of [{}, { type: '' }, { type: 'kanban', more: 1 }])
		expect((await owner.post(`${grid}/sviews`, wrong)).status).toBe(400);
	expect((await owner.delete(path)).status).toBe(200);
	for (const reply of [await owner.get(path), await owner.patch(path, {}), await owner.delete(path)])
		expect(reply.status).toBe(404);
});

test('§4.4 forms: a grid has one; submitting it creates an entity, with field IDs as keys in any layout', async () => {
	const [form = {}, ...others] = await owner.items(`${grid}/forms`);
	expect([form, others]).toEqual([expect.objectContaining({ _representation: 'summary', type: 'form' }), []]);
	expect(form).not.toHaveProperty('inputs');
	const path = href(form, 'self');
	const full = await owner.read(path);
	expect(
		objects(full['inputs']).map((input) => [input['type'], input['metaType'], input['formKey']]),
	).toEqual([
		['textInput', 'formInput', ids['title']],
		['integerInput', 'formInput', ids['n']],
		['textInput', 'formInput', ids['secret']],
	]);
	for (const layout of ['field', 'key', 'property', 'indexed', 'keyAndField']) {
		const entity = await owner.create(path, { [id(ids, 'title')]: layout }, { layout });
		expect(await owner.read(entity, byKey)).toMatchObject({ title: layout, n: null });
		await owner.delete(entity);
	}
	expect((await owner.post(path, { title: 'x' }, byKey)).status).toBe(400);
	expect((await owner.post(path)).status).toBe(400);
	expect((await owner.get(`${grid}/forms/nope`)).status).toBe(404);
});

test('the form of a grid has the inputs, order, labels and required marks that its maker chose', async () => {
	const columns = {
		...{ a: { name: 'string' }, b: { name: 'integer' }, c: { name: 'lookup' } },
		d: { name: 'stringcollection' },
	};
	const made = await makeGrid(owner, columns, 'Asked');
	const field = (name: string) => id(made.ids, name);
	const inputs = [
		{ field: field('b'), label: 'How many?', required: true, description: 'At least one' },
		{ field: field('c'), required: true },
		{ field: 'gone' },
	];
	const change = async (form: object) => {
		expect((await owner.patch(made.grid, { properties: { form, other: 1 } })).status).toBe(200);
	};
	await change({ inputs });
	const [form] = await owner.items(`${made.grid}/forms`);
	const path = href(form ?? {}, 'self');
	const shown = async () => objects((await owner.read(path))['inputs']);
	expect(await shown()).toMatchObject([
		{
			formKey: field('b'),
			integerInput: { label: 'How many?', required: true, properties: { description: 'At least one' } },
		},
		{ formKey: field('c'), textInput: { label: 'C', required: false, readonly: true, properties: {} } },
	]);
	const refused = await owner.post(path, {});
	expect(refused.status).toBe(400);
	expect(refused.json()['message']).toContain(`A value for "${field('b')}" is required`);
	expect((await owner.post(path, { [field('b')]: 0 })).status).toBe(201);
	expect((await owner.post(path, { [field('a')]: 'not asked', [field('b')]: 1 })).status).toBe(400);
	await change({ inputs: [{ field: field('d'), required: true }] });
	const answers = [null, [], ['x']].map(async (value) => await owner.post(path, { [field('d')]: value }));
	expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 201]);
	// What is not of this form belongs to somebody else.
	await change({ inputs: 'mine' });
	expect((await shown()).map(({ formKey }) => formKey)).toEqual(['a', 'b', 'c', 'd'].map(field));
});

test.each(['sviews', 'forms', 'virtualgrids'])('§4 GET %s is paged: pageIndex, pageSize', async (list) => {
	const page = await owner.read(`${grid}/${list}`, { pageIndex: '7', pageSize: '2' });
	expect(page).toMatchObject({ page: 7, pageSize: 2, size: 0, items: [] });
	expect((await owner.get(`${grid}/${list}`, { pageIndex: '0' })).status).toBe(400);
});
