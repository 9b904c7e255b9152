import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { safeFileName } from '../../../../../nodes/shared/inputs/output/fileName';
import { FormulaNeutralizer, unescaped, unescapedFile } from '../../../../../nodes/shared/csv/formulas';
import { csvLine } from '../../../../../nodes/shared/csv/line';
import { CsvReader } from '../../../../../nodes/shared/csv/reader';

/** Neutralizes a text. @param size of its chunks in bytes */
function neutralized(text: string, size = Infinity): string {
	const bytes = Buffer.from(text);
	const neutralizer = new FormulaNeutralizer();
	const parts: Uint8Array[] = [];
	for (let from = 0; from < bytes.length; from += Math.min(size, bytes.length))
		parts.push(neutralizer.write(bytes.subarray(from, from + Math.min(size, bytes.length))));
	return Buffer.concat([...parts, neutralizer.end()]).toString();
}

test.each([
	['=1+1', "'=1+1"],
	['a,=cmd|x!A1\n', "a,'=cmd|x!A1\n"],
	['"=HYPERLINK(""http://evil"",""x"")",b\r\n', `"'=HYPERLINK(""http://evil"",""x"")",b\r\n`],
	['a;@SUM(1)', "a;'@SUM(1)"],
	['a\t=1', "a\t'=1"],
	['a|b\n1|=1\n', "a|b\n1|'=1\n"],
	['sep=;\na,b;c\nx,=1;=2\n', "sep=;\na,b;c\nx,=1;'=2\n"],
	['"\t=1"', `"'\t=1"`],
	['a,b\n\t=1,\t=2\n', "a,b\n'\t=1,'\t=2\n"],
	['"\r=1"', `"'\r=1"`],
	['"\n=1"', `"'\n=1"`],
	['+cmd', "'+cmd"],
	['-2+3+cmd', "'-2+3+cmd"],
	['"-2+3","+1 x"', `"'-2+3","'+1 x"`],
	['＝1+1,＋1,－1,＠a', "'＝1+1,'＋1,'－1,'＠a"],
	['\ufeff=1', "\ufeff'=1"],
	['x\n=1\r\n=2\r=3', "x\n'=1\r\n'=2\r'=3"],
	['-', '-'],
	['"-""&cmd","-"', `"'-""&cmd","-"`],
	[`-${'1'.repeat(70)}+cmd`, `'-${'1'.repeat(70)}+cmd`],
	[`-${'1'.repeat(70)}`, `'-${'1'.repeat(70)}`],
	["'=1,'quoted,''-x,'-5,'", "''=1,'quoted,'''-x,'-5,'"],
	[`"'=1","'","''","'""=1"`, `"''=1","'","''","'""=1"`],
	[`${"'".repeat(62)}=1,${"'".repeat(63)}=1`, `${"'".repeat(63)}=1,${"'".repeat(64)}=1`],
])('%j becomes %j, whatever the chunks', (text, expected) => {
	for (const size of [1, 2, 3, 7, Infinity])
		expect([size, neutralized(text, size)]).toEqual([size, expected]);
});

test.each([
	'Name,Sum\n"größer, ""als""",0\n',
	'-5,+3.25,-1e-7,"-1,5",-12 %,-1\u00a0000\n',
	'a=b,c@d,e+f,g-h,2026-01-01,"x=1"\r\n',
	'"""=1""",\'1, =1\n',
	',,;;\t\t\r\n\n""\n',
	'a,b\nx;-y,a|=b\n',
	'"a;b;c",d\nx;@y,1\n',
	'ﬁ,ｅ,\ufb01\n',
	'',
])('%j is unchanged', (text) => {
	for (const size of [1, 2, 5, Infinity]) expect([size, neutralized(text, size)]).toEqual([size, text]);
});

