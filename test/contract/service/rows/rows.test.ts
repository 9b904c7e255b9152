import { href, id, makeGrid, object, objects, startWithOwner, type Caller, type Json } from '../http';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
let space: string;
let grid: string;
let view: string;
let ids: Record<string, string>;

beforeAll(async () => {
	context = await startWithOwner();
	owner = context.owner;
	({ space, grid, ids } = await makeGrid(owner, { title: { name: 'string' }, n: { name: 'integer' } }));
	view = await owner.create(`${grid}/virtualgrids`, { name: 'Titles', fields: [ids['title']], filter: {} });
});
afterAll(() => context.service.stop());

const items = async (path: string, query?: Record<string, string>) =>
	objects((await owner.get(path, query)).json()['items']);
const selves = (list: readonly Json[]) => list.map((one) => href(one, 'self'));

test('§4.4 GET fields/{fieldId}: one field, with its type and the schema of its values', async () => {
	const path = `${grid}/fields/${id(ids, 'n')}`;
	expect((await owner.get(path)).json()).toMatchObject({
		id: ids['n'],
		name: 'N',
		key: 'n',
		description: null,
		type: { name: 'integer' },
		schema: { type: 'integer' },
	});
	expect((await owner.get(`${grid}/fields/nope`)).status).toBe(404);
});

test('§4.4 PATCH fields/{fieldId}: any of name, key, description, type; other members are unchanged', async () => {
	const path = await owner.create(`${grid}/ColumnAdd`, {
		name: 'Extra',
		key: 'extra',
		type: { name: 'string' },
	});
	const steps = [
		{ name: 'Other' },
		{ key: 'other' },
		{ description: 'Why it is there' },
		{ type: { name: 'boolean' } },
	];
	let expected: Json = { name: 'Extra', key: 'extra', description: null, type: { name: 'string' } };
	for (const step of steps) {
		expect((await owner.patch(path, step)).status).toBe(200);
		expected = { ...expected, ...step };
		expect((await owner.get(path)).json()).toMatchObject(expected);
	}
	expect((await owner.patch(path, { type: { name: 'nonsense' } })).status).toBe(400);
	await owner.post(`${grid}/ColumnRemove`, { fieldId: path.split('/').pop() });
});

test('§4.4 GET virtualgrids: the views of a grid', async () => {
	const list = await items(`${grid}/virtualgrids`);
	expect(list).toMatchObject([{ name: 'Titles', type: 'virtual', _representation: 'summary' }]);
	expect(selves(list)).toEqual([view]);
});

test('§4.4 POST sviews: type, properties and slotProperties; 201 with its address', async () => {
	const body = { type: 'kanban', properties: { by: ids['n'] }, slotProperties: { title: ids['title'] } };
	const path = await owner.create(`${grid}/sviews`, body);
	expect(path).toMatch(new RegExp(`^${grid}/sviews/`));
	expect((await owner.get(path)).json()).toMatchObject(body);
	for (const wrong of [{}, { type: '' }, { type: 'kanban', more: 1 }])
		expect((await owner.post(`${grid}/sviews`, wrong)).status).toBe(400);
	await owner.delete(path);
});

test('§4.4 GET sviews: those of the grid, with nested=true also those of its virtual grids', async () => {
	const own = await owner.create(`${grid}/sviews`, { type: 'kanban' });
	const below = await owner.create(`${view}/sviews`, { type: 'calendar' });
	expect(selves(await items(`${grid}/sviews`))).toEqual([own]);
	expect(selves(await items(`${grid}/sviews`, { nested: 'true' }))).toEqual([own, below]);
	expect(selves(await items(`${view}/sviews`))).toEqual([below]);
	expect((await owner.get(`${grid}/sviews`, { nested: 'perhaps' })).status).toBe(400);
	await owner.delete(own);
	await owner.delete(below);
});

test('§4.4 GET, PATCH, DELETE sviews/{sview}: read, change, delete', async () => {
	const path = await owner.create(`${grid}/sviews`, { type: 'kanban', properties: { a: 1 } });
	expect((await owner.get(path)).json()).toMatchObject({ _representation: 'full', type: 'kanban' });
	expect((await owner.patch(path, { slotProperties: { b: 2 } })).status).toBe(200);
	expect((await owner.get(path)).json()).toMatchObject({ properties: { a: 1 }, slotProperties: { b: 2 } });
	expect((await owner.patch(path, { type: 5 })).status).toBe(400);
	expect((await owner.delete(path)).status).toBe(200);
	for (const reply of [await owner.get(path), await owner.patch(path, {}), await owner.delete(path)])
		expect(reply.status).toBe(404);
});

