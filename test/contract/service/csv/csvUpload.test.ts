import { textFormatCases } from '../../../fixtures/textFormats';
import type { Json } from '../http';
import { object, objects, testService } from '../http';

const context = testService({ bodyLimit: 64 * 1024 * 1024 });
const { owner } = context;
let space: string;
beforeAll(async () => {
	space = await owner.create(`${context.home}/spaces`, { name: 'Uploads' });
});

let made = 0;
const upload = (file: string, more: Json = {}) =>
	owner.post(`${space}/uploadCSV`, { name: `File ${++made}`, file, ...more });

async function contentOf(grid: string) {
	const fields = await owner.fields(grid);
	const page = await owner.read(`${grid}/entities`, { layout: 'property', pageSize: '1000' });
	return {
		types: Object.fromEntries(fields.map((field) => [String(field['name']), object(field['type'])['name']])),
		rows: objects(page['items']),
	};
}

async function uploaded(file: string, more: Json = {}) {
	const reply = await upload(file, more);
	if (reply.status !== 201) throw new Error(reply.text);
	const grid = reply.headers.get('location') ?? '';
	return { grid, ...(await contentOf(grid)) };
}

test('§4.3 uploadCSV: a type is inferred only if every cell survives a round trip', async () => {
	const columns: Record<string, [type: string, ...cells: string[]]> = {
		bigId: ['string', '12345678901234567890', '1'],
		unsafe: ['string', '9007199254740993', '1'],
		price: ['string', '1.10', '2.5'],
		sku: ['string', '1e5', '7'],
		postcode: ['string', '01234', '99999'],
		minusZero: ['string', '-0', '0'],
		plus: ['string', '+5', '5'],
		spaced: ['string', ' 5', '5'],
		shouting: ['string', 'TRUE', 'true'],
		offset: ['string', '2026-03-01T09:30:00+01:00', '2026-03-01T09:30:00Z'],
		infinite: ['string', '1e999', '1'],
		noDay: ['string', '2026-02-30', '2026-02-28'],
		whole: ['integer', '9007199254740991', '-12'],
		decimal: ['decimal', '0.1', '3'],
		yes: ['boolean', 'true', 'false'],
		day: ['date', '2026-03-01', '2024-02-29'],
		moment: ['date-time', '2026-03-01T09:30:00.000Z', '2026-03-01T09:30:00.001Z'],
		mail: ['email', 'ann@example.com', 'bob@example.org'],
		mixed: ['string', 'true', '12'],
		dated: ['string', '12', '2026-01-01'],
		growing: ['decimal', '12', '0.5'],
		empty: ['string', '', ''],
	};
	const names = Object.keys(columns);
	const line = (n: number) => names.map((name) => columns[name]?.[n] ?? '').join(',');
	const file = `${names.join(',')}\n${line(1)}\n${line(2)}\n`;
	const { grid, types } = await uploaded(file);
	expect(types).toEqual(Object.fromEntries(names.map((name) => [name, columns[name]?.[0]])));
	expect((await owner.get(`${grid}/csv`)).text).toBe(file);
});

test('§4.3 uploadCSV: a cell that exceeds the maximum length of a string makes its column rich text', async () => {
	const long = 'x'.repeat(100_001);
	const { types, rows } = await uploaded(`short,long\na,${long}\n`);
	expect(types).toEqual({ short: 'string', long: 'richText' });
	expect(rows[0]?.['long']).toBe(long);
});

test('a column may have the name of a member that every object has', async () => {
	const { types, rows } = await uploaded('constructor,toString\n1,x\n');
	expect(types).toEqual({ constructor: 'integer', toString: 'string' });
	expect(rows).toMatchObject([{ constructor: 1, toString: 'x' }]);
});

