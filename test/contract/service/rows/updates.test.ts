import { href, id, makeGrid, object, objects, testService, type Json, byKey, last } from '../http';

/** Clock that the tests set; timestamps of events must not decrease when it does. */
let clock = Date.parse('2026-03-01T10:00:00.000Z');
const { owner } = testService({ now: () => clock });

const since = (grid: string, time: string, query: Record<string, string> = {}) =>
	owner.read(`${grid}/updates`, { since: time, ...query });
const events = (page: Json) => objects(page['items']);

test('§1 links of listed rows and events are below the view if it shows the row, else below the grid', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' } }, 'Linked rows');
	const [within, without] = [
		await owner.create(`${grid}/entities`, { fields: ['in'] }),
		await owner.create(`${grid}/entities`, { fields: ['out'] }),
	];
	const gone = await owner.create(`${grid}/entities`, { fields: ['gone'] });
	await owner.delete(gone);
	const a = id(ids, 'a');
	const cut = { name: 'In', fields: [a], filter: { [a]: { $eq: 'in' } } };
	const view = await owner.create(`${grid}/virtualgrids`, cut);
	const belowView = within.replace(grid, view);
	const selfs = async (path: string, query: Record<string, string> = {}) =>
		events(await owner.read(path, query)).map((row) => href(row, 'self'));
	expect(await selfs(`${view}/entities`)).toEqual([belowView]);
	expect(await selfs(`${grid}/entities`)).toEqual([within, without]);
	expect(await selfs(`${view}/entities`, { compose: 'false', filter: '{}' })).toEqual([within, without]);
	expect(await selfs(`${view}/query`, { matching: 'in' })).toEqual([belowView]);
	const feedLinks = async (path: string) =>
		events(await since(path, '2026-03-01T00:00:00Z')).map(({ _links }) => object(_links)['entity']);
	const link = (path: string) => ({ href: path, method: 'get' });
	expect(await feedLinks(grid)).toEqual([link(within), link(without), undefined, undefined]);
	expect(await feedLinks(view)).toEqual([link(belowView), link(without), undefined, undefined]);
});

test('§4.4 accepts an offset with a plus sign that is not percent-encoded', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Offsets');
	await owner.create(`${grid}/entities`, { fields: ['x'] });
	const at = async (time: string) =>
		events((await owner.send('GET', `${grid}/updates?since=${time}`)).json()).length;
	expect(await at('2026-03-01T00:00:00+02:00')).toBe(1);
	expect(await at('2026-03-01T00:00:00+0200')).toBe(1);
	expect(await at('2026-03-01T00:00:00+02')).toBe(1);
	expect(await at('2099-03-01T00:00:00%2B02:00')).toBe(0);
	expect((await owner.get(`${grid}/updates`, { since: '2026-03-01 00:00:00Z' })).status).toBe(400);
});

test('§4.4 GET updates: changes since a time, oldest first, with old and new values and the current entity', async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' }, n: { name: 'integer' } }, 'Feed');
	const kept = await owner.create(`${grid}/entities`, { fields: ['x', 1] });
	clock += 1000;
	await owner.put(kept, { n: 2 }, byKey);
	const gone = await owner.create(`${grid}/entities`, { fields: ['y', null] });
	clock += 1000;
	await owner.delete(gone);
	const [a, n] = [id(ids, 'a'), id(ids, 'n')];
	const all = events(await since(grid, '2026-03-01T10:00:00.000Z'));
	expect(all).toMatchObject([
		{
			type: 'created',
			timestamp: '2026-03-01T10:00:00.000Z',
			userId: owner.userId,
			entity: { [a]: 'x', [n]: 2 },
		},
		{
			type: 'updated',
			timestamp: '2026-03-01T10:00:01.000Z',
			changes: [{ fieldId: n, oldValue: 1, newValue: 2 }],
		},
		{ type: 'created', changes: [{ fieldId: a, oldValue: null, newValue: 'y' }] },
		{
			type: 'deleted',
			timestamp: '2026-03-01T10:00:02.000Z',
			changes: [{ fieldId: a, oldValue: 'y', newValue: null }],
		},
	]);
	expect(all.map((event) => event['entityId'])).toEqual([kept, kept, gone, gone].map(last));
	expect(new Set(all.map((event) => event['id'])).size).toBe(4);
	expect(all[3]).not.toHaveProperty('entity');
	expect(events(await since(grid, '2026-03-01T11:00:01.000+01:00'))).toHaveLength(3);
	expect(events(await since(grid, '2026-03-01T10:00:02.001Z'))).toHaveLength(0);
});

