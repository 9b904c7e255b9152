import { csvRows } from '../../../../../nodes/Entity/file/fileRows';
import { decoded, ENCODINGS, type Encoding } from '../../../../../nodes/shared/connection/fileDecoder';
import {
	CSV_FILES,
	REFUSED_CSV_FILES,
	type CsvFile,
	type RefusedCsvFile,
} from '../../../../../testbed/csvFiles';

const isEncoding = (name: string): name is Encoding => Object.hasOwn(ENCODINGS, name);

async function* inParts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
	for (let from = 0; from < bytes.length; from += size)
		yield await Promise.resolve(bytes.subarray(from, from + size));
}

async function read({ file, encoding = 'utf-8' }: CsvFile | RefusedCsvFile, size: number) {
	if (!isEncoding(encoding)) throw new Error(`The nodes do not offer ${encoding}`);
	const name = 'orders.csv';
	const texts = () => decoded(name, inParts(Buffer.from(file), size), encoding);
	const table = await csvRows({ name, texts });
	const cells: unknown[] = [];
	for await (const row of table.rows()) cells.push(row.cells);
	return { columns: table.columns, rows: cells };
}

const SIZES = [1, 3, 1000];

test.each(CSV_FILES)('the nodes read a file with $what', async (one) => {
	for (const size of SIZES)
		expect([size, await read(one, size)]).toEqual([size, { columns: one.columns, rows: one.rows }]);
});

test.each(REFUSED_CSV_FILES)('the nodes refuse $what', async (one) => {
	for (const size of SIZES) {
		const refusal = await read(one, size).catch((error: unknown) => error);
		expect(refusal).toMatchObject({ hint: expect.any(String) as unknown });
		const { message, hint } = Object(refusal) as { message: string; hint: string };
		for (const word of one.words) expect(`${message} ${hint}`.toLowerCase()).toContain(word.toLowerCase());
	}
});

/** A table after lines that are none of it. */
const TITLED: Array<[title: string, firstRow: number]> = [
	['Orders of 2026\n', 2],
	['"Orders, ""all"\r\n\r\n# made by a program\r\n', 4],
	['Orders\r\r\n;;;\r\r\n', 3],
	['one\rtwo\r', 3],
	['sep=,\n', 2],
];

test.each(TITLED)('a table after %j begins in line %i', async (title, firstRow) => {
	for (const size of SIZES) {
		const texts = () =>
			decoded('a.csv', inParts(Buffer.from(`${title}a;b\n1;2\n\n"x\ny";4\n`), size), 'utf-8');
		const table = await csvRows({ name: 'a.csv', texts }, { firstRow });
		expect([size, table.columns]).toEqual([size, ['a', 'b']]);
		const rows = [];
		for await (const row of table.rows()) rows.push(row);
		expect(rows).toEqual([
			{ line: firstRow + 1, cells: ['1', '2'] },
			{ line: firstRow + 3, cells: ['x\ny', '4'] },
		]);
		await expect(csvRows({ name: 'a.csv', texts }, { firstRow: 99 })).rejects.toMatchObject({
			message: expect.stringContaining('no row from line 99 on') as string,
		});
	}
});
