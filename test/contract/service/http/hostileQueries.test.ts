import { type Caller, href, id, makeGrid, object, objects, rels, byKey, last } from '../http';
import { testPeople } from '../people';

const context = testPeople({ onFault: (fault) => faults.push(fault) });
const { owner, anonymous } = context;
const faults: unknown[] = [];
let space: string;
let grid: string;
let ids: Record<string, string>;
beforeAll(async () => {
	({ space, grid, ids } = await makeGrid(owner, {
		text: { name: 'string' },
		n: { name: 'integer' },
		on: { name: 'boolean' },
	}));
	for (const fields of [
		['a', 1, true],
		['b', 2, false],
		[null, null, null],
		['it"s', 3, true],
	])
		await owner.create(`${grid}/entities`, { fields });
});
afterEach(() => {
	expect(faults.splice(0)).toEqual([]);
});

const texts = async (filter: unknown) => {
	const reply = await owner.get(`${grid}/entities`, { layout: 'key', filter: JSON.stringify(filter) });
	return objects(reply.json()['items']).map((row) => row['text']);
};
const where = (key: string, operand: unknown) => ({ [id(ids, key)]: operand });
const thousand = Array.from({ length: 1000 }, (_, n) => n + 2);

test('$in accepts 1,000 values, also within a view, and finds empty cells', async () => {
	const view = await owner.view(grid, [ids['text']], where('n', { $in: thousand }), { name: 'Thousand' });
	const shown = await owner.items(`${view}/entities`, byKey);
	expect(shown.map((row) => row['text'])).toEqual(['b', 'it"s']);
	expect(await texts(where('text', { $in: ['b', null] }))).toEqual(['b', null]);
});

test('filters with too many values are refused with a message, also in a view', async () => {
	const many = { $or: [1, 2, 3].map(() => where('n', { $in: thousand })) };
	const body = { name: 'Many', fields: [ids['text']], filter: many };
	for (const [sent, message] of [
		[body, 'more than'],
		[{ ...body, filter: where('n', { $in: [...thousand, 0] }) }, 'lists more than 1000 values'],
	] as const) {
		const reply = await owner.post(`${grid}/virtualgrids`, sent);
		expect([reply.status, reply.json()['message']]).toEqual([400, expect.stringContaining(message)]);
	}
});

test('filters with more conditions than SQLite parses are refused with a message, also in a view', async () => {
	const header = Array.from({ length: 150 }, (_, n) => `Column ${n}`).join(',');
	const wide = await owner.create(`${space}/uploadCSV`, { name: 'Many conditions', file: `${header}\n` });
	const fields = Object.keys(object((await owner.read(`${wide}/schema`))['properties']));
	const range = { $ne: 'a', $gt: 'b', $gte: 'c', $lt: 'y', $lte: 'z', $contains: 'm', $empty: false };
	const filters = [
		{ $or: Array.from({ length: 3000 }, () => ({})) },
		{ $and: Array.from({ length: 3000 }, () => ({})) },
		{ $not: { $or: Array.from({ length: 3000 }, () => ({})) } },
		Object.fromEntries(fields.map((field) => [field, range])),
	];
	for (const filter of filters) {
		const reply = await owner.post(`${wide}/virtualgrids`, { name: 'Too many', fields, filter });
		expect([reply.status, reply.json()['message']]).toEqual([400, 'The filter has more than 200 conditions']);
	}
	const alternatives = { $or: Array.from({ length: 190 }, () => ({})) };
	const view = await owner.create(`${wide}/virtualgrids`, { name: 'Many', fields, filter: alternatives });
	expect((await owner.get(`${view}/entities`)).status).toBe(200);
});

test('matching compares own properties of a space with any name and value', async () => {
	const made = await owner.create(`${context.home}/spaces`, {
		name: 'Odd',
		properties: { odd: { toString: null, valueOf: null }, list: [1, 2], n: 7, toString: 'x' },
	});
	const found = async (matching: string) => {
		const reply = await owner.get(`${context.home}/spaces`, { matching });
		return [reply.status, objects(reply.json()['items']).map((one) => one['id'])];
	};
	const own = last(made);
	expect(await found('toString,x')).toEqual([200, [own]]);
	expect(await found('n,7')).toEqual([200, [own]]);
	expect(await found('list,[1,2]')).toEqual([200, [own]]);
	expect(await found('odd,anything')).toEqual([200, []]);
	for (const name of ['constructor', 'valueOf', 'hasOwnProperty', 'missing'])
		expect(await found(`${name},undefined`)).toEqual([200, []]);
});

/** Counts the requests served while a slow one is in progress. */
async function servedMeanwhile(
	slow: Promise<{ status: number }>,
): Promise<{ status: number; served: number }> {
	let status = 0;
	let served = 0;
	const end = slow.then((reply) => (status = reply.status));
	while (status === 0) {
		expect((await anonymous.get('/api/version')).status).toBe(200);
		served += 1;
	}
	await end;
	return { status, served };
}

