import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { startFaultProxy } from '../../../testbed/proxy/faultProxy';
import { World } from '../../../testbed/world/world';
import type { GridRunOptions, WorldGrid } from '../../../testbed/world/worldGrid';

let world: World;
let orders: WorldGrid;

beforeAll(async () => {
	world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
	orders = await world.grid({ Number: 'integer', Status: 'string', _cursor: 'string' });
});

const fill = (count: number) =>
	orders.fill(Array.from({ length: count }, (_, Number) => ({ Number, Status: 'new' })));

async function batch(
	cursor: unknown,
	{ options = {}, ...parameters }: INodeParameters & { options?: INodeParameters } = {},
	run: GridRunOptions = {},
) {
	const given = {
		limit: 10,
		...parameters,
		options: { batchCursor: "={{ $json._cursor ?? '' }}", ...options },
	};
	return await orders.run('getMany', given, [cursor === undefined ? {} : { _cursor: cursor }], run);
}

/** Reads all batches in sequence. @param after runs after each batch */
async function all(
	parameters: INodeParameters = {},
	after: (ids: string[]) => Promise<void> = async () => {},
) {
	const numbers: unknown[] = [];
	let cursor: unknown;
	do {
		const { rows, error } = await batch(cursor, parameters);
		expect(error).toBeUndefined();
		numbers.push(...rows.map(({ Number }) => Number));
		await after(idsOf(rows));
		cursor = rows.at(-1)?.['_cursor'];
	} while (typeof cursor === 'string');
	return numbers;
}

const idsOf = (rows: readonly unknown[]) => rows.map((row) => z.object({ _id: z.string() }).parse(row)._id);

const sorted = (numbers: unknown[]) => [...numbers].map(Number).sort((one, other) => one - other);

test('each batch starts where the last one ended, with one request per batch', async () => {
	await fill(25);
	const proxy = await startFaultProxy(world.service.url);
	const first = await batch(undefined, {}, { baseUrl: proxy.url });
	const cursor: unknown = first.rows[0]?.['_cursor'];
	expect(new Set(first.rows.map(({ _cursor }) => _cursor))).toEqual(new Set([cursor]));
	expect(JSON.parse(String(cursor))).toEqual({
		position: 10,
		last: first.rows[9]?.['_id'],
		next: expect.any(String) as unknown,
		query: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
	});
	const second = await batch(cursor, {}, { baseUrl: proxy.url });
	const third = await batch(second.rows[0]?.['_cursor'], {}, { baseUrl: proxy.url });
	const reads = proxy.requests.filter(({ path }) => path.includes('/entities'));
	await proxy.stop();
	expect([first, second, third].map(({ rows }) => rows.length)).toEqual([10, 10, 5]);
	expect(third.rows.map(({ _cursor }) => _cursor)).toEqual(Array(5).fill(null));
	const whole = await orders.run('getMany', { returnAll: true });
	expect([first, second, third].flatMap(({ rows }) => rows.map(({ _id }) => _id))).toEqual(
		whole.rows.map(({ _id }) => _id),
	);
	expect(reads).toHaveLength(3);
});

test('a column named _cursor keeps its values under another name', async () => {
	await orders.fill([{ Number: 1, _cursor: 'mine' }]);
	const { rows } = await batch(undefined);
	expect(rows).toEqual([expect.objectContaining({ Number: 1, _cursor: null })]);
	expect(Object.values(rows[0] ?? {})).toContain('mine');
});

test('applies conditions, sorting, columns and Simplify', async () => {
	await fill(20);
	const where = {
		conditions: { condition: [{ column: orders.id('Number'), operator: '$gte', value: 5 }] },
		options: {
			outputColumns: ['Number'],
			sort: { by: [{ column: orders.id('Number'), direction: 'descending' }] },
		},
		limit: 4,
	};
	expect(await all(where)).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
	const raw = await batch(undefined, { ...where, options: { ...where.options, simplify: false } });
	expect(raw.rows[0]).toMatchObject({ _links: {}, _cursor: expect.any(String) as unknown });
});

test('reads every other row once if the workflow deletes or changes rows after each batch', async () => {
	await fill(33);
	const isNew = {
		conditions: { condition: [{ column: orders.id('Status'), operator: '$eq', value: 'new' }] },
	};
	const numbers = await all(isNew, async (ids) => {
		for (const id of ids)
			await world.client.entities.update(orders.grid, id, { [orders.id('Status')]: 'done' });
	});
	expect(sorted(numbers)).toEqual(Array.from({ length: 33 }, (_, n) => n));
	const again = await all({}, async (ids) => {
		for (const id of ids) await world.client.entities.remove(orders.grid, id);
	});
	expect(sorted(again)).toEqual(Array.from({ length: 33 }, (_, n) => n));
	expect(await orders.rows()).toEqual([]);
});

test('items with the same cursor read one batch, because a loop returns all rows of a batch', async () => {
	await fill(25);
	const first = await batch(undefined);
	const round = await orders.run(
		'getMany',
		{ limit: 10, options: { batchCursor: '={{ $json._cursor }}' } },
		first.items,
	);
	expect(round.error).toBeUndefined();
	expect(round.items).toHaveLength(10);
	expect(new Set(round.items.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(
		new Set(['{"item":0}']),
	);
});

describe('refuses', () => {
	test('the cursor of another query', async () => {
		await fill(12);
		const { rows } = await batch(undefined);
		const { error } = await batch(rows[0]?.['_cursor'], {
			options: { sort: { by: [{ column: orders.id('Number'), direction: 'descending' }] } },
		});
		expect(error?.message).toContain('"Batch Cursor" is from another query');
	});

	test('Batch Cursor with Return All', async () => {
		const { error } = await batch(undefined, { returnAll: true });
		expect(error?.message).toContain('"Batch Cursor" needs a batch size');
	});

	test.each([
		['text'],
		['{"position":1}'],
		[7],
		[{ position: -1, count: 0, last: 'a', next: null, query: 'b' }],
	])('an invalid cursor: %j', async (cursor) => {
		const { error } = await batch(cursor);
		expect(error?.message).toContain('"Batch Cursor" cannot be used: it is not the _cursor of a row');
	});

	test('to continue if the rows around the position were deleted', async () => {
		const ids = await fill(30);
		const { rows } = await batch(undefined);
		const whole = await orders.run('getMany', { returnAll: true });
		expect(idsOf(whole.rows).sort()).toEqual(ids.sort());
		for (const id of idsOf(whole.rows.slice(9, 11))) await world.client.entities.remove(orders.grid, id);
		const { error } = await batch(rows[0]?.['_cursor']);
		expect(error?.message).toContain('no longer in the list');
	});
});
