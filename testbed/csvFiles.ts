/** A CSV file, and what every reader of this repository makes of it. */
export interface CsvFile {
	what: string;
	/** As UTF-8, or the bytes. */
	file: string | Uint8Array;
	/** Encoding that the sender names. */
	encoding?: string;
	columns: string[];
	/** If the columns are texts; null for a cell without a value. */
	rows: Array<Array<string | null>>;
}

/** A file that is refused with a message that contains these words. */
export interface RefusedCsvFile {
	what: string;
	file: string | Uint8Array;
	encoding?: string;
	words: string[];
}

const bytes = (...numbers: number[]) => Uint8Array.from(numbers);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const abc = { columns: ['a', 'b', 'c'], rows: [['1', '2', '3']] };

/** Files that are read. */
export const CSV_FILES: CsvFile[] = [
	{ what: 'commas', file: 'a,b,c\n1,2,3\n', ...abc },
	{ what: 'semicolons', file: 'a;b;c\n1;2;3\n', ...abc },
	{ what: 'tabs', file: 'a\tb\tc\n1\t2\t3\n', ...abc },
	{ what: 'bars', file: 'a|b|c\n1|2|3\n', ...abc },
	{ what: 'a separator that is more frequent in rows', file: 'a;b\n1,5;2,5\n', columns: ['a', 'b'], rows: [['1,5', '2,5']] },
	{ what: 'another separator in a quoted name', file: '"x;y;z",b\n1,2\n', columns: ['x;y;z', 'b'], rows: [['1', '2']] },
	...[';', ',', '|', '\t'].map((sign) => ({
		what: `a declaration of ${JSON.stringify(sign)}`,
		file: `sep=${sign}\na${sign}b${sign}c\n1${sign}2${sign}3\n`,
		...abc,
	})),
	{ what: 'a declaration in quotation marks', file: '"sep=;"\r\na;b;c\r\n1;2;3\r\n', ...abc },
	{ what: 'a declaration with blanks after it', file: 'sep=;  \r\na;b;c\r\n1;2;3\r\n', ...abc },
	{ what: 'a declaration after a byte order mark', file: '\ufeffSEP=;\na;b;c\n1;2;3\n', ...abc },
	{ what: 'a declaration against the first line', file: 'sep=;\na,x;b\n1;2\n', columns: ['a,x', 'b'], rows: [['1', '2']] },
	{ what: 'a column called like a declaration', file: 'sep=,\n"sep=;"\n1\n', columns: ['sep=;'], rows: [['1']] },
	{ what: 'a column called like HTML, after a declaration', file: 'sep=,\n<html>,b\n1,2\n', columns: ['<html>', 'b'], rows: [['1', '2']] },

	{ what: 'repeated names', file: 'name,name,Name\n1,2,3\n', columns: ['name', 'name 2', 'Name 3'], rows: [['1', '2', '3']] },
	{ what: 'repeated names beside a numbered one', file: 'a,a,a 2\n1,2,3\n', columns: ['a', 'a 3', 'a 2'], rows: [['1', '2', '3']] },
	{ what: 'names that differ in case only', file: 'name,Name\n1,2\n', columns: ['name', 'Name'], rows: [['1', '2']] },
	{ what: 'names with outer blanks', file: ' a , b\t,"c\n"\n1,2,3\n', ...abc },
	{ what: 'names in decomposed characters', file: 'Cafe\u0301,Caf\u00e9\n1,2\n', columns: ['Caf\u00e9', 'Caf\u00e9 2'], rows: [['1', '2']] },
	{ what: 'a nameless column without values', file: 'a,b,\n1,2,\n3,4,\n', columns: ['a', 'b'], rows: [['1', '2'], ['3', '4']] },
	{ what: 'a nameless column with a value', file: 'a,,b\n1,,2\n3,x,4\n', columns: ['a', 'Column 2', 'b'], rows: [['1', null, '2'], ['3', 'x', '4']] },
	{ what: 'a nameless column whose name is taken', file: 'Column 2,,b\n1,x,2\n', columns: ['Column 2', 'Column 2 2', 'b'], rows: [['1', 'x', '2']] },

	{ what: 'a byte order mark', file: '\ufeffa,b,c\n1,2,3\n', ...abc },
	{ what: 'UTF-16 with a byte order mark', file: utf16('\ufeffa,b,c\nä,😀,3\n'), columns: ['a', 'b', 'c'], rows: [['ä', '😀', '3']] },
	{ what: 'UTF-16BE with a byte order mark', file: utf16('\ufeffa,b,c\n1,2,3\n').swap16(), ...abc },
	{ what: 'UTF-16 without a byte order mark, named', file: utf16('a,b,c\n1,2,3\n'), encoding: 'utf-16le', ...abc },
	{ what: 'Windows-1252, named', file: Buffer.concat([latin1('Stadt;Price\r\nK\u00f6ln;5 '), bytes(0x80), latin1(' '), bytes(0x93), latin1('x\r\n')]), encoding: 'windows-1252', columns: ['Stadt', 'Price'], rows: [['Köln', '5 € “x']] },
	{ what: 'Shift_JIS, named', file: bytes(0x61, 0x0a, 0x93, 0x8c, 0x8b, 0x9e, 0x0a), encoding: 'shift_jis', columns: ['a'], rows: [['東京']] },
	{ what: 'a byte order mark against the named encoding', file: '\ufeffa\nä\n', encoding: 'windows-1252', columns: ['a'], rows: [['ä']] },

	{ what: 'a quotation mark within a cell', file: 'size,x\n6" pipe,1\n5"x"4,2\n', columns: ['size', 'x'], rows: [['6" pipe', '1'], ['5"x"4', '2']] },
	{ what: 'quotation marks after a blank', file: 'a,b\n "1","2"\n', columns: ['a', 'b'], rows: [[' "1"', '2']] },
	{ what: 'a quotation mark within a name', file: 'width 6",b,c;d\n1,2,3\n', columns: ['width 6"', 'b', 'c;d'], rows: [['1', '2', '3']] },
	{ what: 'doubled quotation marks', file: 'a\n"say ""hi"""\n""""\n', columns: ['a'], rows: [['say "hi"'], ['"']] },
	{ what: 'separators and line breaks in quotation marks', file: 'a,b\n"1,5","x\r\ny"\n"x\ry","x\ny"\n', columns: ['a', 'b'], rows: [['1,5', 'x\r\ny'], ['x\ry', 'x\ny']] },
	{ what: 'blanks around cells', file: 'a,b\n 1 , x\n', columns: ['a', 'b'], rows: [[' 1 ', ' x']] },
	{ what: 'empty texts and no values', file: 'a,b\n"",\n,""\n', columns: ['a', 'b'], rows: [['', null], [null, '']] },

	...['\n', '\r\n', '\r', '\r\r\n'].map((end) => ({
		what: `line ends ${JSON.stringify(end)}`,
		file: `Name;Ort${end}Größe;Köln${end}Ada;"x${end}y"${end}`,
		columns: ['Name', 'Ort'],
		rows: [['Größe', 'Köln'], ['Ada', `x${end}y`]],
	})),
	{ what: 'a single column with line ends "\\r\\r\\n"', file: 'id\r\r\n1\r\r\n2\r\r\n', columns: ['id'], rows: [['1'], ['2']] },
	{ what: 'mixed line ends', file: 'a,b\n1,2\r\n3,4\r5,6', columns: ['a', 'b'], rows: [['1', '2'], ['3', '4'], ['5', '6']] },
	{ what: 'no line end at the end', file: 'a,b\n1,', columns: ['a', 'b'], rows: [['1', null]] },
	{ what: 'a blank first line', file: '\r\n\na,b,c\n1,2,3\n', ...abc },
	{ what: 'blank lines between rows', file: 'a,b\n\n1,2\n\n\n3,4\n\n', columns: ['a', 'b'], rows: [['1', '2'], ['3', '4']] },
	{ what: 'a header only', file: 'a,b\n', columns: ['a', 'b'], rows: [] },
	{ what: 'leading zeros, long ids and dates', file: 'a,b,c\n007,12345678901234567890,2026-02-30\n', columns: ['a', 'b', 'c'], rows: [['007', '12345678901234567890', '2026-02-30']] },
]; // prettier-ignore

