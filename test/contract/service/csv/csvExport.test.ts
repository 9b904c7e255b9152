import { fieldIds, id, makeGrid, startWithOwner, testService, uploadGrid } from '../http';

const { owner } = testService();
let grid: string;
let ids: Record<string, string>;
beforeAll(async () => {
	({ grid, ids } = await makeGrid(owner, { t: { name: 'string' }, n: { name: 'integer' } }));
	for (const fields of [['b', 2], ['a', 3], ['c', 1]]) await owner.create(`${grid}/entities`, { fields }); // prettier-ignore
});

const csv = (address: string, query: Record<string, unknown>) =>
	owner.get(
		`${address}/csv`,
		Object.fromEntries(Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)])),
	);

test('an export accepts filter, sorting and columns', async () => {
	const [t, n] = [id(ids, 't'), id(ids, 'n')];
	expect((await csv(grid, { filter: { [n]: { $gte: 2 } } })).text).toBe('T,N\nb,2\na,3\n');
	expect((await csv(grid, { sorting: { [n]: { $order: 'descending' } } })).text).toBe('T,N\na,3\nb,2\nc,1\n');
	expect((await csv(grid, { fields: [n, t], filter: { [t]: { $eq: 'c' } } })).text).toBe('N,T\n1,c\n');
	expect((await csv(grid, { fields: [] })).status).toBe(200);
});

test('an export of a virtual grid applies its filter, and its sorting unless the query has another', async () => {
	const [t, n] = [id(ids, 't'), id(ids, 'n')];
	const view = await owner.view(
		grid,
		[t],
		{ [n]: { $gte: 2 } },
		{ name: 'Cut', sorting: { [n]: { $order: 'descending' } } },
	);
	expect((await csv(view, {})).text).toBe('T\na\nb\n');
	expect((await csv(view, { filter: { [n]: { $lte: 2 } } })).text).toBe('T\nb\n');
	expect((await csv(view, { sorting: { [t]: { $order: 'descending' } } })).text).toBe('T\nb\na\n');
	const hidden = await csv(view, { fields: [n] });
	expect([hidden.status, hidden.json()['message']]).toEqual([400, `Unknown field "${n}"`]);
});

test('invalid options of an export respond with 400', async () => {
	const t = id(ids, 't');
	for (const query of [{ fields: ['x'] }, { fields: [t, t] }, { filter: { x: { $eq: 1 } } }, { sorting: { x: { $order: 'ascending' } } }]) // prettier-ignore
		expect([query, (await csv(grid, query)).status]).toEqual([query, 400]);
	expect((await owner.get(`${grid}/csv`, { filter: '{' })).status).toBe(400);
});

test('an export that is refused before its first row responds with an error, not with a cut file', async () => {
	const { service, owner: other } = await startWithOwner({ statementMs: 0 });
	const { space } = await makeGrid(other, {});
	const file = `a,b\n${'1,2\n'.repeat(3000)}`;
	const large = await uploadGrid(other, space, { name: 'Large', file });
	const fields = Object.values(await fieldIds(other, large, 'key'));
	const order = fields.map((field) => [field, { $order: 'ascending' }]);
	const sorting = JSON.stringify(Object.fromEntries(order));
	expect((await other.get(`${large}/csv`, { sorting })).status).toBe(503);
	await service.stop();
});
