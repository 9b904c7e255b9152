import fc from 'fast-check';
import { allItems, testService } from '../http';

const context = testService();
const { owner } = context;
let space: string;
beforeAll(async () => {
	space = await owner.create(`${context.home}/spaces`, { name: 'Round trips' });
});

const HARD = [
	',',
	';',
	'|',
	'\t',
	'"',
	'""',
	'\r',
	'\n',
	'\r\n',
	'\r\r\n',
	' ',
	'=',
	'sep=;',
	'<html>',
	'[{"a"',
	'\ufeff',
	'😀',
	'e\u0301',
	'0',
	'1',
	'1e5',
];
const character = fc.oneof(fc.constantFrom(...HARD), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })); // prettier-ignore
const text = (maxLength: number) =>
	fc.array(character, { maxLength }).map((parts) => parts.join('').replaceAll('\0', ''));
const RESERVED = ['_id', '_representation', '_links', '_embedded', '__proto__'];
const normal = (name: string) => name.trim().normalize('NFC');
const name = fc
	.oneof(
		text(6),
		fc.constantFrom('Rate; min; max', 'a;b', 'sep=;', '"sep=,"', 'a', 'A', '{"x":1}', '<?xml', 'Column 2'),
	)
	.map(normal)
	.filter((one) => one !== '' && !RESERVED.includes(one));
const cell = fc.oneof(text(8), fc.constantFrom(null, '', '007', '12', 'true', '2026-01-01', '-0', '5'));
const grid = fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).chain((names) =>
	fc.record({
		names: fc.constant(names),
		rows: fc.array(fc.array(cell, { minLength: names.length, maxLength: names.length }), { maxLength: 5 }),
	}),
);

let grids = 0;

const asText = (value: unknown) =>
	value === null || typeof value === 'string' ? value : JSON.stringify(value);

/** Names, and cells as texts, of a grid. */
async function contentOf(address: string) {
	const fields = await owner.fields(address);
	const names = fields.map((field) => String(field['name']));
	const items = await allItems(owner, `${address}/entities`, { layout: 'property' });
	const rows = items.map((item) => names.map((one) => asText(item[one])));
	return { names, rows };
}

test('a grid of any names and texts that is exported and uploaded is the same grid', async () => {
	await fc.assert(
		fc.asyncProperty(grid, async ({ names, rows }) => {
			const address = await owner.create(`${space}/grids`, { name: `Grid ${++grids}` });
			for (const one of names)
				await owner.create(`${address}/ColumnAdd`, { name: one, type: { name: 'string' } });
			for (const fields of rows) await owner.create(`${address}/entities`, { fields });
			const file = (await owner.get(`${address}/csv`)).text;
			const uploaded = await owner.create(`${space}/uploadCSV`, { name: `Copy ${grids}`, file });
			expect([file, await contentOf(uploaded)]).toEqual([file, { names, rows }]);
			expect((await owner.get(`${uploaded}/csv`)).text).toBe(file);
		}),
		{ numRuns: 60 },
	);
});