test('the 20 $contains that a filter may have do not block others', async () => {
	const { caller: reader } = await owner.newKey('reader');
	const lines = Array.from({ length: 15_000 }, (_, n) => `${'lorem ipsum '.repeat(10)}${n}`);
	const large = await owner.create(`${space}/uploadCSV`, {
		name: 'Long texts',
		file: `text\n${lines.join('\n')}\n`,
	});
	const schema = object((await owner.read(`${large}/schema`))['properties']);
	const [field = ''] = Object.keys(schema);
	const filterOf = (count: number) =>
		JSON.stringify({
			$or: Array.from({ length: count }, (_, n) => ({ [field]: { $contains: `missing ${n}` } })),
		});
	const more = await reader.get(`${large}/entities`, { filter: filterOf(21) });
	expect([more.status, more.json()['message']]).toEqual([400, 'The filter has more than 20 $contains']);
	const filter = filterOf(20);
	const { status, served } = await servedMeanwhile(reader.get(`${large}/entities`, { filter }));
	expect([200, 503]).toContain(status);
	// One statement would block all others until its end, so that one or two are served.
	expect(served).toBeGreaterThan(3);
}, 60_000);

test('a grid has at most 1,000 columns, from CSV or one by one; more are refused with a message', async () => {
	const header = (count: number) => Array.from({ length: count }, (_, n) => `Column ${n}`).join(',');
	const upload = (name: string, count: number) =>
		owner.post(`${space}/uploadCSV`, { name, file: `${header(count)}\n` });
	const refused = await upload('Too wide', 1001);
	expect([refused.status, refused.json()['message']]).toEqual([
		400,
		'The CSV file cannot be read: its first line names more than 1000 columns',
	]);
	const made = (await upload('Wide', 1000)).headers.get('location') ?? '';
	expect(Object.keys(object((await owner.read(`${made}/schema`))['properties']))).toHaveLength(1000);
	const one = await owner.post(`${made}/ColumnAdd`, { name: 'One more', type: { name: 'string' } });
	expect([one.status, one.json()['message']]).toEqual([400, 'A grid has at most 1000 fields, not 1001']);
});

test('1,000 columns whose names yield the same key get keys without a search through all', async () => {
	const header = Array.from({ length: 1000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(',');
	// 40 previews, each of which would take two seconds with a search through all keys.
	for (let n = 0; n < 40; n++) {
		const body = { name: 'Symbols', file: `${header}\n`, dryRun: true };
		const columns = objects((await owner.post(`${space}/uploadCSV`, body)).json()['columns']);
		expect(new Set(columns.map(({ key }) => key)).size).toBe(1000);
	}
}, 60_000);

test('the OpenAPI description is the same on each request', async () => {
	const [first, second] = [
		await anonymous.get('/api/openapi.json'),
		await anonymous.get('/api/openapi.json'),
	];
	expect(first.text).toBe(second.text);
	expect(first.json()).toMatchObject({ openapi: '3.1.0' });
});

test('a 400 response reveals no fields to creators and users of a public form', async () => {
	const columns = { a: { name: 'integer' }, pick: { name: 'enum', options: ['secret option'] } };
	const closed = await makeGrid(owner, columns, 'Closed');
	const person = context.person('maker');
	await owner.create(`${closed.space}/shares`, { email: person.email, role: 'creator' });
	const [form] = await owner.items(`${closed.grid}/forms`);
	const link = await owner.create(`${closed.grid}/links`, { kind: 'form' });
	const entities = `${closed.grid}/entities`;
	const calls: Array<[Caller, string, unknown, Record<string, string>]> = [
		[person.caller, entities, { fields: [] }, {}],
		[person.caller, entities, { fields: ['text', null] }, {}],
		[person.caller, entities, { fields: [1, 'other'] }, {}],
		[person.caller, entities, { nope: 1 }, byKey],
		[person.caller, entities, { a: 'text' }, byKey],
		[person.caller, entities, { pick: 'text' }, { layout: 'keyAndField' }],
		[person.caller, entities, { A: 'text' }, { layout: 'property' }],
		[person.caller, href(form ?? {}, 'self'), { nope: 1 }, {}],
		[anonymous, link, { nope: 1 }, {}],
		[anonymous, link, { [id(closed.ids, 'a')]: 'text' }, {}],
	];
	const known = [...Object.values(closed.ids), 'PICK', 'secret option'];
	for (const [caller, path, body, query] of calls) {
		const sent = JSON.stringify([body, query]);
		const reply = await caller.post(path, body, query);
		expect([sent, reply.status]).toEqual([sent, 400]);
		expect([sent, known.filter((word) => reply.text.includes(word) && !sent.includes(word))]).toEqual([
			sent,
			[],
		]);
		expect(String(reply.json()['message']).length).toBeGreaterThan(10);
	}
	// The message names the fields to callers who may read them.
	const message = (await owner.post(entities, { nope: 1 }, { layout: 'field' })).text;
	expect(message).toContain(id(closed.ids, 'a'));
	expect(rels(await owner.read(closed.grid))).toContain('schema');
});