test('types sets the types of columns; a cell that does not fit is refused with its row, and nothing is created', async () => {
	const file = 'Price,Code,Tags,Done,Big\n1.10,7,"[""a"",""b""]",TRUE,1e3\n2.500,008,,false,-0.50\n';
	const types = {
		Price: 'decimal',
		Code: { name: 'string' },
		Tags: { name: 'stringcollection' },
		Done: 'boolean',
		Big: 'currency',
	};
	const { types: given, rows } = await uploaded(file, { types });
	expect(given).toEqual({ Price: 'decimal', Code: 'string', Tags: 'stringcollection', Done: 'boolean', Big: 'currency' }); // prettier-ignore
	expect(rows).toMatchObject([
		{ Price: 1.1, Code: '7', Tags: ['a', 'b'], Done: true, Big: 1000 },
		{ Price: 2.5, Code: '008', Tags: null, Done: false, Big: -0.5 },
	]);
	const before = (await owner.read(`${space}/grids`))['numberOfItems'];
	const refused: Array<[file: string, types: unknown, message: string]> = [
		['n\n1\nx\n', { n: 'integer' }, 'Row 2 (line 3): Field "n" (integer) does not accept "x"'],
		['a,n\n\n1,2\n"3\n4",x\n', { n: 'integer' }, 'Row 3 (line 4)'],
		['n\n12345678901234567890\n', { n: 'decimal' }, 'Row 1'],
		['n\n1\n', { m: 'integer' }, '"m"'],
		['n\n1\n', { n: 'nonsense' }, 'types'],
		['n\nx\n', { n: 'createdby' }, 'computes'],
		['n\nx\n', { n: { name: 'enum', options: ['a', 'b'] } }, 'Row 1'],
	];
	for (const [content, wrong, message] of refused) {
		const reply = await upload(content, { types: wrong });
		expect([content, reply.status]).toEqual([content, 400]);
		expect(reply.json()['message']).toContain(message);
	}
	expect((await owner.read(`${space}/grids`))['numberOfItems']).toBe(before);
});

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n)).sort();
const asCell = (list: string[]) => `"${JSON.stringify(list).replaceAll('"', '""')}"`;

test.each<[string, string, string[]]>([
	['enum', 'b\n""\na\nb', ['a', 'b']],
	['enum', numbers(200).join('\n'), numbers(200)],
	['enumcollection', `${asCell(['b', 'a'])}\n""\n ["c"] \n${asCell(['a'])}`, ['a', 'b', 'c']],
	['enumcollection', asCell(numbers(200)), numbers(200)],
])('the options of a column of the type %s are the values in the file: %#', async (type, cells, options) => {
	const { grid } = await uploaded(`n\n${cells}\n`, { types: { n: type } });
	expect((await owner.fields(grid)).map((field) => field['type'])).toMatchObject([{ name: type, options }]);
});

test.each([
	['enum', numbers(201).join('\n'), '"n" has more than 200 different values; choose another type than enum,'],
	['enumcollection', asCell(numbers(201)), 'choose another type than enumcollection,'],
	['enumcollection', 'no list', 'Row 1 (line 2)'],
])('a column of the type %s is refused for the file: %#', async (type, cells, message) => {
	const reply = await upload(`n\n${cells}\n`, { types: { n: type } });
	expect([reply.status, reply.json()['message']]).toEqual([400, expect.stringContaining(message)]);
});

test('an empty text in quotation marks is a value of a text, unless the file quotes everything', async () => {
	const typesOf = async (file: string) => Object.values((await uploaded(file)).types);
	expect(await typesOf('a,b\n1,x\n"",y\n')).toEqual(['string', 'string']);
	expect(await typesOf('"a","b"\n"1","x"\n"","y"\n')).toEqual(['integer', 'string']);
	const { rows } = await uploaded('"a","b"\n"1","x"\n"",""\n');
	expect(rows).toMatchObject([{ a: 1, b: 'x' }, { a: null, b: '' }]); // prettier-ignore
	const typed = await uploaded('a\n""\n1\n', { types: { a: 'integer' } });
	expect(typed.rows).toMatchObject([{ a: null }, { a: 1 }]);
});

test('without a file, the grid is empty (§4.3)', async () => {
	const grid = await owner.create(`${space}/uploadCSV`, { name: 'No file', key: 'empty' });
	expect(await owner.read(grid)).toMatchObject({ name: 'No file', key: 'empty', type: 'persistent' });
	const { types, rows } = await contentOf(grid);
	expect([types, rows]).toEqual([{}, []]);
	for (const body of [{ file: 'a\n1\n' }, undefined])
		expect((await owner.post(`${space}/uploadCSV`, body)).status).toBe(400);
});

test('dryRun returns a preview and creates nothing', async () => {
	const before = (await owner.read(`${space}/grids`))['numberOfItems'];
	const lines = Array.from({ length: 20 }, (_, n) => `${n},v${n},`).join('\n');
	const preview = await upload(`N;x,Text,\n${lines}\n`, { name: 'Preview', types: { Text: 'richText' }, dryRun: true }); // prettier-ignore
	expect(preview.status).toBe(200);
	expect(preview.json()).toEqual({
		name: 'Preview',
		key: 'preview',
		separator: ',',
		numberOfRows: 20,
		columns: [
			{ name: 'N;x', key: 'n_x', type: { name: 'integer' }, filled: 20 },
			{ name: 'Text', key: 'text', type: { name: 'richText' }, filled: 20 },
		],
		rows: [0, 1, 2, 3, 4].map((n) => [String(n), `v${n}`]),
	});
	expect((await upload('_id\n1\n', { dryRun: true })).status).toBe(400);
	expect((await owner.read(`${space}/grids`))['numberOfItems']).toBe(before);
	expect((await upload('a\n1\n', { name: 'Preview' })).status).toBe(201);
	expect((await upload('a\n1\n', { name: 'Preview', dryRun: true })).status).toBe(400);
});

