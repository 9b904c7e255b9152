import type { Json } from '../http';
import { allItems, fieldIds, href, id, makeGrid, objects, testService, byKey } from '../http';

const context = testService({ bodyLimit: 64 * 1024 * 1024 });
const { owner } = context;

let made = 0;

/** Makes a grid with numbers as text; every tenth row has other text. */
async function numbersAsText(size: number) {
	const space = await owner.create(`${context.home}/spaces`, { name: `Numbers ${++made}` });
	const lines = Array.from({ length: size }, (_, n) => (n % 10 === 9 ? `none ${n},x${n}` : `${n},x${n}`));
	const file = `n,other\n${lines.join('\n')}\n`;
	const grid = await owner.create(`${space}/uploadCSV`, { name: 'Numbers', file, types: { n: 'string' } });
	const ids = await fieldIds(owner, grid, 'key');
	const list = (query: Record<string, string>) =>
		owner.read(`${grid}/entities`, { ...byKey, pageSize: '100', ...query });
	const where = async (key: string, operand: Json) => {
		const page = await list({ filter: JSON.stringify({ [id(ids, key)]: operand }) });
		return { total: page['numberOfItems'], ns: objects(page['items']).map((item) => item['n']) };
	};
	const change = (name: string) =>
		owner.post(`${grid}/ColumnTypeChange`, { fieldId: id(ids, 'n'), type: { name } });
	/** Returns the update events of all entities. */
	const changes = async () => {
		const events = await allItems(owner, `${grid}/updates`, { since: '2020-01-01T00:00:00Z' });
		return events.filter((event) => event['type'] === 'updated');
	};
	/** Repeats a type change until the service accepts it, because the one before has ended. */
	const settled = async () => {
		while ((await change('decimal')).status === 503) await new Promise(setImmediate);
	};
	return { space, grid, ids, list, where, change, changes, settled };
}

test('ColumnTypeChange drops indexes of old values: later filters and sortings are correct', async () => {
	const { ids, list, where, change, settled } = await numbersAsText(3000);
	const sorting = JSON.stringify({ [id(ids, 'n')]: { $order: 'descending' } });
	expect(await where('n', { $eq: '700' })).toMatchObject({ total: 1 });
	await list({ sorting });
	expect((await change('integer')).status).toBe(200);
	for (let round = 0; round < 2; round++) {
		expect(await where('n', { $eq: 700 })).toEqual({ total: 1, ns: [700] });
		expect(await where('n', { $gte: 2995, $lt: 2998 })).toEqual({ total: 3, ns: [2995, 2996, 2997] });
		expect(await where('n', { $empty: true })).toMatchObject({ total: 300 });
		const sorted = objects((await list({ sorting }))['items']).map((item) => item['n']);
		expect(sorted.slice(0, 3)).toEqual([2998, 2997, 2996]);
		await settled();
	}
});

