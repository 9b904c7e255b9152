import { makeGrid, object, testService, byKey } from '../http';
import { OPTIONS, TYPES } from './typeValues';

const { owner } = testService();

/** In UTC, the first two are in the years -1 and 10000. */
const NO_TIMES = [
	'0000-01-01T00:00:00+01:00',
	'9999-12-31T23:00:00-01:00',
	'2026-02-28T10:00:00',
	'now',
	'2026-02-28T10:00:00+25:00',
	'2026-02-28T10:00:00+2500',
	'2026-02-28T10:00:00+01:60',
	'2026-02-28T10:00:00 01:00',
];
const types = TYPES.filter(([, good]) => good.length > 0);

test.each(types)(
	'§2.5, §7 %s: accepts valid values and null; refuses others, naming field, type and value',
	async (name, good, bad) => {
		const { grid } = await makeGrid(
			owner,
			{ f: { name, ...(name.startsWith('enum') ? { options: OPTIONS } : {}) } },
			name,
		);
		for (const value of [...good, null]) {
			const path = await owner.create(`${grid}/entities`, { fields: [value] });
			expect((await owner.read(path, byKey))['f']).toEqual(value);
			const filter = JSON.stringify({ [(await fieldId(grid)) ?? '']: { $eq: value } });
			expect((await owner.read(`${grid}/entities`, { filter }))['numberOfItems']).toBe(1);
			await owner.delete(path);
		}
		for (const value of name === 'date-time' ? [...bad, ...NO_TIMES] : bad) {
			const reply = await owner.post(`${grid}/entities`, { fields: [value] });
			expect(reply.status).toBe(400);
			expect(reply.json()['message']).toContain(
				`Field "F" (${name}) does not accept ${JSON.stringify(value)}`,
			);
			const filter = JSON.stringify({ [(await fieldId(grid)) ?? '']: { $eq: value } });
			expect((await owner.get(`${grid}/entities`, { filter })).status).toBe(400);
		}
	},
);

async function fieldId(grid: string) {
	const schema = (await owner.read(`${grid}/schema`))['properties'];
	return Object.keys(typeof schema === 'object' && schema !== null ? schema : {})[0];
}

test('the schemas of an enum without options and of a uri are valid and say what is accepted', async () => {
	const { grid, ids } = await makeGrid(
		owner,
		{ e: { name: 'enum' }, c: { name: 'enumcollection', options: [] }, u: { name: 'uri' } },
		'Schemas',
	);
	const properties = object((await owner.read(`${grid}/schema`))['properties']);
	const [e, c, u] = ['e', 'c', 'u'].map((key) => object(properties[ids[key] ?? ''])['anyOf']);
	expect(e).toEqual([{ type: 'string', not: {} }, { type: 'null' }]);
	expect(c).toEqual([{ type: 'array', items: { type: 'string', not: {} } }, { type: 'null' }]);
	expect(u).toEqual([{ type: 'string', format: 'uri', maxLength: 10_000 }, { type: 'null' }]);
});

test('§2.5 date-time: values with any offset are stored in UTC', async () => {
	const { grid } = await makeGrid(owner, { f: { name: 'date-time' } }, 'Offsets');
	for (const time of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
		const path = await owner.create(`${grid}/entities`, { fields: [time] });
		expect((await owner.read(path, byKey))['f']).toBe(time);
		await owner.delete(path);
	}
	for (const time of ['12:00:00+02:00', '12:00:00+0200', '12:00:00.000+02', '04:30-0530', '10:00:00Z']) {
		const path = await owner.create(`${grid}/entities`, { fields: [`2026-02-28T${time}`] });
		expect((await owner.read(path, byKey))['f']).toBe('2026-02-28T10:00:00.000Z');
		const filter = JSON.stringify({ [(await fieldId(grid)) ?? '']: { $eq: `2026-02-28T${time}` } });
		expect((await owner.read(`${grid}/entities`, { filter }))['numberOfItems']).toBe(1);
		await owner.delete(path);
	}
});

test.each(['createdby', 'createdat', 'lookup', 'formula'])(
	'§2.5 %s: computed by the service; only the current value may be sent back',
	async (name) => {
		const { grid } = await makeGrid(owner, { a: { name: 'string' }, f: { name } }, name);
		const path = await owner.create(`${grid}/entities`, { fields: ['x', null] });
		const read = await owner.read(path, byKey);
		const expected: Record<string, unknown> = {
			createdby: owner.userId,
			createdat: expect.stringMatching(/^\d{4}-.*Z$/),
			lookup: null,
			formula: null,
		};
		expect(read).toMatchObject({ f: expected[name] });
		expect((await owner.put(path, { a: 'y', f: read['f'] }, byKey)).json()).toMatchObject({
			a: 'y',
			f: read['f'],
		});
		expect((await owner.put(path, { f: 'mine' }, byKey)).status).toBe(400);
		expect((await owner.post(`${grid}/entities`, { fields: ['x', 'mine'] })).status).toBe(400);
	},
);

test('§2.5 a field may be named like a built-in property; __proto__ is refused', async () => {
	const { grid } = await makeGrid(
		owner,
		{ constructor: { name: 'string' }, toString: { name: 'string' } },
		'Names',
	);
	const path = await owner.create(`${grid}/entities`, { fields: ['a', 'b'] });
	expect(await owner.read(path, byKey)).toMatchObject({
		constructor: 'a',
		toString: 'b',
	});
	expect(
		(await owner.post(`${grid}/ColumnAdd`, { name: '__proto__', type: { name: 'string' } })).status,
	).toBe(400);
	const raw = { type: 'application/json', content: '{"__proto__":{"polluted":true}}' };
	expect((await owner.send('POST', `${grid}/entities?layout=key`, { raw })).status).toBe(400);
});