test('§4.4 GET sviews/{sview}/schema: the schema of the entities of that view', async () => {
	const path = await owner.create(`${view}/sviews`, { type: 'calendar' });
	const { properties } = (await owner.get(`${path}/schema`)).json();
	expect(Object.keys(object(properties))).toEqual([ids['title']]);
	await owner.delete(path);
});

test('§4.4 GET, POST sviews/{sview}/shares: view shares', async () => {
	const path = await owner.create(`${grid}/sviews`, { type: 'kanban' });
	await owner.create(`${path}/shares`, { email: 'eve@example.com', role: 'reader' });
	expect(await items(`${path}/shares`)).toMatchObject([{ role: 'reader', emails: ['eve@example.com'] }]);
	expect((await owner.post(`${path}/shares`, { email: 'eve', role: 'reader' })).status).toBe(400);
	expect((await owner.post(`${path}/shares`, { email: 'eve@example.com', role: 'king' })).status).toBe(400);
	await owner.delete(path);
});

test('§4.4 GET forms: the forms of the grid', async () => {
	const list = await items(`${grid}/forms`);
	expect(list).toMatchObject([{ _representation: 'summary', type: 'form' }]);
	expect(list[0]).not.toHaveProperty('inputs');
});

test('§4.4 GET forms/{formId}: one form, with an input for each field', async () => {
	const [form] = await items(`${grid}/forms`);
	const { inputs } = (await owner.get(href(form ?? {}, 'self'))).json();
	expect(objects(inputs).map((input) => [input['type'], input['formKey']])).toEqual([
		['textInput', ids['title']],
		['integerInput', ids['n']],
	]);
	expect((await owner.get(`${grid}/forms/nope`)).status).toBe(404);
});

test('§4.4 POST forms/{formId}: creates an entity; the keys are field IDs in any layout', async () => {
	const [form] = await items(`${grid}/forms`);
	const path = href(form ?? {}, 'self');
	for (const layout of ['field', 'key', 'property', 'indexed', 'keyAndField']) {
		const entity = await owner.create(path, { [id(ids, 'title')]: layout }, { layout });
		expect((await owner.get(entity, { layout: 'key' })).json()).toMatchObject({ title: layout, n: null });
	}
	expect((await owner.post(path, { title: 'by key' }, { layout: 'key' })).status).toBe(400);
});

test('the form of a grid has the inputs, order, labels and required marks that its maker chose', async () => {
	const columns = { a: { name: 'string' }, b: { name: 'integer' }, c: { name: 'lookup' } };
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
	const [form] = await items(`${made.grid}/forms`);
	const path = href(form ?? {}, 'self');
	const shown = async () => objects((await owner.get(path)).json()['inputs']);
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
	// What is not of this form belongs to somebody else.
	await change({ inputs: 'mine' });
	expect((await shown()).map(({ formKey }) => formKey)).toEqual(['a', 'b', 'c'].map(field));
});

test('§4.3 GET invitations: open invitations only', async () => {
	await owner.create(`${space}/invite`, { email: 'new@example.com', role: 'creator' });
	expect(await items(`${space}/invitations`)).toMatchObject([{ email: 'new@example.com', role: 'creator' }]);
	// A share without an invitation is not listed.
	await owner.create(`${space}/shares`, { email: 'other@example.com', role: 'reader' });
	expect(await items(`${space}/invitations`)).toHaveLength(1);
});

test.each(['sviews', 'forms', 'virtualgrids'])('§4 GET %s is paged: pageIndex, pageSize', async (list) => {
	const page = (await owner.get(`${grid}/${list}`, { pageIndex: '7', pageSize: '2' })).json();
	expect(page).toMatchObject({ page: 7, pageSize: 2, size: 0, items: [] });
	expect((await owner.get(`${grid}/${list}`, { pageIndex: '0' })).status).toBe(400);
});
