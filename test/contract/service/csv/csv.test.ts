import { id, makeGrid, objects, testService, last, byKey } from '../http';

const { owner } = testService();

test('§4.4 GET csv: a file download with every entity', async () => {
	const { grid } = await makeGrid(owner, {
		t: { name: 'string' },
		n: { name: 'integer' },
		l: { name: 'stringcollection' },
	});
	await owner.create(`${grid}/entities`, { fields: ['plain', 1, null] });
	await owner.create(`${grid}/entities`, { fields: ['with "quotes", comma\nand line', 2, ['a', 'b']] });
	const reply = await owner.get(`${grid}/csv`);
	expect(reply.status).toBe(200);
	expect(reply.headers.get('content-type')).toBe('application/octet-stream');
	expect(reply.headers.get('content-disposition')).toBe('attachment; filename="service-export.csv"');
	expect(reply.text).toBe('T,N,L\nplain,1,\n"with ""quotes"", comma\nand line",2,"[""a"",""b""]"\n');
});

test('§4.4, §8 GET query: text search; 50 a page by default; values of the first four fields of the schema', async () => {
	const text = { name: 'string' };
	const { grid, ids } = await makeGrid(
		owner,
		{ a: text, b: text, c: { name: 'integer' }, d: text, e: text },
		'Searched',
	);
	await owner.create(`${grid}/entities`, { fields: ['Apfel', 'x', 1, null, null] });
	await owner.create(`${grid}/entities`, { fields: ['Birne', 'y', 42, null, 'hidden apfel'] });
	await owner.create(`${grid}/entities`, { fields: ['GRÜN', 'z', 3, null, null] });
	const search = (query: Record<string, string>) => owner.read(`${grid}/query`, { ...byKey, ...query });
	const found = async (query: Record<string, string>) =>
		objects((await search(query))['items']).map((item) => item['a']);
	expect(await found({ matching: 'APFEL' })).toEqual(['Apfel', 'Birne']);
	expect(await found({ matching: 'grün' })).toEqual(['GRÜN']);
	expect(await found({ matching: '42' })).toEqual(['Birne']);
	expect(await found({ matching: 'nowhere' })).toEqual([]);
	const all = await search({});
	expect(all).toMatchObject({ pageSize: 50, numberOfItems: 3 });
	const [item] = objects(all['items']);
	expect(Object.keys(item ?? {})).toEqual(['_id', '_representation', 'a', 'b', 'c', 'd', '_links']);
	const view = await owner.view(grid, [ids['a']], { [id(ids, 'c')]: { $eq: 42 } }, { name: 'Only 42' });
	expect(await found({ viewId: last(view) })).toEqual(['Birne']);
	expect(await found({ matching: '%' })).toEqual([]);
});
