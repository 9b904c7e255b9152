import { id, makeGrid, objects, overSocket, testService, byKey } from '../http';

const context = testService();
const { owner } = context;

test('§4.3 matching finds spaces with that property only, and needs a pair of key and value', async () => {
	const reply = await owner.get(`${context.home}/spaces`, { matching: 'nonsense' });
	expect(reply.status).toBe(400);
	expect(reply.json()['message']).toContain('matching');
	await owner.create(`${context.home}/spaces`, { name: 'Matched', properties: { color: 'a=b,c' } });
	const none = await owner.get(`${context.home}/spaces`, { matching: 'color,a=b' });
	expect(none.json()['items']).toEqual([]);
	for (const matching of ['color,a=b,c', 'color:a=b,c', 'color=a=b,c']) {
		const page = await owner.read(`${context.home}/spaces`, { matching });
		expect(objects(page['items']).map((space) => space['name'])).toEqual(['Matched']);
	}
});

test('§4.4 text search covers values, not their JSON: member names, brackets and quotes do not match', async () => {
	const { grid, ids } = await makeGrid(
		owner,
		{
			place: { name: 'address' },
			tags: { name: 'stringcollection' },
			flag: { name: 'boolean' },
			n: { name: 'decimal' },
		},
		'Structured',
	);
	const values = [{ line1: 'Elm Street', city: 'Köln' }, ['say "hi"', 'back\\slash'], true, 10.5];
	await owner.create(`${grid}/entities`, { fields: values });
	const found = async (matching: string) =>
		(await owner.read(`${grid}/query`, { matching }))['numberOfItems'];
	for (const syntax of ['line1', '[', '{', '":', '\\"', '\\\\', '1,', '"city"'])
		expect([syntax, await found(syntax)]).toEqual([syntax, 0]);
	for (const text of ['elm', 'KÖLN', 'say "hi"', '"hi"', 'back\\slash', 'true', '10.5'])
		expect([text, await found(text)]).toEqual([text, 1]);
	const filtered = async (key: string, $contains: string) => {
		const filter = JSON.stringify({ [id(ids, key)]: { $contains } });
		return (await owner.read(`${grid}/entities`, { filter }))['numberOfItems'];
	};
	expect(await filtered('place', 'line1')).toBe(0);
	expect(await filtered('place', 'elm')).toBe(1);
	expect(await filtered('tags', 'say "hi"')).toBe(1);
	expect(await filtered('tags', 'say')).toBe(0);
	for (const n of [1e21, 1e-7]) {
		await owner.create(`${grid}/entities`, { n }, byKey);
		expect([n, await found(String(n)), await filtered('n', String(n))]).toEqual([n, 1, 1]);
	}
	expect(await found('null')).toBe(0);
});

test('a JSON content type without a body counts as no body', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Bodies');
	const entity = await owner.create(`${grid}/entities`, { fields: ['x'] });
	const raw = { type: 'application/json', content: '' };
	const deleted = await owner.send('DELETE', entity, { raw });
	expect([deleted.status, deleted.text]).toEqual([200, '"deleted"']);
	const missing = await owner.send('POST', `${grid}/entities`, { raw });
	expect([missing.status, missing.json()['message']]).toEqual([400, expect.stringContaining('missing')]);
	const space = grid.replace(/\/grids.*/, '');
	expect((await owner.send('POST', `${space}/copy`, { raw })).status).toBe(201);
});

