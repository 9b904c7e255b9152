import { href, id, makeGrid, testService, byKey } from '../http';

const { owner } = testService({ now: () => time });
const time = Date.UTC(2027, 2, 1);
let grid: string;
let space: string;
let ids: Record<string, string>;

beforeEach(async () => {
	const columns = { title: { name: 'string' }, n: { name: 'integer' }, last: { name: 'string' } };
	({ grid, space, ids } = await makeGrid(owner, columns));
	await owner.create(`${grid}/entities`, { title: 'One', n: 1 }, byKey);
	await owner.create(`${grid}/entities`, { title: 'Two', n: 2 }, byKey);
});
afterEach(() => owner.delete(space));

const keysOf = async () => (await owner.fields(grid)).map(({ key }) => key);

test('a removed field is restored at its place, with the values of the rows that were changed since', async () => {
	const [first] = await owner.items(`${grid}/entities`, byKey);
	await owner.post(`${grid}/ColumnRemove`, { fieldId: id(ids, 'n') });
	await owner.put(href(first ?? {}, 'update'), { title: 'Uno' }, byKey);
	const [removed = {}, ...others] = await owner.items(`${grid}/removedFields`);
	expect([removed['name'], others]).toEqual(['N', []]);
	expect((await owner.post(href(removed, 'restore'))).status).toBe(200);
	expect(await keysOf()).toEqual(['title', 'n', 'last']);
	expect(await owner.items(`${grid}/entities`, byKey)).toMatchObject([
		{ title: 'Uno', n: 1 },
		{ title: 'Two', n: 2 },
	]);
	expect(await owner.items(`${grid}/removedFields`)).toEqual([]);
	expect((await owner.post(href(removed, 'restore'), {})).status).toBe(404);
});

test('a removed field is not restored beside another one of its name', async () => {
	await owner.post(`${grid}/ColumnRemove`, { fieldId: id(ids, 'n') });
	await owner.create(`${grid}/ColumnAdd`, { name: 'N', key: 'm', type: { name: 'string' } });
	const [removed = {}] = await owner.items(`${grid}/removedFields`);
	expect((await owner.post(href(removed, 'restore'), {})).status).toBe(400);
	expect(await keysOf()).toEqual(['title', 'last', 'm']);
});

test('§2.7 a removed field is not restored if its ID has become the key of another one', async () => {
	await owner.post(`${grid}/ColumnRemove`, { fieldId: id(ids, 'n') });
	await owner.post(`${grid}/ColumnKeyChange`, { fieldId: id(ids, 'last'), key: id(ids, 'n') });
	const [removed = {}] = await owner.items(`${grid}/removedFields`);
	expect((await owner.post(href(removed, 'restore'), {})).status).toBe(400);
});

test('a discarded grid is gone for all addresses, and restored with rows, views and links', async () => {
	const fields = [id(ids, 'title')];
	const view = await owner.create(`${grid}/virtualgrids`, { name: 'Few', fields, filter: {} });
	const link = await owner.create(`${grid}/links`, { kind: 'view' });
	expect((await owner.post(`${view}/discard`, {})).status).toBe(400);
	expect((await owner.post(`${grid}/discard`)).status).toBe(200);
	for (const path of [grid, view, `${grid}/entities`, `${grid}/updates?since=2020-01-01T00:00:00Z`, link])
		expect([path, (await owner.get(path)).status]).toEqual([path, 404]);
	expect(await owner.items(`${space}/grids`)).toEqual([]);
	// Its names are free for others meanwhile.
	await owner.create(`${space}/grids`, { name: 'Few' });
	const [discarded = {}] = await owner.items(`${space}/discardedGrids`);
	expect(discarded).toMatchObject({ name: 'Things' });
	expect((await owner.post(href(discarded, 'restore'))).status).toBe(200);
	expect(await owner.items(`${grid}/entities`, byKey)).toMatchObject([{ n: 1 }, { n: 2 }]);
	expect(await owner.read(view)).toMatchObject({ name: 'Few view', type: 'virtual' });
	expect((await owner.get(link)).status).toBe(200);
	expect(await owner.items(`${space}/discardedGrids`)).toEqual([]);
	expect((await owner.post(href(discarded, 'restore'), {})).status).toBe(404);
});

test('a discarded grid is not restored beside another one of its name, and deleted with its space', async () => {
	await owner.post(`${grid}/discard`, {});
	await owner.create(`${space}/grids`, { name: 'Things' });
	const [discarded = {}] = await owner.items(`${space}/discardedGrids`);
	expect((await owner.post(href(discarded, 'restore'), {})).status).toBe(400);
	expect((await owner.delete(space)).status).toBe(200);
	({ grid, space } = await makeGrid(owner, { title: { name: 'string' } }));
	expect(await owner.items(`${space}/discardedGrids`)).toEqual([]);
});
