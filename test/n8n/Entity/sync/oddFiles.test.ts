import '../../../fixtures/skippedWaits';
import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';
import { createStockGrid, importFile } from './stockGrid';

const world = World.forTests();
let stock: WorldGrid;

beforeEach(async () => {
	stock = await createStockGrid(world);
});

const sync = (file: string | Buffer, parameters?: Record<string, unknown>) =>
	importFile(stock, file, parameters);

const NOTATIONS: Array<[string, string]> = [
	['numbers', 'Item,Count\nA,1.0\nB,+2\nC, 3 \nD,007\nE,1e2\n'],
	['texts', 'Item,Count\nA ,1\n A,2\n"A\r\nB",3\n"A\nB",4\n  ,5\n'],
	['trailing line breaks and delimiters', '\ufeff"Item","Count",,\r\n"A",1,,\r\n\r\n"B",2,,'],
	['times', 'Item,Since\nA,2026-01-01T12:00:00Z\nB,2026-01-01 12:00\nC,2026-01-01T12:00:00.123+02:00\n'],
	['lists', 'Item,Tags\nA,"x,y"\nB,"[""x"",""y""]"\nC,[]\nD,\n'],
];

test.each(NOTATIONS)('a second run finds %s unchanged in any notation', async (_what, file) => {
	const first = await sync(file);
	expect(first.error).toBeUndefined();
	const { rows } = await sync(file, { rowsNotInInput: 'delete' });
	expect(rows[0]).toMatchObject({
		created: 0,
		updated: 0,
		deleted: 0,
		unchanged: first.rows[0]?.['created'],
	});
});

test('an empty text is a value of a text column, and no value of a number', async () => {
	const { error } = await sync('Item;Count\nA;""\nB;2\n');
	expect(error).toBeUndefined();
	expect(await stock.rows()).toMatchObject([{ Item: 'A', Count: null }, { Item: 'B', Count: 2 }]); // prettier-ignore
});

test('a file in Windows-1252 with semicolons is read with the encoding and the delimiter that were chosen', async () => {
	const file = Buffer.from('Item;Count\nK\u00f6ln;1\n', 'latin1');
	const refused = await sync(file);
	expect(refused.error?.description).toContain('"Encoding" under Options');
	await sync(file, { options: { encoding: 'windows-1252', delimiter: 'semicolon' } });
	expect(await stock.rows()).toMatchObject([{ Item: 'Köln', Count: 1 }]);
});

describe('a file with a decimal comma', () => {
	const german = 'Item;Count;Since\r\nA;1.234.567;31.12.2026 9:30\r\nB;1.000;01.02.2026\r\n';

	test('is read as its values tell, which a hint says', async () => {
		const { error, hints } = await sync(german);
		expect(error).toBeUndefined();
		expect(await stock.rows()).toMatchObject([
			{ Item: 'A', Count: 1_234_567, Since: expect.stringContaining('2026-12-31T') as unknown },
			{ Item: 'B', Count: 1000, Since: expect.stringContaining('2026-02-01T') as unknown },
		]);
		expect(hints.join()).toContain('numbers and dates such as 1.234,50');
	});

	test('is refused with both readings if no value tells, until the format is chosen', async () => {
		const file = 'Item;Count\nA;1.000\nB;2.500\n';
		const { error } = await sync(file);
		expect(error?.message).toContain('"1.000" in the column "Count" may be 1 or 1000');
		expect(error?.description).toContain('"Formats" under Options');
		expect(await stock.rows()).toEqual([]);
		await sync(file, { options: { formats: { format: { number: 'comma' } } } });
		expect(await stock.rows()).toMatchObject([{ Count: 1000 }, { Count: 2500 }]);
	});

	test('names what is in no format, and speaks of the file', async () => {
		const { error } = await sync('Item;Count\nA;12,50\nB;5%\n');
		expect(error?.message).toContain('"5%"');
		expect(error?.description).toContain('Correct "Count" in the file');
		expect(error?.description).not.toContain('expression');
	});
});