test('no cell is a formula afterwards, and nothing else changes', () => {
	const cell = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !text.includes('\ufeff')),
		fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '＝', '-1', '+2'), fc.string({ maxLength: 5 })).map((parts) => parts.join('')),
		fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
	); // prettier-ignore
	const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
	fc.assert(
		fc.property(rows, fc.integer({ min: 1, max: 9 }), (table, size) => {
			const text = table
				.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
				.join('\n');
			// A NUL beside the first character is taken for UTF-16, which is refused.
			fc.pre(!text.startsWith('"\0'));
			const before: unknown = parse(text, { relax_column_count: true });
			const after: unknown = parse(neutralized(text, size), { relax_column_count: true });
			const expected = JSON.parse(JSON.stringify(before), (_name, value: unknown) => {
				if (typeof value !== 'string') return value;
				const isNumber = /^'*[+-]([\d., \u00a0]*\d(e[+-]?\d+)? ?%?)?$/i.test(value) && value.length < 64;
				return /^'*[=@+\-\t\r\n＝＋－＠]/.test(value) && !isNumber ? `'${value}` : value;
			}) as unknown;
			expect(after).toEqual(expected);
		}),
		{ numRuns: 500 },
	);
});

test.each([
	["'=SUM(A1)", '=SUM(A1)'],
	["''=SUM(A1)", "'=SUM(A1)"],
	["'+49 (30) 1", '+49 (30) 1'],
	["'＝1", '＝1'],
	["'\tx", '\tx'],
	["'quoted", "'quoted"],
	["'", "'"],
	["'-5", "'-5"],
	["'ｅ", "'ｅ"],
	[`${"'".repeat(63)}\n`, `${"'".repeat(62)}\n`],
	[`${"'".repeat(64)}\n`, `${"'".repeat(63)}\n`],
	["'".repeat(63), "'".repeat(63)],
	['=1', '=1'],
	['', ''],
])('the cell %j is read as %j', (cell, expected) => {
	expect(unescaped(cell)).toBe(expected);
});

const part = fc.oneof(
	fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', '\u00a0', '"', ',', '1', '.', '%', 'e', '\ufeff'),
	fc.integer({ min: 60, max: 66 }).map((count) => "'".repeat(count)),
	fc.string({ unit: 'binary', maxLength: 2 }),
); // prettier-ignore
const hardCell = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(''));

test('every cell is read as it was before it was escaped', () => {
	const lengthOfNumber = fc.integer({ min: 55, max: 70 }).map((count) => `-${'1\u00a0'.repeat(count / 2)}`);
	const cells = fc.array(fc.oneof(hardCell, lengthOfNumber), { minLength: 1, maxLength: 5 });
	fc.assert(
		fc.property(cells, (row) => {
			// Lone surrogates have no UTF-8.
			fc.pre(row.every((cell) => Buffer.from(cell).toString() === cell));
			const reader = new CsvReader();
			const file = csvLine(['_id', 'b']) + csvLine(row);
			const records = [...reader.read(neutralized(file)), ...reader.end()];
			expect(records[1]?.cells.map((cell) => unescaped(cell ?? ''))).toEqual(row);
		}),
		{ numRuns: 3000 },
	);
});

test.each([
	['../../etc/passwd', '_.._etc_passwd'],
	['C:\\Windows\\evil.csv', 'C__Windows_evil.csv'],
	['a\r\nContent-Type: text/html\r\n.csv', 'a Content-Type_ text_html .csv'],
	['report\u202egpj.csv', 'report gpj.csv'],
	['..', 'export.csv'],
	['.csv', 'export.csv'],
	['\u0000', 'export.csv'],
	['Größe & Maß.csv', 'Größe & Maß.csv'],
	['x'.repeat(400), 'x'.repeat(255)],
])('the file name %j becomes %j', (text, expected) => {
	expect(safeFileName(text)).toBe(expected);
});

test.each([
	[`'=a;'b\n"'=""1""";'@\n`, `=a;'b\n"=""1""";@\n`, 3],
	[`a,b\r\n"x,'=1",'=2`, `a,b\r\n"x,'=1",=2`, 1],
	["'\t=1,b\n", '\t=1,b\n', 1],
	["sep=;\na,'=1;'=2\n", "sep=;\na,'=1;=2\n", 1],
	["a,'=1", 'a,=1', 1],
	['a,b\n', 'a,b\n', 0],
])('the file %j is read as %j', (file, text, cells) => {
	expect(unescapedFile(file)).toEqual({ text, cells });
});

test('every file is as it was before it was escaped', () => {
	const rows = fc.array(fc.array(hardCell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 4 });
	fc.assert(
		fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (cells, delimiter) => {
			const file = [['_id', 'b'], ...cells].map((row) => csvLine(row, delimiter)).join('');
			fc.pre(Buffer.from(file).toString() === file);
			expect(unescapedFile(neutralized(file)).text).toBe(file);
		}),
		{ numRuns: 2000 },
	);
});
