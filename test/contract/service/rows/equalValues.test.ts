import { fieldIds, id, makeGrid, objects, testService, byKey } from '../http';

const context = testService({ bodyLimit: 64 * 1024 * 1024 });
const { owner } = context;

/** Numbers whose text SQLite parses as an adjacent double. */
const NUMBERS = [1.4262002476843024e-202, 1.4159373558221223e-18, 2.300315190041448e-92, 0.1, -2.5e-7, 1e300];

/** Uploads a CSV file as a grid. @returns its address, and field IDs by name */
async function gridOf(name: string, lines: readonly string[], types: Record<string, string>) {
	const space = await owner.create(`${context.home}/spaces`, { name });
	const file = `${Object.keys(types).join(',')}\n${lines.join('\n')}\n`;
	const grid = await owner.create(`${space}/uploadCSV`, { name, file, types });
	return { grid, ids: await fieldIds(owner, grid, 'name') };
}

test.each([
	['scans every row', 0],
	['uses an index', 3000],
])('a filter finds a number by its exact value if the search %s', async (name, more) => {
	const lines = [...NUMBERS, ...Array.from({ length: more }, (_, n) => n + 10)].map(String);
	const { grid, ids } = await gridOf(name, lines, { n: 'decimal' });
	for (const number of NUMBERS) {
		for (const operand of [{ $eq: number }, { $in: [number] }, { $gte: number, $lte: number }]) {
			const filter = JSON.stringify({ [id(ids, 'n')]: operand });
			const page = await owner.read(`${grid}/entities`, { filter, layout: 'property' });
			expect([operand, objects(page['items']).map((item) => item['n'])]).toEqual([operand, [number]]);
		}
		const filter = JSON.stringify({ [id(ids, 'n')]: { $ne: number } });
		const others = await owner.read(`${grid}/entities`, { filter });
		expect(others['numberOfItems']).toBe(lines.length - 1);
	}
});

test('the length of a cell counts code points, not code units', async () => {
	const { grid } = await makeGrid(owner, { text: { name: 'string' }, tags: { name: 'stringcollection' } });
	const longest = '😀'.repeat(100_000);
	const entity = await owner.create(`${grid}/entities`, { fields: [longest, [longest]] });
	expect(await owner.read(entity, byKey)).toMatchObject({
		text: longest,
		tags: [longest],
	});
	const longer = await owner.post(`${grid}/entities`, { fields: [`${longest}x`, null] });
	expect([longer.status, longer.json()['message']]).toEqual([400, expect.stringContaining('100000')]);
});
