import fc from 'fast-check';
import { unescaped } from '../../../../nodes/shared/csv/formulas';
import { CsvReader } from '../../../../nodes/shared/csv/reader';
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
	"'",
	'+',
	'-',
	'@',
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

const shape = fc.record({
	separator: fc.constantFrom(',', ';', '\t', '|'),
	byteOrderMark: fc.constantFrom('true', 'false'),
	isEscaped: fc.boolean(),
});

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
		fc.asyncProperty(grid, shape, async ({ names, rows }, { isEscaped, ...more }) => {
			const address = await owner.create(`${space}/grids`, { name: `Grid ${++grids}` });
			for (const one of names)
				await owner.create(`${address}/ColumnAdd`, { name: one, type: { name: 'string' } });
			for (const fields of rows) await owner.create(`${address}/entities`, { fields });
			const query = { ...more, escapeFormulas: String(isEscaped) };
			const exported = async (from: string) => (await owner.get(`${from}/csv`, query)).text;
			const file = await exported(address);
			const body = { name: `Copy ${grids}`, file, unescapeFormulas: isEscaped };
			const uploaded = await owner.create(`${space}/uploadCSV`, body);
			expect([file, await contentOf(uploaded)]).toEqual([file, { names, rows }]);
			expect(await exported(uploaded)).toBe(file);
		}),
		{ numRuns: 60 },
	);
});

const APOSTROPHES = Array.from({ length: 7 }, (_, n) => "'".repeat(60 + n));
const AFTER = ['=1', '-A', '-5', '\n', '\tx', '\uff1d', 'text', ''];

test('cells of 60 to 66 apostrophes are the same after an escaped export', async () => {
	const rows = APOSTROPHES.flatMap((start) => AFTER.map((end) => [start + end]));
	const address = await owner.create(`${space}/grids`, { name: 'Apostrophes' });
	await owner.create(`${address}/ColumnAdd`, { name: 'A', type: { name: 'string' } });
	for (const fields of rows) await owner.create(`${address}/entities`, { fields });
	const file = (await owner.get(`${address}/csv`, { escapeFormulas: 'true' })).text;
	const body = { name: 'Apostrophes again', file, unescapeFormulas: true };
	expect(await contentOf(await owner.create(`${space}/uploadCSV`, body))).toEqual({ names: ['A'], rows });
	// The connector escapes and restores the same cells.
	const records = new CsvReader().read(file).slice(1);
	expect(records.map(({ cells: [cell] }) => [unescaped(cell ?? '')])).toEqual(rows);
});

test('an export for Excel has a byte order mark, another separator and no formulas', async () => {
	const address = await owner.create(`${space}/grids`, { name: 'For Excel' });
	for (const one of ['=A', 'B'])
		await owner.create(`${address}/ColumnAdd`, { name: one, type: { name: 'string' } });
	const cells = [
		['=1+1', "'=kept"],
		["'quoted", '-5'],
		['-A', 'ä;b'],
		['+49 (30)', null],
	];
	for (const fields of cells) await owner.create(`${address}/entities`, { fields });
	const query = { separator: ';', byteOrderMark: 'true', escapeFormulas: 'true' };
	const { text: file } = await owner.get(`${address}/csv`, query);
	// fetch takes the byte order mark off.
	expect(file).toBe(`'=A;B\n'=1+1;''=kept\n'quoted;-5\n'-A;"ä;b"\n'+49 (30);\n`);
	const bytes = Buffer.from(await (await owner.stream(`${address}/csv?byteOrderMark=true`)).arrayBuffer());
	expect(bytes.subarray(0, 4).toString('latin1')).toBe('\xef\xbb\xbf=');
	for (const wrong of ['x', ',;', ''])
		expect((await owner.get(`${address}/csv`, { separator: wrong })).status).toBe(400);
});