test('values in a column without a name are reported, an empty one is not', async () => {
	const named = await sync('Item,Count,\nA,1,x\n');
	expect(named.hints.join()).toContain('no such column: Column 3');
	const empty = await sync('Item,Count,\nB,1,\n');
	expect(empty.hints.join()).not.toContain('Column 3');
});

describe('nothing is written for', () => {
	test.each<[string, string | Buffer, Record<string, unknown>, string]>([
		['a file of blank lines', '\n\r\n', {}, 'The file "orders.csv" is empty'],
		['an empty NDJSON file', '', { fileFormat: 'ndjson' }, 'The file "orders.csv" is empty'],
		[
			'a member that n8n loses',
			'{"Item":"A"}\n{"Item":"B","__proto__":1}\n',
			{ fileFormat: 'ndjson' },
			'Line 2 of the file: The JSON has a member named "__proto__"',
		],
		['a file without the key column', 'Article,Count\nA,1\n', {}, 'no column for the key column "Item"'],
		[
			'a column twice',
			'Item,Count,Count\nA,1,2\n',
			{},
			'several columns "Count", and the grid has no column "Count 2"',
		],
		['a line with one cell too many', 'Item,Count\nA,1,2\n', {}, 'Line 2 of the file has 3 cells'],
		['a line with one cell too few', 'Item,Count\nA\n', {}, 'has 1 cell, but its first line names 2 columns'],
		['two lines with the same key', 'Item,Count\nA,1\nB,2\n"A",3\n', {}, 'Item "A" (lines 2, 4)'],
		['a value of the wrong type', 'Item,Count\nA,1\nB,many\n', {}, 'line 3: Column "Count"'],
		['a malformed quotation mark', 'Item,Count\nA,1\n"B"b,2\n', {}, 'line 3 has text after the closing'],
		['no rows', 'Item,Count\n', {}, 'has a value in all key columns'],
		['UTF-16 without a byte-order mark', Buffer.from('Item\nA\n', 'utf16le'), {}, 'contain NUL, as UTF-16'],
		[
			'another encoding',
			Buffer.from('Item\n\xe9\n', 'latin1'),
			{},
			'line 2 has bytes that UTF-8 does not have',
		],
	])('%s', async (_what, file, parameters, message) => {
		await stock.fill({ Item: 'Z', Count: 1 });
		const { error } = await sync(file, {
			rowsNotInInput: 'delete',
			options: { deletionLimit: 100 },
			...parameters,
		});
		expect(error?.message).toContain(message);
		expect(await stock.rows()).toMatchObject([{ Item: 'Z', Count: 1 }]);
	});

	test.each<[string, string, Record<string, unknown>, string]>([
		[
			'semicolons',
			'Item;Count\nA;1\n',
			{ options: { delimiter: 'comma' } },
			'Choose "Semicolon" in "Delimiter"',
		],
		['bars', 'Item|Count\nA|1\n', { options: { delimiter: 'comma' } }, 'Choose "Bar" in "Delimiter"'],
		['commas', 'Item,Count\nA,1\n', { options: { delimiter: 'tab' } }, 'Choose "Comma" in "Delimiter"'],
		['JSON objects', '{"Item":"A"}\n', {}, 'Choose "NDJSON" in "File Format"'],
		['CSV', 'Item\nA\n', { fileFormat: 'ndjson' }, 'Choose "CSV" in "File Format"'],
		['a JSON array over several lines', '[\n{"Item":"A"}]', { fileFormat: 'ndjson' }, 'one object per line'],
		['a JSON array', '[ {"Item":"A"}]', {}, 'one object per line'],
	])(
		'a file with %s and unsuitable settings; the hint names the right setting',
		async (_what, file, parameters, hint) => {
			const { error } = await sync(file, parameters);
			expect(error?.description).toContain(hint);
		},
	);
});