test('§7 an unknown ID of any length is 404, and one followed by NUL is a different ID', async () => {
	const { space, grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Ids');
	const entity = await owner.create(`${grid}/entities`, { fields: ['x'] });
	for (const address of [`${space}/grids/`, `${grid}/entities/`, `${grid}/fields/`, `${grid}/forms/`]) {
		for (const length of [24, 300, 5000])
			expect([address, (await owner.get(address + 'a'.repeat(length))).status]).toEqual([address, 404]);
	}
	expect((await owner.get(`${entity}%00`)).status).toBe(404);
	expect((await owner.delete(`${entity}%00x`)).status).toBe(404);
	expect((await owner.get(`${grid}%00`)).status).toBe(404);
	expect((await owner.get(entity)).status).toBe(200);
});

test('names refuse NUL and lone surrogates instead of truncating them', async () => {
	const { space, grid, ids } = await makeGrid(owner, { a: { name: 'string' } }, 'Names');
	const fields = [id(ids, 'a')];
	for (const bad of ['cut\u0000here', 'half \ud83d']) {
		const replies = [
			await owner.post(`${context.home}/spaces`, { name: bad }),
			await owner.post(`${context.home}/spaces`, { name: 'S', key: bad }),
			await owner.post(`${context.home}/spaces`, { name: 'S', belongsTo: bad }),
			await owner.patch(space, { name: bad }),
			await owner.post(`${space}/grids`, { name: bad }),
			await owner.post(`${space}/grids`, { name: 'G', key: bad }),
			await owner.patch(grid, { name: bad }),
			await owner.post(`${grid}/ColumnAdd`, { name: bad, type: { name: 'string' } }),
			await owner.post(`${grid}/ColumnAdd`, { name: 'F', key: bad, type: { name: 'string' } }),
			await owner.post(`${grid}/ColumnAdd`, { name: 'F', description: bad, type: { name: 'string' } }),
			await owner.post(`${grid}/ColumnRename`, { oldName: 'A', newName: bad }),
			await owner.post(`${grid}/ColumnKeyChange`, { fieldId: id(ids, 'a'), key: bad }),
			await owner.post(`${grid}/virtualgrids`, { name: bad, fields, filter: {} }),
			await owner.post(`${grid}/sviews`, { type: bad }),
			await owner.post(`${context.home}/accessKeys`, { name: bad, role: 'reader' }),
			await owner.post(`${space}/copy`, { name: bad }),
			await owner.post(`${space}/uploadCSV`, { name: bad, file: 'a\n1\n' }),
			await owner.post(`${grid}/links`, {
				kind: 'form',
				protection: 'link',
				user: bad,
				password: 'long enough',
			}),
		];
		expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 400));
	}
});

test('values of every kind refuse NUL and lone surrogates, which an export would change', async () => {
	const types = { a: { name: 'string' }, l: { name: 'stringcollection' }, p: { name: 'address' } };
	const { space, grid } = await makeGrid(owner, types, 'Cells');
	const entity = await owner.create(`${grid}/entities`, { fields: ['x', null, null] });
	for (const bad of ['a\u0000b', 'half \ud83d', '\udc00']) {
		const replies = [
			await owner.post(`${grid}/entities`, { fields: [bad, null, null] }),
			await owner.put(entity, { a: bad }, byKey),
			await owner.put(entity, { l: ['x', bad] }, byKey),
			await owner.put(entity, { p: { city: bad } }, byKey),
			await owner.post(`${entity}/update`, { a: bad }),
			await owner.patch(space, { properties: { [bad]: 'x' } }),
			await owner.patch(grid, { properties: { deep: [{ er: bad }] } }),
		];
		expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 400));
		expect(replies[0]?.json()['message']).toContain('contains NUL or a lone surrogate');
	}
	const pair = await owner.put(entity, { a: 'whole \ud83d\ude00 \\ud83d' }, byKey);
	expect(pair.json()['a']).toBe('whole 😀 \\ud83d');
});

