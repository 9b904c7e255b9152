import type { Caller } from '../http';
import { id, makeGrid, objects, startWithOwner, version2 } from '../http';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
beforeAll(async () => {
	context = await startWithOwner({ bodyLimit: 64 * 1024 * 1024 });
	owner = context.owner;
});
afterAll(() => context.service.stop());

/** Numbers whose text SQLite parses as an adjacent double. */
const NUMBERS = [1.4262002476843024e-202, 1.4159373558221223e-18, 2.300315190041448e-92, 0.1, -2.5e-7, 1e300];

/** Uploads a CSV file as a grid. @returns its address, and field IDs by name */
async function gridOf(name: string, lines: readonly string[], types: Record<string, string>) {
	const space = await owner.create(`${context.home}/spaces`, { name });
	const file = `${Object.keys(types).join(',')}\n${lines.join('\n')}\n`;
	const grid = await owner.create(`${space}/uploadCSV`, { name, file, types });
	const fields = objects((await owner.get(grid, undefined, version2)).json()['fields']);
	return {
		grid,
		ids: Object.fromEntries(fields.map((field) => [String(field['name']), String(field['id'])])),
	};
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
			const page = (await owner.get(`${grid}/entities`, { filter, layout: 'property' })).json();
			expect([operand, objects(page['items']).map((item) => item['n'])]).toEqual([operand, [number]]);
		}
		const filter = JSON.stringify({ [id(ids, 'n')]: { $ne: number } });
		const others = (await owner.get(`${grid}/entities`, { filter })).json();
		expect(others['numberOfItems']).toBe(lines.length - 1);
	}
});

test('text is sorted by code points, for any number of rows and fields', async () => {
	const texts = ['a', '\u{10ffff}', '\uff61', '😀', 'é', '\ufffd'];
	const sorted = [...texts].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
	for (const more of [0, 3000]) {
		const lines = [...texts.map((text) => `${text},1`), ...Array.from({ length: more }, () => ',2')];
		const { grid, ids } = await gridOf(`Texts and ${more}`, lines, { text: 'string', n: 'integer' });
		const [text, n] = [{ [id(ids, 'text')]: { $order: 'ascending' } }, { [id(ids, 'n')]: { $order: 'ascending' } }]; // prettier-ignore
		for (const sorting of [text, { ...n, ...text }]) {
			// `$not` uses no index.
			const filter = JSON.stringify({ $not: { [id(ids, 'n')]: { $gt: 1 } } });
			const query = { sorting: JSON.stringify(sorting), filter, layout: 'property' };
			const page = (await owner.get(`${grid}/entities`, query)).json();
			expect(objects(page['items']).map((item) => item['text'])).toEqual(sorted);
		}
	}
});

test('the length of a cell counts code points, not code units', async () => {
	const { grid } = await makeGrid(owner, { text: { name: 'string' }, tags: { name: 'stringcollection' } });
	const longest = '😀'.repeat(100_000);
	const entity = await owner.create(`${grid}/entities`, { fields: [longest, [longest]] });
	expect((await owner.get(entity, { layout: 'key' })).json()).toMatchObject({
		text: longest,
		tags: [longest],
	});
	const longer = await owner.post(`${grid}/entities`, { fields: [`${longest}x`, null] });
	expect([longer.status, longer.json()['message']]).toEqual([400, expect.stringContaining('100000')]);
});