/** Files that are refused. */
export const REFUSED_CSV_FILES: RefusedCsvFile[] = [
	{ what: 'an empty file', file: '', words: ['empty'] },
	{ what: 'a byte order mark alone', file: '\ufeff', words: ['empty'] },
	{ what: 'blank lines', file: '\r\n\r\n\n', words: ['empty'] },
	{ what: 'a declaration alone', file: 'sep=;\n', words: ['empty'] },

	{ what: 'Windows-1252 that is not named', file: latin1('a,b\n1,2\nK\u00f6ln,3\n'), words: ['UTF-8', 'line 3', 'encoding'] },
	{ what: 'UTF-8 that is cut', file: Buffer.from('a\nä').subarray(0, 3), words: ['UTF-8'] },
	{ what: 'UTF-16 without a byte order mark', file: utf16('a,b\n1,2\n'), words: ['NUL', 'UTF-16', 'encoding'] },
	{ what: 'UTF-16BE without a byte order mark', file: utf16('a,b\n1,2\n').swap16(), words: ['NUL', 'UTF-16', 'encoding'] },
	{ what: 'NUL in a cell', file: 'a,b\n1,2\n\n3,x\0y\n', words: ['line 4', '"b"', 'NUL'] },

	{ what: 'an unclosed quotation mark', file: 'a,b\n1,2\n3,"x\ny\nz,4\n', words: ['line 3', 'not closed'] },
	{ what: 'text after a closing quotation mark', file: 'a,b\n"1"x,2\n', words: ['line 2', 'closing quotation mark'] },
	{ what: 'a row with too many cells', file: 'a,b\n1,2\n3,4,5\n', words: ['line 3', 'cells', 'quotation marks'] },
	{ what: 'a row with too few cells', file: 'a,b\n1,2\n3\n', words: ['line 3', 'cell', 'quotation marks'] },
	{ what: 'a short row after a declaration and blank lines', file: 'sep=;\n\n\na;b\n\n1\n', words: ['line 6'] },
	{ what: 'a short row after line breaks in quotation marks', file: 'id,note\r\n1,"a\r\nb\r\nc"\r\n2\r\n', words: ['line 5'] },
	{ what: 'a short row after line ends "\\r\\r\\n"', file: 'id,note\r\r\n1,2\r\r\n2\r\r\n', words: ['line 3'] },

	{ what: 'a page of HTML', file: '\n<!DOCTYPE html>\n<html><body>Log in</body></html>', words: ['HTML', 'login'] },
	{ what: 'an XML document', file: '<?xml version="1.0"?><a/>', words: ['XML'] },
	{ what: 'JSON', file: '[{"a":1}]', words: ['JSON'] },
	{ what: 'a workbook', file: bytes(0x50, 0x4b, 3, 4, 20, 0, 6, 0), words: ['.xlsx', 'CSV UTF-8'] },
	{ what: 'an old workbook', file: bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), words: ['.xls', 'CSV UTF-8'] },
	{ what: 'a PDF document', file: '%PDF-1.7\n', words: ['PDF'] },
	{ what: 'a compressed file', file: bytes(0x1f, 0x8b, 8, 0), words: ['gzip'] },
]; // prettier-ignore
