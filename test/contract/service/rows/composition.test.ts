import { allItems, byKey, fieldIds, id, makeGrid, testService, uploadGrid } from '../http';

const context = testService();
const { owner } = context;

const composed = 'Café Zoë'.normalize('NFC');
const decomposed = composed.normalize('NFD');

const mixed = `${composed.slice(0, 4)}${decomposed.slice(5)}`;
const ALL = [composed, decomposed, mixed].sort();

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
	const later = others.filter((other) => other > 'Cafz');
	const find = finding(grid);
	for (const wanted of ALL) {
		expect(await find({ filter: { [text]: { $eq: wanted } } })).toEqual(ALL);
		expect(await find({ filter: { [text]: { $in: [wanted, 'x'] } } })).toEqual(ALL);
		expect(await find({ filter: { [text]: { $ne: wanted } } })).toEqual(others);
		expect(await find({ filter: { $not: { [text]: { $eq: wanted } } } })).toEqual(others);
		expect(await find({ filter: { [text]: { $contains: wanted.slice(2) } } })).toEqual(ALL);
		expect(await find({ matching: wanted.slice(1).toUpperCase() }, 'query')).toEqual(ALL);
		expect(await find({ filter: { [text]: { $gte: wanted, $lte: wanted } } })).toEqual(ALL);
		expect(await find({ filter: { [text]: { $gt: wanted } } })).toEqual(later);
		const sorting = { [text]: { $order: 'ascending' } };
		expect(await find({ filter: { [text]: { $eq: wanted } }, sorting })).toEqual(ALL);
	}
	expect(await find({ filter: { [text]: { $eq: 'other' } } })).toEqual(['other']);
	// A letter with an accent is another one than that without, in each spelling.
	expect(await find({ filter: { [text]: { $contains: 'cafe' } } })).toEqual(['Cafe Zoe']);
	expect(await find({ matching: 'zoe' }, 'query')).toEqual(['Cafe Zoe']);
	// Text of one spelling is not sorted apart from the others.
	const sorted = await allItems(owner, `${grid}/entities`, {
		...byKey,
		sorting: JSON.stringify({ [text]: { $order: 'ascending' } }),
	});
	const places = sorted.flatMap((row, index) => (ALL.includes(String(row['text'])) ? [index] : []));
	expect(places.map((place) => place - (places[0] ?? 0))).toEqual([0, 1, 2]);
}

test('filters and searches find every spelling of composed letters, which stays as written', async () => {
	const columns = { text: { name: 'string' }, list: { name: 'stringcollection' } };
	const { grid, ids } = await makeGrid(owner, columns);
	for (const one of [...ALL, 'Cafe Zoe', 'other'])
		await owner.create(`${grid}/entities`, { text: one, list: [one] }, byKey);
	await check(grid, id(ids, 'text'), ['Cafe Zoe', 'other']);
	for (const wanted of ALL)
		expect(await finding(grid)({ filter: { [id(ids, 'list')]: { $contains: wanted } } })).toEqual(ALL);
});

test('so do they by an index', async () => {
	const { space } = await makeGrid(owner, {}, 'Indexed');
	const rest = Array.from({ length: 2100 }, (_, number) => `row ${number}`);
	const others = ['Cafe Zoe', 'other', ...rest];
	const file = ['text', ...ALL, ...others].join('\n');
	const grid = await uploadGrid(owner, space, { name: 'Many', file });
	const { text = '' } = await fieldIds(owner, grid, 'key');
	await check(grid, text, others.sort());
});
