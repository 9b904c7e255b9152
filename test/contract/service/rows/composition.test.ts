import { allItems, byKey, fieldIds, id, makeGrid, testService, uploadGrid } from '../http';

const context = testService();
const { owner } = context;

const composed = 'Café Zoë'.normalize('NFC');
const decomposed = composed.normalize('NFD');

const both = [composed, decomposed].sort();

/** Texts of the rows that a query selects. */
const finding =
	(grid: string) =>
	async (query: Record<string, object | string>, path = 'entities') => {
		const texts = Object.entries(query).map(
			([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
		);
		const rows = await allItems(owner, `${grid}/${path}`, { ...byKey, ...Object.fromEntries(texts) });
		return rows.map((row) => row['text']).sort();
	};

async function check(grid: string, text: string, others: string[]) {
	const find = finding(grid);
	for (const wanted of both) {
		expect(await find({ filter: { [text]: { $eq: wanted } } })).toEqual(both);
		expect(await find({ filter: { [text]: { $in: [wanted, 'x'] } } })).toEqual(both);
		expect(await find({ filter: { [text]: { $ne: wanted } } })).toEqual(others);
		expect(await find({ filter: { $not: { [text]: { $eq: wanted } } } })).toEqual(others);
		expect(await find({ filter: { [text]: { $contains: wanted.slice(2) } } })).toEqual(both);
		expect(await find({ matching: wanted.slice(1).toUpperCase() }, 'query')).toEqual(both);
		const sorting = { [text]: { $order: 'ascending' } };
		expect(await find({ filter: { [text]: { $eq: wanted } }, sorting })).toEqual(both);
	}
	expect(await find({ filter: { [text]: { $eq: 'other' } } })).toEqual(['other']);
}

test('filters and searches find both spellings of composed letters, which stay as written', async () => {
	const columns = { text: { name: 'string' }, list: { name: 'stringcollection' } };
	const { grid, ids } = await makeGrid(owner, columns);
	for (const one of [...both, 'Cafe Zoe', 'other'])
		await owner.create(`${grid}/entities`, { text: one, list: [one] }, byKey);
	await check(grid, id(ids, 'text'), ['Cafe Zoe', 'other']);
	for (const wanted of both)
		expect(await finding(grid)({ filter: { [id(ids, 'list')]: { $contains: wanted } } })).toEqual(both);
});

test('so do they by an index', async () => {
	const { space } = await makeGrid(owner, {}, 'Indexed');
	const rest = Array.from({ length: 2100 }, (_, number) => `row ${number}`);
	const others = ['Cafe Zoe', 'other', ...rest];
	const file = ['text', ...both, ...others].join('\n');
	const grid = await uploadGrid(owner, space, { name: 'Many', file });
	const { text = '' } = await fieldIds(owner, grid, 'key');
	await check(grid, text, others.sort());
});