test('after the response, all reads show the new type while others write', async () => {
	const size = 12_000;
	const { grid, ids, list, where, change, changes, settled } = await numbersAsText(size);
	const last = objects((await list({ pageIndex: '120' }))['items']);
	const [far, edited, gone] = [last.at(-2) ?? {}, last.at(-12) ?? {}, last.at(-13) ?? {}];
	expect([far['n'], edited['n'], gone['n']]).toEqual(['11998', '11988', '11987']);
	expect((await change('integer')).status).toBe(200);
	// The conversion is in progress, so another type change is refused.
	const second = await change('string');
	expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
	const put = await owner.put(href(edited, 'update'), { n: 5 }, byKey);
	expect([put.status, put.json()['n']]).toEqual([200, 5]);
	expect((await owner.put(href(edited, 'update'), { n: 'five' }, byKey)).status).toBe(400);
	expect((await owner.delete(href(gone, 'remove'))).status).toBe(200);
	expect((await change('string')).status).toBe(503);

	expect((await owner.read(href(far, 'self'), byKey))['n']).toBe(11998);
	expect(objects((await list({ pageIndex: '120' }))['items']).at(-2)?.['n']).toBe(11998);
	expect(await where('n', { $eq: 11_997 })).toEqual({ total: 1, ns: [11_997] });
	expect(await where('n', { $gt: 11_990 })).toMatchObject({ total: 8 });
	expect(await where('n', { $empty: true })).toMatchObject({ total: size / 10 });
	const lines = (await owner.get(`${grid}/csv`)).text.trim().split('\n');
	expect([lines.length, lines.at(-2), lines.at(-1)]).toEqual([size, '11998,x11998', ',x11999']);
	const found = await owner.read(`${grid}/query`, { matching: 'none' });
	expect(found['numberOfItems']).toBe(0);

	const fresh = await owner.create(`${grid}/entities`, { n: 7, other: 'fresh' }, byKey);

	await settled();
	const events = await changes();
	const converted = events.filter((event) => event['entityId'] !== edited['_id']);
	expect(new Set(converted.map((event) => event['entityId'])).size).toBe(size - 1);
	expect(converted).toHaveLength(size - 1);
	const history = await owner.items(`${href(edited, 'self')}/events`);
	const n = id(ids, 'n');
	expect(history.map((event) => event['changes'])).toMatchObject([
		[{ fieldId: n, oldValue: 11988, newValue: 5 }],
		[{ fieldId: n, oldValue: '11988', newValue: 11988 }],
		{},
	]);
	const end = await owner.items(`${href(gone, 'self')}/events`);
	expect(objects(end[0]?.['changes'])).toContainEqual({ fieldId: n, oldValue: 11987, newValue: null });
	expect((await owner.read(fresh, byKey))['n']).toBe(7);
	const times = events.map((event) => String(event['timestamp']));
	expect(times).toEqual([...times].sort());
}, 60_000);

test('a column and a grid can be deleted while their values are converted', async () => {
	const column = await numbersAsText(5000);
	expect((await column.change('integer')).status).toBe(200);
	const fieldId = id(column.ids, 'n');
	expect((await owner.post(`${column.grid}/ColumnRemove`, { fieldId })).status).toBe(200);
	expect(Object.keys(objects((await column.list({}))['items'])[0] ?? {})).not.toContain('n');
	const grid = await numbersAsText(5000);
	expect((await grid.change('integer')).status).toBe(200);
	expect((await owner.delete(grid.grid)).status).toBe(200);
	const after = await numbersAsText(2000);
	expect((await after.change('integer')).status).toBe(200);
	await after.settled();
	expect(await after.changes()).toHaveLength(2000);
});

test('a type change that arrives as the previous one ends is carried out', async () => {
	const { list, change, settled } = await numbersAsText(1001);
	// With several clients retrying at once, some requests arrive as a conversion ends.
	const client = async (type: string) => {
		for (let accepted = 0; accepted < 8; ) if ((await change(type)).status === 200) accepted += 1;
	};
	await Promise.all(['integer', 'string', 'integer', 'string'].map(client));
	await settled();
	const numbers = objects((await list({}))['items']).flatMap(({ n }) => (n === null ? [] : [n]));
	expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 10 !== 9));
}, 120_000);

test('PATCH of a field: an added option changes no row; a removed one is cleared with an event per row', async () => {
	const { grid, ids } = await makeGrid(
		owner,
		{
			one: { name: 'enum', options: ['a', 'b'] },
			many: { name: 'enumcollection', options: ['x', 'y', 'z'] },
		},
		'Options',
	);
	const rows = [];
	for (const fields of [['a', ['x', 'y']], ['b', ['x']], ['b', []]]) rows.push(await owner.create(`${grid}/entities`, { fields })); // prettier-ignore
	const patch = (key: string, type: Json) => owner.patch(`${grid}/fields/${id(ids, key)}`, { type });
	const changes = async () => {
		const feed = await owner.read(`${grid}/updates`, { since: '2020-01-01T00:00:00Z' });
		return objects(feed['items']).flatMap((event) => (event['type'] === 'updated' ? objects(event['changes']) : [])); // prettier-ignore
	};
	const options = ['b', { value: 'a', label: 'A', color: '#fff' }, 'c'];
	expect((await patch('one', { name: 'enum', options })).status).toBe(200);
	expect((await patch('many', { name: 'enumcollection', options: ['z', 'y', 'x', 'w'] })).status).toBe(200);
	expect(await changes()).toEqual([]);
	expect((await patch('one', { name: 'enum', options: ['a'] })).status).toBe(200);
	expect((await patch('many', { name: 'enumcollection', options: ['y'] })).status).toBe(200);
	const [one, many] = [id(ids, 'one'), id(ids, 'many')];
	expect(await changes()).toEqual([
		{ fieldId: one, oldValue: 'b', newValue: null },
		{ fieldId: one, oldValue: 'b', newValue: null },
		{ fieldId: many, oldValue: ['x', 'y'], newValue: ['y'] },
		{ fieldId: many, oldValue: ['x'], newValue: null },
	]);
	const page = await owner.items(`${grid}/entities`, byKey);
	expect(page).toMatchObject([
		{ one: 'a', many: ['y'] },
		{ one: null, many: null },
		{ one: null, many: [] },
	]);
});