test('names of columns are trimmed and composed at every entry point', async () => {
	const { space, grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Composed');
	const string = { name: 'string' };
	const field = await owner.create(`${grid}/ColumnAdd`, { name: ' Cafe\u0301\n', type: string });
	expect((await owner.read(field))['name']).toBe('Caf\u00e9');
	expect((await owner.post(`${grid}/ColumnAdd`, { name: 'Caf\u00e9', type: string })).status).toBe(400);
	expect((await owner.post(`${grid}/ColumnRename`, { oldName: 'A', newName: 'Cafe\u0301 ' })).status).toBe(
		400,
	);
	expect((await owner.patch(field, { name: '\tCafe\u0301s' })).status).toBe(200);
	expect((await owner.read(field))['name']).toBe('Caf\u00e9s');
	const body = { 'Cafe\u0301s': 'x' };
	const entity = await owner.create(`${grid}/entities`, body, { layout: 'property' });
	expect((await owner.read(entity, { layout: 'property' }))['Caf\u00e9s']).toBe('x');
	const rename = { oldName: ' Cafe\u0301s', newName: 'U\u0308ber' };
	expect((await owner.post(`${grid}/ColumnRename`, rename)).status).toBe(200);
	expect((await owner.read(field))['name']).toBe('\u00dcber');
	const upload = { name: 'Typed', file: 'U\u0308ber \n1\n', types: { 'U\u0308ber': 'string' } };
	const uploaded = await owner.create(`${space}/uploadCSV`, upload);
	expect((await owner.get(`${uploaded}/csv`)).text).toBe('\u00dcber\n1\n');
});

test('§8 limits count code points, not code units', async () => {
	for (const sign of ['ä', '漢', 'ש'])
		await owner.create(`${context.home}/spaces`, { name: sign.repeat(80), key: sign.repeat(25) });
	const name = '😀'.repeat(80);
	const key = '😀'.repeat(25);
	const space = await owner.create(`${context.home}/spaces`, { name, key });
	expect(await owner.read(space)).toMatchObject({ name, key });
	expect((await owner.post(`${context.home}/spaces`, { name: `${name}x` })).status).toBe(400);
	expect((await owner.post(`${context.home}/spaces`, { name: 'x', key: `${key}x` })).status).toBe(400);
	const grid = await owner.create(`${space}/grids`, { name, key, createView: true });
	expect(await owner.read(grid)).toMatchObject({ name, key });
	expect((await owner.post(`${space}/grids`, { name: `${name}x` })).status).toBe(400);
	const [view] = await owner.items(`${grid}/virtualgrids`);
	expect(view?.['name']).toBe(`${'😀'.repeat(75)} view`);
	const copy = await owner.create(`${space}/copy`, {});
	expect((await owner.read(copy))['name']).toBe(`${'😀'.repeat(75)} copy`);
});

test('§4.4 createView and the copy of a space choose a free name if the usual one is taken', async () => {
	const space = await owner.create(`${context.home}/spaces`, { name: 'Taken' });
	await owner.create(`${space}/grids`, { name: 'Orders view' });
	const grid = await owner.create(`${space}/grids`, { name: 'Orders', createView: true });
	const [view] = await owner.items(`${grid}/virtualgrids`);
	expect(view?.['name']).toBe('Orders view 2');
	const names = [];
	for (let n = 0; n < 3; n++) {
		const copy = await owner.create(`${space}/copy`, {});
		names.push((await owner.read(copy))['name']);
	}
	expect(names).toEqual(['Taken copy', 'Taken copy 2', 'Taken copy 3']);
	expect((await owner.post(`${space}/copy`, { name: 'Taken copy' })).status).toBe(400);
});

test('§5 a 401 names the accepted credentials', async () => {
	const { anonymous, home, service } = context;
	const challenge = (reply: { headers: Headers }) => reply.headers.get('www-authenticate');
	expect(challenge(await anonymous.get(home))).toBe(
		'Basic realm="Data-Grid Service", charset="UTF-8", Bearer realm="Data-Grid Service"',
	);
	const headers = { authorization: 'Bearer nonsense' };
	expect(challenge(await anonymous.get(home, undefined, headers))).toMatch(/Bearer/);
	const { grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Locked');
	const login = { protection: 'link', user: 'guest', password: 'open sesame' };
	const link = await owner.create(`${grid}/links`, { kind: 'form', ...login });
	const refused = await anonymous.get(link);
	expect([refused.status, refused.headers.get('service-authorization')]).toEqual([401, 'link']);
	expect(challenge(refused)).toBe('Basic realm="Data-Grid Service link", charset="UTF-8"');
	expect(challenge(await owner.get(home))).toBeNull();
	expect(service.url).toMatch(/^http/);
});

test('a JSON body that is not UTF-8 is refused, and nothing is written', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Latin');
	const body = Buffer.from('{"fields":["Käse"]}', 'latin1');
	const headers = `Authorization: ${owner.authorization}\r\nContent-Type: application/json`;
	const head = `POST ${grid}/entities HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}`;
	const length = `Content-Length: ${body.length}`;
	const response = await overSocket(owner.url, `${head}\r\n${length}\r\n\r\n`, body);
	expect(response).toMatch(/^HTTP\/1.1 400/);
	expect(response).toContain('UTF-8');
	expect((await owner.read(`${grid}/entities`))['numberOfItems']).toBe(0);
});
