import { request } from 'node:http';
import type { Caller } from '../http';
import { id, makeGrid, overSocket, testService, byKey, last } from '../http';

const context = testService({ onFault: (fault) => faults.push(fault) });
const { owner, anonymous } = context;
const faults: unknown[] = [];
let space: string;
let grid: string;
let ids: Record<string, string>;
beforeAll(async () => {
	({ space, grid, ids } = await makeGrid(owner, { a: { name: 'string' } }));
});
afterEach(() => {
	expect(faults.splice(0)).toEqual([]);
});

const json = (content: string) => ({ raw: { type: 'application/json', content } });
const type = 'multipart/form-data; boundary=x';
const part = (name: string, content: string) =>
	`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const nested = (levels: number, open: string, inner: string, close: string) =>
	open.repeat(levels) + inner + close.repeat(levels);

test('JSON nested thousands of levels deep is refused with a message', async () => {
	const form = await owner.create(`${grid}/links`, { kind: 'form' });
	const bodies = [
		nested(50_000, '[', '', ']'),
		nested(50_000, '{"a":', '1', '}'),
		`{"${id(ids, 'a')}":${nested(5000, '[', '"x"', ']')}}`,
		`{"properties":${nested(3000, '{"a":', '1', '}')},"type":"kanban"}`,
	];
	for (const [method, address] of [
		['POST', `${grid}/entities`],
		['POST', `${space}/uploadCSV`],
		['PATCH', space],
		['DELETE', `${grid}/sviews/x`],
	] as const)
		for (const content of bodies) {
			const { status, text } = await owner.send(method, address, json(content));
			const refused = [method, 400, expect.stringContaining('deeper than 64')];
			expect([method, status, text]).toEqual(refused);
		}
	for (const content of bodies) expect((await anonymous.send('POST', form, json(content))).status).toBe(400);
	for (const name of ['filter', 'sorting'])
		expect((await owner.get(`${grid}/entities`, { [name]: nested(700, '{"$not":', '{}', '}') })).status).toBe(
			400,
		);
});

test('a member __proto__ and a malformed body respond with 400', async () => {
	for (const content of ['{"__proto__":{"admin":true}}', '{"properties":{"x":{"__proto__":1}}}', '{'])
		expect((await owner.send('PATCH', grid, json(content))).status).toBe(400);
	expect(await owner.read(grid)).toMatchObject({ properties: {} });
	expect((await owner.send('PATCH', grid, json('\uFEFF{"properties":{"a":1}}'))).status).toBe(200);
});

test('multipart/form-data is accepted for file uploads only', async () => {
	const raw = { type, content: `${part('name', 'By form')}${part('file', 'a,b\n1,2\n')}--x--\r\n` };
	expect((await owner.send('POST', `${space}/uploadCSV`, { raw })).status).toBe(201);
	const many = Array.from({ length: 12 }, (_, n) => part(`p${n}`, '')).join('');
	for (const [wrong, status, message] of [
		[{ type, content: part('name', 'Cut').trimEnd() }, 400, 'malformed or truncated'],
		[{ type: 'multipart/form-data', content: '' }, 400, 'must have a boundary'],
		[{ type, content: `${many}--x--\r\n` }, 413, 'more than 11 parts'],
	] as const) {
		const reply = await owner.send('POST', `${space}/uploadCSV`, { raw: wrong });
		expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
	}
	const refused = await owner.send('POST', `${space}/grids`, { raw });
	expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('accepts JSON')]);
	const form = await owner.create(`${grid}/links`, { kind: 'form' });
	expect((await anonymous.send('POST', form, { raw })).status).toBe(400);
});

test('bodies are limited to 2 MiB and uploads to 64 MiB; larger ones respond with 413 and write nothing', async () => {
	const megabyte = 1024 * 1024;
	const text = await makeGrid(owner, { a: { name: 'richText' } }, 'Limits');
	const sized = (bytes: number) => json(`{"fields":["x"]${' '.repeat(bytes - 16)}}`);
	expect((await owner.send('POST', `${text.grid}/entities`, sized(2 * megabyte))).status).toBe(201);
	expect((await owner.send('POST', `${text.grid}/entities`, sized(2 * megabyte + 1))).status).toBe(413);
	const upload = (name: string, ...files: number[]) => {
		const parts = files.map((bytes) => part('file', `a\n${'b'.repeat(bytes)}`));
		const content = `${part('name', name)}${parts.join('')}--x--\r\n`;
		return owner.send('POST', `${space}/uploadCSV`, { raw: { type, content } });
	};
	expect((await upload('Too large', 65 * megabyte)).status).toBe(413);
	expect((await upload('Too large together', 40 * megabyte, 40 * megabyte)).status).toBe(413);
	expect((await owner.read(`${text.grid}/entities`))['numberOfItems']).toBe(1);
	expect((await owner.get(`${space}/grids`)).text).not.toContain('Too large');
}, 60_000);

/**
 * Sends the head of an upload and the start of its body only.
 * @returns the status of the response that arrives before the body ends
 */
function sendHead(path: string, headers: Record<string, string>): Promise<string> {
	const { hostname, port } = new URL(context.service.url);
	return new Promise((resolve, reject) => {
		const sent = request({ hostname, port, method: 'POST', path, headers }, (response) => {
			resolve(String(response.statusCode));
			sent.destroy();
		});
		sent.on('error', reject);
		sent.write('--x\r\n');
	});
}

test('form parts other than the file are limited to 2 MiB like other bodies', async () => {
	const send = async (name: string, padding: number, dryRun = 'true') => {
		const form = new FormData();
		const parts = { name, file: 'n\n1\n', types: `{"n":"string"${' '.repeat(padding)}}`, dryRun };
		for (const [part, content] of Object.entries(parts)) form.append(part, content);
		return await owner.upload(`${space}/uploadCSV`, form);
	};
	const large = 2 * 1024 * 1024;
	expect((await send('Padded', large - 1000)).status).toBe(200);
	for (const refused of [
		await send('Padded', large),
		await send('Padded', 0, 't'.repeat(large + 1)),
		await send('p'.repeat(large + 1), 0),
	])
		expect([refused.status, refused.json()['message']]).toEqual([413, expect.stringContaining('2097152')]);
});

test('unauthorized callers are refused before the body is read', async () => {
	const { caller: reader } = await owner.newKey('reader');
	const { authorization = '' } = reader;
	const long = { 'content-length': '60000000' };
	const upload = { ...long, 'content-type': type };
	const view = await owner.create(`${grid}/links`, { kind: 'view' });
	const locked = await owner.create(`${grid}/links`, { kind: 'form', user: 'u', password: 'password' });
	const cases: Array<[string, string, Record<string, string>]> = [
		['404', `/api/a/${owner.userId}/nope`, upload],
		[
			'404',
			`/api/a/${owner.userId}/nope`,
			{ ...upload, 'transfer-encoding': 'chunked', 'content-length': '' },
		],
		['403', view, upload],
		['401', locked, upload],
		['401', `${space}/uploadCSV`, upload],
		['403', `${space}/uploadCSV`, { ...upload, authorization }],
		['403', `${grid}/entities`, { ...long, 'content-type': 'application/json', authorization }],
	];
	for (const [status, path, { 'content-length': length, ...headers }] of cases)
		expect([path, await sendHead(path, length ? { 'content-length': length, ...headers } : headers)]).toEqual(
			[path, status],
		);
});

test('hundreds of thousands of invalid items in a body are refused with a short message', async () => {
	const many = <Item>(item: Item) => Array.from({ length: 300_000 }, () => item);
	const types = { list: { name: 'stringcollection' }, pick: { name: 'enumcollection', options: ['a'] }, files: { name: 'attachments' }, to: { name: 'references' } }; // prettier-ignore
	const lists = await makeGrid(owner, types, 'Lists');
	const form = await owner.create(`${lists.grid}/links`, { kind: 'form' });
	const view = { name: 'Lists', fields: [id(lists.ids, 'list')], filter: {} };
	const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 1]));
	const cases: Array<[Caller, string, unknown]> = [
		...Object.keys(types).map((key): [Caller, string, unknown] => [anonymous, form, { [id(lists.ids, key)]: many(1) }]),
		[owner, `${lists.grid}/virtualgrids`, { ...view, fields: many(1) }],
		[owner, `${lists.grid}/virtualgrids`, { ...view, filter: { $or: many(1) } }],
		[owner, `${lists.grid}/ColumnAdd`, { name: 'P', type: { name: 'enum', options: many(1) } }],
		[owner, `${space}/grids`, { name: 'Unknown members', ...unknown }],
	]; // prettier-ignore
	for (const [caller, path, body] of cases) {
		const { status, text } = await caller.post(path, body);
		expect([path, status, text.length < 10_000]).toEqual([path, 400, true]);
	}
});

test('a cell with more than 1,000 elements is refused, also from a form', async () => {
	const types = { list: { name: 'stringcollection' }, to: { name: 'references' } };
	const { grid: own, ids: fields } = await makeGrid(owner, types, 'Parts');
	const form = await owner.create(`${own}/links`, { kind: 'form' });
	for (const [key, part] of [['list', 'x'], ['to', { uri: '/x' }]] as const) {
		const body = (count: number) => ({ [id(fields, key)]: Array.from({ length: count }, () => part) });
		expect((await anonymous.post(form, body(1000))).status).toBe(201);
		const { status, text } = await anonymous.post(form, body(1001));
		expect([status, text]).toEqual([400, expect.stringContaining('1000 elements')]);
	}
}); // prettier-ignore

test('a file of millions of line breaks is refused as empty', async () => {
	const raw = { type, content: `${part('name', 'Empty')}${part('file', '\n'.repeat(5_000_000))}--x--\r\n` };
	const { status, text } = await owner.send('POST', `${space}/uploadCSV`, { raw });
	expect([status, text]).toEqual([400, expect.stringContaining('is empty')]);
});

test('a value that is none of 100,000 options is refused with a short message', async () => {
	const options = Array.from({ length: 100_000 }, (_, n) => `o${n}`);
	const { grid: own, ids: fields } = await makeGrid(owner, { pick: { name: 'enum', options } }, 'Picks');
	const wrong = await owner.post(`${own}/entities`, { pick: 'x' }, byKey);
	expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('expected one of o0, o1, ')]);
	expect(wrong.text.length).toBeLessThan(10_000);
	// Each value of a stored filter is a problem with such a message.
	const filter = { [id(fields, 'pick')]: { $in: options.slice(0, 1000) } };
	const view = await owner.create(`${own}/virtualgrids`, { name: 'Picked', fields: [], filter });
	const type = { name: 'enum', options: options.slice(1000) };
	await owner.post(`${own}/ColumnTypeChange`, { fieldId: id(fields, 'pick'), type });
	const reply = await owner.get(view);
	const { problems } = reply.json();
	expect([Array.isArray(problems) && problems.length, reply.text.length < 10_000_000]).toEqual([1000, true]);
});

test('a change of 150,000 options converts a list of 1,000 values', async () => {
	const options = Array.from({ length: 150_000 }, (_, n) => `o${n.toString(36)}`);
	const { grid: own, ids: fields } = await makeGrid(owner, { list: { name: 'enumcollection', options } }, 'Options'); // prettier-ignore
	const list = Array.from({ length: 1000 }, () => options.at(-1) ?? '');
	const row = await owner.create(`${own}/entities`, { list }, byKey);
	const type = { name: 'enumcollection', options: options.slice(1) };
	const changed = await owner.post(`${own}/ColumnTypeChange`, { fieldId: id(fields, 'list'), type });
	expect(changed.status).toBe(200);
	expect(await owner.read(row, byKey)).toMatchObject({ list });
}, 60_000);

test('a request target in absolute form does not affect Location or _links', async () => {
	const authorization = `Authorization: ${owner.authorization}`;
	const body = '{"name":"Absolute"}';
	const head = (method: string, target: string) =>
		`${method} ${target} HTTP/1.1\r\nHost: evil.example\r\n${authorization}\r\nConnection: close\r\n`;
	const made = await overSocket(
		owner.url,
		`${head('POST', `http://evil.example${space}/grids`)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
	);
	expect(made).toMatch(/^HTTP\/1\.1 201/);
	expect(/location: (.*)\r/i.exec(made)?.[1]).toMatch(new RegExp(`^${space}/grids/[0-9a-f]{24}$`));
	const list = await overSocket(
		owner.url,
		`${head('GET', `HTTP://evil.example:81${space}/grids?pageSize=1`)}\r\n`,
	);
	expect(list).toMatch(/^HTTP\/1\.1 200/);
	expect(list + made).not.toContain('evil.example');
	const closed = await overSocket(
		owner.url,
		`GET http://evil.example${space} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
	);
	expect(closed).toMatch(/^HTTP\/1\.1 401/);
});

test('Location contains the IDs in any spelling of the request path', async () => {
	const spelled = (path: string) => path.replace('/users/', '/%75sers/').replace('/spaces/', '/s%70aces/');
	const field = last(await owner.create(`${grid}/ColumnAdd`, { name: 'F', type: { name: 'string' } })); // prettier-ignore
	const view = { name: 'Spelled', fields: [field], filter: {} };
	const share = { email: 'spelled@example.com', role: 'reader' };
	const sview = await owner.create(`${grid}/sviews`, { type: 'kanban' });
	const cases: Array<[string, unknown, string]> = [
		[`${spelled(context.home)}/space%73`, { name: 'Spelled' }, `${context.home}/spaces/`],
		[`${spelled(space)}/grid%73`, { name: 'Spelled grid' }, `${space}/grids/`],
		[`${spelled(space)}/uploadCS%56`, { name: 'Spelled file', file: 'a\n1\n' }, `${space}/grids/`],
		[`${spelled(space)}/share%73`, share, `${space}/shares/`],
		[`${spelled(space)}/invit%65`, share, `${space}/shares/`],
		[`${spelled(grid)}/virtualgrid%73`, view, `${space}/grids/`],
		[`${spelled(grid)}/sview%73`, { type: 'kanban' }, `${grid}/sviews/`],
		[`${spelled(sview)}/share%73`, share, `${sview}/shares/`],
		[`${spelled(grid)}/entitie%73?layout=field`, {}, `${grid}/entities/`],
	];
	for (const [path, body, expected] of cases) {
		const made = await owner.create(path, body);
		expect(made.slice(0, expected.length)).toBe(expected);
		expect(made.slice(expected.length)).toMatch(/^[0-9a-f]{24}$/);
	}
});