test('§4.4 GET updates: since is inclusive and must be a time with offset', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'string' } }, 'Since');
	await owner.create(`${grid}/entities`, { fields: ['x'] });
	const now = new Date(clock).toISOString();
	expect(events(await since(grid, now))).toHaveLength(1);
	const offsets = ['+25:00', '+2500', '-01:60', '+1', '+24'].map((offset) => `2026-03-01T10:00:00${offset}`);
	for (const wrong of ['2026-03-01T10:00:00', '2026-03-01', 'yesterday', '', ...offsets]) {
		expect((await owner.get(`${grid}/updates`, { since: wrong })).status).toBe(400);
	}
	expect((await owner.get(`${grid}/updates`)).status).toBe(400);
});

test('timestamps never decrease, even if the clock does; new events are appended', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'integer' } }, 'Clock');
	const start = clock;
	for (let n = 0; n < 10; n++) {
		clock = start + (n % 3 === 0 ? n * 100 : -n * 5000);
		await owner.create(`${grid}/entities`, { fields: [n] });
	}
	clock = start + 10_000;
	const all = events(await since(grid, '2020-01-01T00:00:00Z'));
	const times = all.map((event) => String(event['timestamp']));
	expect(times).toEqual([...times].sort());
	const order = (await owner.items(`${grid}/entities`)).map((item) => item['_id']);
	expect(all.map((event) => event['entityId'])).toEqual(order);
});

test('the pages of the feed add up to the feed, also within one millisecond', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'integer' } }, 'Pages');
	for (let n = 0; n < 25; n++) await owner.create(`${grid}/entities`, { fields: [n] });
	const start = new Date(clock).toISOString();
	const whole = events(await since(grid, start)).map((event) => event['id']);
	const paged: unknown[] = [];
	for (const pageIndex of ['1', '2', '3']) {
		const page = await since(grid, start, { pageSize: '10', pageIndex });
		expect(page).toMatchObject({ numberOfItems: 25, numberOfPages: 3 });
		paged.push(...events(page).map((event) => event['id']));
	}
	expect(paged).toEqual(whole);
	expect(whole).toHaveLength(25);
});

test('an update that changes nothing returns 200 and creates no event', async () => {
	const { grid } = await makeGrid(owner, { a: { name: 'stringcollection' } }, 'Unchanged');
	const path = await owner.create(`${grid}/entities`, { fields: [['x', 'y']] });
	expect((await owner.put(path, { fields: [['x', 'y']] }, { layout: 'indexed' })).status).toBe(200);
	expect((await owner.put(path, {})).status).toBe(200);
	expect(await owner.read(`${path}/events`)).toMatchObject({ numberOfItems: 1 });
	expect((await owner.put(path, { fields: [['y', 'x']] }, { layout: 'indexed' })).status).toBe(200);
	expect(await owner.read(`${path}/events`)).toMatchObject({ numberOfItems: 2 });
});

test('concurrent writers: no lost update within an entity, and exactly one event for each change', async () => {
	const columns = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}`, { name: 'integer' }]));
	const { grid } = await makeGrid(owner, columns, 'Race');
	const path = await owner.create(`${grid}/entities`, {}, byKey);
	const rounds = 5;
	await Promise.all(
		Object.keys(columns).map(async (key) => {
			for (let round = 1; round <= rounds; round++) await owner.put(path, { [key]: round }, byKey);
		}),
	);
	const expected = Object.fromEntries(Object.keys(columns).map((key) => [key, rounds]));
	expect(await owner.read(path, byKey)).toMatchObject(expected);
	expect(await owner.read(`${path}/events`)).toMatchObject({ numberOfItems: 1 + rounds * 10 });
	expect(events(await since(grid, '2020-01-01T00:00:00Z'))).toHaveLength(1 + rounds * 10);
});

test("below a view, a row outside it has no history, as it has no address; a deleted row's history remains", async () => {
	const { grid, ids } = await makeGrid(owner, { a: { name: 'string' } }, 'Histories');
	const [within, without] = [
		await owner.create(`${grid}/entities`, { fields: ['in'] }),
		await owner.create(`${grid}/entities`, { fields: ['out'] }),
	];
	const filter = { [id(ids, 'a')]: { $eq: 'in' } };
	const view = await owner.create(`${grid}/virtualgrids`, { name: 'In', fields: [ids['a']], filter });
	const history = (row: string) => owner.get(`${row.replace(grid, view)}/events`);
	expect((await history(within)).json()).toMatchObject({ numberOfItems: 1 });
	expect((await history(without)).status).toBe(404);
	expect((await owner.get(`${without}/events`)).status).toBe(200);
	expect((await owner.get(`${grid}/entities/unknown/events`)).status).toBe(404);
	await owner.delete(within);
	expect((await history(within)).json()).toMatchObject({ numberOfItems: 2 });
});
