import { href, id, makeGrid, object, objects, testService, byKey, last, type Json } from '../http';

const context = testService();
const { owner } = context;

let made = 0;

/** A space in which orders link to customers and to each other, and a row outside of it. */
async function linkedSpace() {
	made += 1;
	const outside = await makeGrid(owner, { name: { name: 'string' } }, `Outside ${made}`);
	const foreign = await owner.create(`${outside.grid}/entities`, { fields: ['foreign'] });
	const orders = await makeGrid(
		owner,
		{
			title: { name: 'string' },
			customer: { name: 'reference' },
			others: { name: 'references' },
			resource: { name: 'resource' },
			page: { name: 'uri' },
		},
		`Orders ${made}`,
	);
	const { space, grid, ids } = orders;
	// Copied after the grid that links to it.
	const customers = await owner.create(`${space}/grids`, { name: `Customers ${made}` });
	const name = last(await owner.create(`${customers}/ColumnAdd`, { name: 'Name', key: 'name', type: { name: 'string' } })); // prettier-ignore
	const all = await owner.view(customers, [name], {}, { name: `All customers ${made}` });
	const ann = await owner.create(`${customers}/entities`, { fields: ['Ann'] });
	const ben = await owner.create(`${customers}/entities`, { fields: ['Ben'] });
	const first = await owner.create(`${grid}/entities`, { fields: ['first', ann, null, null, null] });
	const values = {
		title: 'second',
		customer: owner.url + ben,
		others: [ann, { uri: owner.url + first }, foreign, `${all}/entities/${last(ben)}?layout=key`],
		resource: grid,
		page: `${owner.url}/open${first}`,
	};
	await owner.create(`${grid}/entities`, values, byKey);
	const customer = id(ids, 'customer');
	const shown = [id(ids, 'title')];
	const view = (title: string, filter: Json) => owner.view(grid, shown, filter, { name: `${title} ${made}` });
	await view('Rooted', { [customer]: { $eq: { uri: ann } } });
	await view('Absolute', { [customer]: { $in: [owner.url + ben, foreign] } });
	await view('Nested', { $not: { [customer]: { $eq: ann } } });
	const form = { inputs: [{ field: customer, label: 'Customer', value: { uri: ann } }] };
	await owner.patch(grid, { properties: { form, linkedGrids: { [customer]: customers } } });
	return { space, grid, customers, foreign, all, ann, ben, first, values, customer, form };
}

const gridsOf = async (space: string) => {
	const grids = await owner.items(`${space}/grids`);
	return new Map(grids.map((grid) => [String(grid['name']).replace(/ \d+$/, ''), href(grid, 'self')]));
};
const gridOf = (grids: ReadonlyMap<string, string>, name: string) => id(Object.fromEntries(grids), name);
const rowsOf = (grid: string) => owner.items(`${grid}/entities`, byKey);
const rowOf = async (grid: string, key: string, value: string) =>
	(await rowsOf(grid)).find((row) => row[key] === value) ?? {};
const titlesOf = async (view: string) => (await rowsOf(view)).map((row) => row['title']);

test('§4.3 copy with rows: links lead to the copied rows in cells, lists, filters and forms', async () => {
	const original = await linkedSpace();
	const copy = await owner.create(`${original.space}/copy`, { includeEntities: true });
	const grids = await gridsOf(copy);
	const [orders, customers] = [gridOf(grids, 'Orders'), gridOf(grids, 'Customers')];
	const addressOf = async (grid: string, key: string, value: string) => href(await rowOf(grid, key, value), 'self'); // prettier-ignore
	const [ann, ben] = [await addressOf(customers, 'name', 'Ann'), await addressOf(customers, 'name', 'Ben')];
	const first = await addressOf(orders, 'title', 'first');
	expect(await rowOf(orders, 'title', 'first')).toMatchObject({ customer: { uri: ann } });
	expect(await rowOf(orders, 'title', 'second')).toMatchObject({
		customer: { uri: owner.url + ben },
		others: [
			{ uri: ann },
			{ uri: owner.url + first },
			{ uri: original.foreign },
			{ uri: `${gridOf(grids, 'All customers')}/entities/${last(ben)}?layout=key` },
		],
		resource: { href: orders },
		page: `${owner.url}/open${first}`,
	});
	for (const [view, titles] of [['Rooted', ['first']], ['Absolute', ['second']], ['Nested', ['second']]] as const)
		expect([view, await titlesOf(gridOf(grids, view))]).toEqual([view, titles]); // prettier-ignore
	const { properties } = await owner.read(orders);
	const inputs = objects(object(object(properties)['form'])['inputs']);
	expect(inputs[0]?.['value']).toEqual({ uri: ann });
	expect(Object.values(object(object(properties)['linkedGrids']))).toEqual([customers]);

	// Whoever follows the links of the copy changes the copy.
	const before = [await rowsOf(original.grid), await rowsOf(original.customers)];
	const copied = await rowOf(orders, 'title', 'second');
	const links = [object(copied['customer']), ...objects(copied['others']), object(inputs[0]?.['value'])];
	for (const link of links.filter(({ uri }) => uri !== original.foreign)) {
		const [path = ''] = String(link['uri']).replace(owner.url, '').split('?');
		const [key] = path.startsWith(orders) ? ['title'] : ['name'];
		expect((await owner.put(path, { [key]: 'changed' }, byKey)).status).toBe(200);
	}
	expect((await rowsOf(customers)).map((row) => row['name'])).toEqual(['changed', 'changed']);
	expect([await rowsOf(original.grid), await rowsOf(original.customers)]).toEqual(before);
});

test('§4.3 copy without rows: links to rows are cleared, and the views say so', async () => {
	const original = await linkedSpace();
	const copy = await owner.create(`${original.space}/copy`);
	const grids = await gridsOf(copy);
	const orders = gridOf(grids, 'Orders');
	const { properties, ...rest } = await owner.read(orders);
	expect(JSON.stringify([properties, rest])).not.toContain('/entities/');
	const inputs = objects(object(object(properties)['form'])['inputs']);
	expect(inputs).toMatchObject([{ label: 'Customer', value: { uri: '' } }]);
	for (const name of ['Rooted', 'Absolute', 'Nested']) {
		const view = await owner.read(gridOf(grids, name));
		const problem = /^Field "CUSTOMER" \(reference\) does not accept .*: expected an address$/;
		expect([name, view['problems']]).toEqual([name, [expect.stringMatching(problem)]]);
		expect(JSON.stringify(view['filter'])).not.toContain(last(original.customers));
		// What remains of the filter never shows more than before.
		const customer = (await owner.fields(orders)).find(({ key }) => key === 'customer');
		for (const uri of [original.ann, original.foreign])
			await owner.create(`${orders}/entities`, { [String(customer?.['id'])]: uri }, { layout: 'field' });
		expect((await rowsOf(gridOf(grids, name))).length).toBe(name === 'Absolute' ? 2 : 0);
	}
});
