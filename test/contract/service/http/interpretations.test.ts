import { id, makeGrid, objects, testService, byKey } from '../http';

const context = testService({ bodyLimit: 64 * 1024 * 1024 });
const { owner } = context;

test('§2.7 indexed: additional members are refused; members that every entity has are ignored', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Indexed');
	const refused = await owner.post(`${grid}/entities`, { fields: ['x'], a: 'y' });
	expect([refused.status, refused.text]).toEqual([
		400,
		expect.stringMatching(/not an indexed entity format/i),
	]);
	const entity = await owner.create(`${grid}/entities`, { fields: ['x'] });
	const read = await owner.read(entity, { layout: 'indexed' });
	expect((await owner.put(entity, read, { layout: 'indexed' })).status).toBe(200);
});

test('§2.7 keyAndField: a field given by both key and ID is refused', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' }, b: { name: 'string' } }, 'Mixed');
	const entity = await owner.create(`${grid}/entities`, { fields: ['x', 'y'] });
	const twice = { a: 'one', [id(ids, 'a')]: 'two' };
	expect((await owner.post(`${entity}/update`, twice)).status).toBe(400);
	expect((await owner.put(entity, twice, { layout: 'keyAndField' })).status).toBe(400);
	const mixed = await owner.post(`${entity}/update`, { a: 'one', [id(ids, 'b')]: 'two' });
	expect([mixed.status, (await owner.read(entity, { layout: 'indexed' }))['fields']]).toEqual([200, ['one', 'two']]); // prettier-ignore
});

test('§8 has no limit for columns, descriptions and access keys: long ones are accepted', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Long');
	const name = 'n'.repeat(500);
	const body = { name, key: name, description: 'd'.repeat(50_000), type: { name: 'string' } };
	const field = await owner.create(`${grid}/ColumnAdd`, body);
	expect(await owner.read(field)).toMatchObject(body);
	const space = grid.replace(/\/grids.*/, '');
	const uploaded = await owner.create(`${space}/uploadCSV`, { name: 'Long header', file: `${name}\nx\n` });
	const page = await owner.read(`${uploaded}/entities`, { layout: 'property' });
	expect(objects(page['items'])[0]?.[name]).toBe('x');
	for (const header of ['cut\u0000here', 'half \ud83d', 'n'.repeat(1001)])
		expect((await owner.post(`${space}/uploadCSV`, { name: 'No', file: `${header}\nx\n` })).status).toBe(400);
	expect((await owner.post(`${context.home}/accessKeys`, { name, role: 'reader' })).status).toBe(201);
});

const lines = (count: number) => Array.from({ length: count }, (_, n) => `${n},${n}`).join('\n');

test('an upload into a space that is deleted meanwhile leaves nothing', async () => {
	const space = await owner.create(`${context.home}/spaces`, { name: 'Going' });
	const uploading = owner.post(`${space}/uploadCSV`, { name: 'Late', file: `a,b\n${lines(20_000)}\n` });
	while ((await owner.get('/api/version')).status !== 200) await new Promise(setImmediate);
	expect((await owner.delete(space)).status).toBe(200);
	expect([201, 404]).toContain((await uploading).status);
	expect((await owner.get(space)).status).toBe(404);
	expect((await owner.get(context.home)).status).toBe(200);
});

test('a copy of a space that is being written is a consistent snapshot', async () => {
	const { space, grid } = await makeGrid(owner, { a: { name: 'integer' }, b: { name: 'integer' } }, 'Pairs');
	const rows: string[] = [];
	for (let n = 0; n < 300; n++) rows.push(await owner.create(`${grid}/entities`, { fields: [0, 0] }));
	let copying = true;
	const writer = async () => {
		for (let n = 1; copying; n++) {
			const row = rows[n % rows.length] ?? '';
			await owner.put(row, { a: n, b: n }, byKey);
		}
	};
	const writing = [writer(), writer(), writer()];
	const copies = [];
	for (let n = 0; n < 5; n++) copies.push(await owner.create(`${space}/copy`, { name: `Copy ${n}`, includeEntities: true })); // prettier-ignore
	copying = false;
	await Promise.all(writing);
	for (const copy of copies) {
		const [pairs] = await owner.items(`${copy}/grids`);
		const path = `${copy}/grids/${String(pairs?.['id'])}/entities`;
		const items = await owner.items(path, { ...byKey, pageSize: '1000' });
		expect(items).toHaveLength(300);
		expect(items.filter((item) => item['a'] !== item['b'])).toEqual([]);
	}
});
