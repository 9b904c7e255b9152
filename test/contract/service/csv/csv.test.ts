import type { Caller } from '../http';
import { id, makeGrid, objects, startWithOwner } from '../http';

let context: Awaited<ReturnType<typeof startWithOwner>>;
let owner: Caller;
beforeAll(async () => {
	context = await startWithOwner();
	owner = context.owner;
});
afterAll(() => context.service.stop());

const boundary = 'part-of-the-test';
function multipart(parts: Record<string, string>, file: string) {
	const texts = Object.entries(parts).map(
		([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
	);
	const last = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${file}\r\n--${boundary}--\r\n`;
	return { type: `multipart/form-data; boundary=${boundary}`, content: texts.join('') + last };
}

test('§4.4 GET csv: a file download with every entity; on a virtual grid the filtered cut', async () => {
	const { grid, ids } = await makeGrid(owner, {
		t: { name: 'string' },
		n: { name: 'integer' },
		l: { name: 'stringcollection' },
	});
	await owner.create(`${grid}/entities`, { fields: ['plain', 1, null] });
	await owner.create(`${grid}/entities`, { fields: ['with "quotes", comma\nand line', 2, ['a', 'b']] });
	const reply = await owner.get(`${grid}/csv`);
	expect(reply.status).toBe(200);
	expect(reply.headers.get('content-type')).toBe('application/octet-stream');
	expect(reply.headers.get('content-disposition')).toBe('attachment; filename="service-export.csv"');
	expect(reply.text).toBe('T,N,L\nplain,1,\n"with ""quotes"", comma\nand line",2,"[""a"",""b""]"\n');
	const view = await owner.create(`${grid}/virtualgrids`, {
		name: 'Cut',
		fields: [ids['n']],
		filter: { [id(ids, 'n')]: { $eq: 2 } },
	});
	expect((await owner.get(`${view}/csv`)).text).toBe('N\n2\n');
});

test('§4.3 POST uploadCSV: name and key; 201 with the path of the new grid; types follow the values', async () => {
	const space = await owner.create(`${context.home}/spaces`, { name: 'Uploads' });
	const file =
		'\ufeffName;Age;Share;Member;Born;Postcode\r\nAda;36;0.5;true;1815-12-10;01234\r\n"Lovelace; A";;1;false;;99999\r\n';
	const reply = await owner.send('POST', `${space}/uploadCSV`, {
		raw: multipart({ name: 'People', key: 'people' }, file),
	});
	expect(reply.status).toBe(201);
	const grid = reply.headers.get('location') ?? '';
	expect((await owner.get(grid)).json()).toMatchObject({ name: 'People', key: 'people', type: 'persistent' });
	const fields = objects(
		(await owner.get(grid, undefined, { Accept: 'application/vnd.service.hal;version=2' })).json()['fields'],
	);
	expect(fields.map((field) => field['type'])).toEqual(
		['string', 'integer', 'decimal', 'boolean', 'date', 'string'].map((name) => ({ name })),
	);
	const items = objects((await owner.get(`${grid}/entities`, { layout: 'property' })).json()['items']);
	expect(items).toMatchObject([
		{ Name: 'Ada', Age: 36, Share: 0.5, Member: true, Born: '1815-12-10', Postcode: '01234' },
		{ Name: 'Lovelace; A', Age: null, Share: 1, Member: false, Born: null, Postcode: '99999' },
	]);
});

test('§4.3 POST uploadCSV: an unreadable file creates nothing', async () => {
	const space = await owner.create(`${context.home}/spaces`, { name: 'Bad uploads' });
	const upload = (parts: Record<string, string>, file: string) =>
		owner.send('POST', `${space}/uploadCSV`, { raw: multipart(parts, file) });
	expect((await upload({ name: 'Reserved' }, '_id\n1\n')).status).toBe(400);
	expect((await upload({}, 'a\n1\n')).status).toBe(400);
	expect((await owner.post(`${space}/uploadCSV`)).status).toBe(400);
	expect((await owner.get(`${space}/grids`)).json()).toMatchObject({ numberOfItems: 0 });
});

test('§4.4, §8 GET query: text search; 50 a page by default; values of the first four fields of the schema', async () => {
	const text = { name: 'string' };
	const { grid, ids } = await makeGrid(
		owner,
		{ a: text, b: text, c: { name: 'integer' }, d: text, e: text },
		'Searched',
	);
	await owner.create(`${grid}/entities`, { fields: ['Apfel', 'x', 1, null, null] });
	await owner.create(`${grid}/entities`, { fields: ['Birne', 'y', 42, null, 'hidden apfel'] });
	await owner.create(`${grid}/entities`, { fields: ['GRÜN', 'z', 3, null, null] });
	const search = async (query: Record<string, string>) =>
		(await owner.get(`${grid}/query`, { layout: 'key', ...query })).json();
	const found = async (query: Record<string, string>) =>
		objects((await search(query))['items']).map((item) => item['a']);
	expect(await found({ matching: 'APFEL' })).toEqual(['Apfel', 'Birne']);
	expect(await found({ matching: 'grün' })).toEqual(['GRÜN']);
	expect(await found({ matching: '42' })).toEqual(['Birne']);
	expect(await found({ matching: 'nowhere' })).toEqual([]);
	const all = await search({});
	expect(all).toMatchObject({ pageSize: 50, numberOfItems: 3 });
	const [item] = objects(all['items']);
	expect(Object.keys(item ?? {})).toEqual(['_id', '_representation', 'a', 'b', 'c', 'd', '_links']);
	const view = await owner.create(`${grid}/virtualgrids`, {
		name: 'Only 42',
		fields: [ids['a']],
		filter: { [id(ids, 'c')]: { $eq: 42 } },
	});
	expect(await found({ viewId: view.split('/').pop() ?? '' })).toEqual(['Birne']);
	expect(await found({ matching: '%' })).toEqual([]);
});