test('values are converted losslessly or cleared; the history keeps the old ones', async () => {
	const cases: Array<[from: string, value: unknown, to: string, after: unknown]> = [
		['string', '12345678901234567890', 'decimal', null],
		['string', '1.10', 'decimal', 1.1],
		['string', '0x10', 'integer', null],
		['string', 'true', 'boolean', true],
		['string', 'TRUE', 'boolean', null],
		['string', '["a","b"]', 'stringcollection', ['a', 'b']],
		['string', 'a', 'stringcollection', ['a']],
		['stringcollection', ['a', 'b'], 'string', '["a","b"]'],
		['string', 'old text', 'formula', null],
		['integer', 5, 'lookup', null],
		['integer', 5, 'string', '5'],
		['integer', 5, 'decimal', 5],
		['string', '2026-03-01T10:30:00+01:00', 'date-time', '2026-03-01T09:30:00.000Z'],
	];
	for (const [from, value, to, after] of cases) {
		const { grid, ids } = await makeGrid(owner, { a: { name: from } }, `From ${from} ${++made}`);
		const entity = await owner.create(`${grid}/entities`, { fields: [value] });
		const change = { fieldId: id(ids, 'a'), type: { name: to } };
		expect((await owner.post(`${grid}/ColumnTypeChange`, change)).status).toBe(200);
		const now = (await owner.read(entity, byKey))['a'];
		expect([from, value, to, now]).toEqual([from, value, to, after]);
		const [newest] = await owner.items(`${entity}/events`);
		const changes = [{ fieldId: id(ids, 'a'), oldValue: value, newValue: after }];
		if (after !== value) expect(newest?.['changes']).toEqual(changes);
	}
});

test('text that a formula column discarded does not return with the next type', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' } }, 'Formula and back');
	const entity = await owner.create(`${grid}/entities`, { fields: ['old text'] });
	for (const name of ['formula', 'string']) {
		const change = { fieldId: id(ids, 'a'), type: { name } };
		expect((await owner.post(`${grid}/ColumnTypeChange`, change)).status).toBe(200);
		expect((await owner.read(entity, byKey))['a']).toBeNull();
		expect((await owner.read(`${grid}/query`, { matching: 'old' }))['numberOfItems']).toBe(0);
	}
});

test('a page is read while two columns of many options are converted', async () => {
	const space = await owner.create(`${context.home}/spaces`, { name: 'Two conversions' });
	const options = Array.from({ length: 20_000 }, (_, n) => `option ${n}`);
	const lines = options.slice(0, 2000).map((option) => `${option},${option}`);
	const file = `a,b\n${lines.join('\n')}\n`;
	const grid = await owner.create(`${space}/uploadCSV`, { name: 'Options', file });
	const fields = await owner.fields(grid);
	for (const [n, { id: fieldId }] of fields.entries()) {
		const type = { name: 'enum', options: [...options, `only ${n}`] };
		expect((await owner.post(`${grid}/ColumnTypeChange`, { fieldId, type })).status).toBe(200);
	}
	// With both types parsed again for each row, a page would take half a minute.
	const query = { ...byKey, pageSize: '1000', pageIndex: '2' };
	const pages = await Promise.all([1, 2, 3, 4].map(() => owner.get(`${grid}/entities`, query)));
	for (const page of pages) {
		const rows = objects(page.json()['items']).map(({ a, b }) => [a, b]);
		expect(rows).toEqual(options.slice(1000, 2000).map((option) => [option, option]));
	}
}, 60_000);
