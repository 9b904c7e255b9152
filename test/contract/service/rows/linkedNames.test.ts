import { byKey, id, last, makeGrid, testService, type Json } from '../http';

const { owner, anonymous } = testService();

/** Companies, and orders that link to them. */
async function orders(name: string) {
	const { space, grid, ids } = await makeGrid(
		owner,
		{ title: { name: 'string' }, company: { name: 'reference' }, others: { name: 'references' } },
		name,
	);
	const companies = await owner.create(`${space}/grids`, { name: 'Companies' });
	const companyName = last(await owner.create(`${companies}/ColumnAdd`, { name: 'Name', key: 'name', type: { name: 'string' } })); // prettier-ignore
	const add = (company: string) => owner.create(`${companies}/entities`, { name: company }, byKey);
	const [zorn, mueller, abt] = [await add('Zorn'), await add('Müller AG'), await add('Abt')];
	const rows = [
		{ title: 'first', company: { uri: zorn }, others: [{ uri: abt }, { uri: mueller }] },
		{ title: 'second', company: { uri: owner.url + mueller } },
		{ title: 'third', company: { uri: abt } },
		{ title: 'blank' },
		{ title: 'lost', company: { uri: 'Müller' } },
	];
	for (const row of rows) await owner.create(`${grid}/entities`, row, byKey);
	return { space, grid, ids, companies, companyName, mueller, abt };
}

const search = (text: string, ...fields: string[]) => ({ $search: { text, fields } });
const titles = async (grid: string, query: { filter?: Json; sorting?: Json }, caller = owner) => {
	const given = Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)] as const);
	const asked: Record<string, string> = Object.fromEntries(given);
	const rows = await caller.items(`${grid}/entities`, { ...byKey, ...asked });
	return rows.map(({ title }) => title);
};

test('a search finds linked rows by their names, and by their addresses with a slash', async () => {
	const { grid, ids, companies, mueller } = await orders('Searched');
	const [company, others] = [id(ids, 'company'), id(ids, 'others')];
	for (const isNamed of [false, true]) {
		if (isNamed)
			await owner.patch(grid, { properties: { linkedGrids: { [company]: companies, [others]: companies } } });
		expect(await titles(grid, { filter: search('MÜLLER', company) })).toEqual(['second']);
		expect(await titles(grid, { filter: search('müller', company, others) })).toEqual(['first', 'second']);
		expect(await titles(grid, { filter: { $not: search('müller', company) } })).toEqual(['first', 'third', 'blank', 'lost']); // prettier-ignore
		expect(await titles(grid, { filter: search('sec', id(ids, 'title'), company) })).toEqual(['second']);
		// A part of every address.
		expect(await titles(grid, { filter: search('entities', company) })).toEqual([]);
		expect(await titles(grid, { filter: search(`/entities/${last(mueller)}`, company) })).toEqual(['second']);
	}
});

test('a sorting by linked rows is by their names', async () => {
	const { grid, ids, abt } = await orders('Sorted');
	const by = ($order: string, key = 'company') => ({ sorting: { [id(ids, key)]: { $order } } });
	expect(await titles(grid, by('ascending'))).toEqual(['blank', 'third', 'second', 'first', 'lost']);
	expect(await titles(grid, by('descending'))).toEqual(['lost', 'first', 'second', 'third', 'blank']);
	await owner.put(abt, { name: 'Ypsilon' }, byKey);
	expect((await titles(grid, by('ascending', 'company'))).slice(0, 3)).toEqual(['blank', 'second', 'third']);
	expect((await titles(grid, by('descending', 'others')))[0]).toBe('first');
});