/** Sends a form whose parts are bytes. */
async function form(parts: Record<string, { head?: string; content: Buffer }>) {
	const boundary = 'part-of-the-test';
	const body = Buffer.concat([
		...Object.entries(parts).flatMap(([name, { head = '', content }]) => [
			Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n`),
			content,
			Buffer.from('\r\n'),
		]),
		Buffer.from(`--${boundary}--\r\n`),
	]);
	const { url, authorization = '' } = owner;
	const headers = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` };
	const response = await fetch(`${url}${space}/uploadCSV`, { method: 'POST', headers, body });
	return {
		status: response.status,
		location: response.headers.get('location') ?? '',
		text: await response.text(),
	};
}

const asFile = '; filename="a.csv"\r\nContent-Type: text/csv';
const namePart = () => ({ content: Buffer.from(`Form ${++made}`) });

test('a file that is sent as a plain form part is not truncated', async () => {
	const lines = Array.from({ length: 20_000 }, (_, n) => `${n},text of row ${n}`);
	const content = Buffer.from(`n,text\n${lines.join('\n')}\n`);
	expect(content.length).toBeGreaterThan(5 * 64 * 1024);
	for (const head of ['', asFile]) {
		const reply = await form({ name: namePart(), file: { head, content } });
		expect(reply.status).toBe(201);
		expect((await owner.get(`${reply.location}/csv`)).text).toBe(content.toString());
	}
});

test('a form has types as JSON, dryRun as text and its name in UTF-8', async () => {
	const file = { head: asFile, content: Buffer.from('n\n1\n') };
	const types = {
		head: '\r\nContent-Type: application/json',
		content: Buffer.from('{"n":{"name":"string"}}'),
	};
	const typed = await form({ name: namePart(), file, types });
	expect((await contentOf(typed.location)).types).toEqual({ n: 'string' });
	const dry = await form({ name: namePart(), file, types, dryRun: { content: Buffer.from('true') } });
	expect([dry.status, object(JSON.parse(dry.text))['numberOfRows']]).toEqual([200, 1]);
	expect((await form({ name: namePart(), file, types: { content: Buffer.from('{') } })).status).toBe(400);

	for (const [charset, message] of [['klingon', 'is unknown'], ['utf-8', 'UTF-8']] as const) {
		const head = `; filename="a.csv"\r\nContent-Type: text/csv; charset=${charset}`;
		const reply = await form({ name: namePart(), file: { head, content: Buffer.from('Köln\n', 'latin1') } });
		expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
	} // prettier-ignore
	const wrongName = await form({ name: { content: Buffer.from('Zür', 'latin1') }, file });
	expect(wrongName.status).toBe(400);
});

describe('formats of cells', () => {
	const FORMATS = {
		decimal: ['point', 'comma'],
		integer: ['point', 'comma'],
		date: ['dayFirst', 'monthFirst'],
		boolean: ['words'],
		// Days with a time depend on the time zone of the person.
		'date-time': [],
	};
	const read = textFormatCases.flatMap(({ text, type, first, second }) =>
		FORMATS[type].map((format, index) => ({ text, type, format, value: index === 0 ? first : second })),
	);
	test.each(read)('“$text” as $type, written as $format', async ({ text, type, format, value }) => {
		const file = `"Cell"\n"${text}"\n`;
		const reply = await upload(file, { types: { Cell: type }, formats: { Cell: format } });
		if (value === undefined) {
			expect([reply.status, reply.text]).toEqual([
				400,
				expect.stringContaining('"message":"Row 1 (line 2): '),
			]);
			return;
		}
		expect(reply.status).toBe(201);
		expect((await contentOf(reply.headers.get('location') ?? '')).rows).toMatchObject([{ Cell: value }]);
	});

	test.each([
		[{ types: { Cell: 'date' }, formats: { Cell: 'comma' } }, 'whose formats are: dayFirst, monthFirst'],
		[{ types: { Cell: 'string' }, formats: { Cell: 'point' } }, 'whose formats are: none'],
		[{ types: { Cell: 'decimal' }, formats: { Other: 'comma' } }, 'contains the column'],
		[{ types: { Cell: 'decimal' }, formats: { Cell: 'hours' } }, 'formats'],
	])('%j are refused', async (more, message) => {
		const reply = await upload('Cell\n1\n', more);
		expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
	});
});
