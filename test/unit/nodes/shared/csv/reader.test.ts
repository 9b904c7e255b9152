import fc from 'fast-check';
import { stringify } from 'csv-stringify/sync';
import { csvLine } from '../../../../../nodes/shared/csv/line';
import { CsvReader, type CsvRecord } from '../../../../../nodes/shared/csv/reader';

function read(text: string, size = Infinity, delimiter?: string): CsvRecord[] {
	const reader = new CsvReader(delimiter);
	const records: CsvRecord[] = [];
	for (let from = 0; from < text.length; from += Math.min(size, text.length))
		records.push(...reader.read(text.slice(from, from + Math.min(size, text.length))));
	return [...records, ...reader.end()];
}
const cells = (records: readonly CsvRecord[]) => records.map((record) => record.cells);

const cell = fc.oneof(
	fc.string(),
	fc.constantFrom('', '"', '""', ',', '\n', '\r\n', '\r', ' a ', '"a"', 'ä€😀', ';'),
);
const table = fc
	.integer({ min: 2, max: 4 })
	.chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })));

test.each([
	['\n', ','],
	['\r\n', ','],
	['\r\n', ';'],
])('a file of another CSV writer is read unchanged, with %j and %j', (record_delimiter, delimiter) => {
	fc.assert(
		fc.property(table, fc.integer({ min: 1, max: 7 }), (rows, size) => {
			const text = stringify(rows, { record_delimiter, delimiter, quoted: true, quoted_empty: true });
			expect(cells(read(text, size, delimiter))).toEqual(rows);
		}),
	);
});

test('reads the output of this package unchanged', () => {
	fc.assert(
		fc.property(table, fc.integer({ min: 1, max: 7 }), (rows, size) => {
			expect(cells(read(rows.map((cells) => csvLine(cells)).join(''), size))).toEqual(rows);
		}),
	);
});

test.each(['\n', '\r\n', '\r'])(
	'each record has the number of its first line, with line breaks %j',
	(end) => {
		const text = ['A,B', '1,"two', 'lines"', '', '3,4'].join(end);
		for (const size of [1, 2, 3, 100])
			expect(read(text, size)).toEqual([
				{ line: 1, cells: ['A', 'B'] },
				{ line: 2, cells: ['1', `two${end}lines`] },
				{ line: 4, cells: [null] },
				{ line: 5, cells: ['3', '4'] },
			]);
	},
);

test.each([
	['A\n"1" 2\n', 'line 2 has text after the closing quotation mark'],
	['A,B\n1,"2\n3" 4\n', 'line 3 has text after the closing quotation mark'],
	['A\n1\n"2\n3\n', 'a cell in line 3 is not closed'],
])('malformed quotation marks are reported with their line: %j', (text, message) => {
	for (const size of [1, 3, 100]) expect(() => read(text, size)).toThrow(message);
});

test('stops reading an endless text before it fills the memory', () => {
	const reader = new CsvReader();
	const part = 'x'.repeat(1024 * 1024);
	reader.read('A\n"');
	let parts = 0;
	expect(() => {
		for (; parts < 100; parts++) reader.read(part);
	}).toThrow('a cell in line 2 is not closed');
	expect(parts).toBeLessThan(10);
});