test('a grid of many rows is sorted and searched by names as well', async () => {
	const { space, grid, ids, companies } = await orders('Many');
	const lines = Array.from({ length: 2500 }, (_, n) => `row ${n}`).join('\n');
	const form = new FormData();
	form.append('name', 'Imported');
	form.append('file', `title\n${lines}`);
	const imported = (await owner.upload(`${space}/uploadCSV`, form)).headers.get('location') ?? '';
	const company = last(await owner.create(`${imported}/ColumnAdd`, { name: 'Company', key: 'company', type: { name: 'reference' } })); // prettier-ignore
	await owner.patch(imported, { properties: { linkedGrids: { [company]: companies } } });
	const [first, second] = await owner.items(`${imported}/entities`, { pageSize: '2' });
	const names = await owner.items(`${companies}/entities`);
	await owner.put(`${imported}/entities/${String(first?.['_id'])}`, { company: `${companies}/entities/${String(names[0]?.['_id'])}` }, byKey); // prettier-ignore
	await owner.put(`${imported}/entities/${String(second?.['_id'])}`, { company: `${companies}/entities/${String(names[1]?.['_id'])}` }, byKey); // prettier-ignore
	const sorting = { [company]: { $order: 'descending' } };
	expect((await titles(imported, { sorting })).slice(0, 2)).toEqual(['row 0', 'row 1']);
	expect(await titles(imported, { filter: search('zorn', company), sorting })).toEqual(['row 0']);
	expect(await titles(grid, { filter: search('zorn', id(ids, 'company')) })).toEqual(['first']);
	await owner.put(`${companies}/entities/${String(names[0]?.['_id'])}`, { name: 'Aachen' }, byKey);
	expect((await titles(imported, { sorting })).slice(0, 2)).toEqual(['row 1', 'row 0']);
	expect(await titles(imported, { filter: search('zorn', company), sorting })).toEqual([]);
});

test('names of other grids are no way into them', async () => {
	const { grid, ids } = await orders('Kept');
	const company = id(ids, 'company');
	// Whoever sees only a view, and a link, cannot guess the names of another grid.
	const view = await owner.view(grid, [id(ids, 'title'), company], {}, { name: 'Shared' });
	const link = await owner.create(`${view}/links`, { kind: 'view' });
	const sorting = { [company]: { $order: 'ascending' } };
	expect(await titles(link, { filter: search('müller ag', company) }, anonymous)).toEqual([]);
	expect(await titles(link, { sorting }, anonymous)).not.toEqual(await titles(view, { sorting }));
	// A view's own filter shows what its maker chose.
	const filtered = await owner.view(grid, [id(ids, 'title'), company], search('abt', company), { name: 'Abt' }); // prettier-ignore
	const shown = await owner.create(`${filtered}/links`, { kind: 'view' });
	expect(await titles(shown, {}, anonymous)).toEqual(['third']);
	// A grid of another space is not searched, whatever the properties say.
	const foreign = await orders('Foreign');
	await owner.patch(grid, { properties: { linkedGrids: { [company]: foreign.companies } } });
	const linked = `${grid}/entities/${String((await owner.items(`${grid}/entities`))[0]?.['_id'])}`;
	await owner.put(linked, { company: { uri: foreign.mueller } }, byKey);
	expect(await titles(grid, { filter: search('müller', company) })).toEqual([]);
});

test('whoever edits a row by a link that shows names cannot link other rows to read theirs', async () => {
	const { grid, mueller, abt } = await orders('Edited');
	const third = (await owner.items(`${grid}/entities`, byKey)).find(({ title }) => title === 'third');
	const linkWith = (names: boolean) =>
		owner.create(`${grid}/links`, { kind: 'edit', entityId: third?.['_id'], names });
	const link = await linkWith(true);
	const names = async () => (await anonymous.read(`${link}/names`))['names'];
	const shown = { [last(abt)]: 'Abt' };
	expect(await names()).toEqual(shown);
	const put = async (body: Json, through = link) => (await anonymous.put(through, body, byKey)).status;
	expect(await put({ company: { uri: mueller } })).toBe(403);
	expect(await put({ company: { uri: owner.url + mueller } })).toBe(403);
	expect(await put({ others: [{ uri: abt }, { uri: mueller }] })).toBe(403);
	expect(await names()).toEqual(shown);
	expect(await put({ title: 'fourth', others: [{ uri: abt }] })).toBe(200);
	expect(await put({ company: null, others: null })).toBe(200);
	expect(await names()).toEqual({});
	expect(await put({ company: { uri: mueller } }, await linkWith(false))).toBe(200);
});
