import type { INodeParameters } from 'n8n-workflow';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { GridRunOptions, WorldGrid } from '../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let orders: WorldGrid;

beforeEach(async () => {
	orders = await bed.grid({ Number: 'integer', Status: 'string', _cursor: 'string' });
});

const fill = (count: number) =>
	orders.fill(...Array.from({ length: count }, (_, Number) => ({ Number, Status: 'new' })));

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

test('each batch starts where the last one ended, with one request per batch', async () => {
	await fill(25);
	const first = await batch(undefined);
	const cursor: unknown = first.rows[0]?.['_cursor'];
	expect(new Set(first.rows.map(({ _cursor }) => _cursor))).toEqual(new Set([cursor]));
	expect(JSON.parse(String(cursor))).toEqual({
		position: 10,
		last: first.rows[9]?.['_id'],
		next: expect.any(String) as unknown,
		query: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
	});
	const second = await batch(cursor);
	const third = await batch(second.rows[0]?.['_cursor'], {});
	const reads = bed.proxy.requests.filter(({ path }) => path.includes('/entities'));
	expect([first, second, third].map(({ rows }) => rows.length)).toEqual([10, 10, 5]);
	expect(third.rows.map(({ _cursor }) => _cursor)).toEqual(Array(5).fill(null));
	const whole = await orders.run('getMany', { returnAll: true });
	expect([first, second, third].flatMap(({ rows }) => rows.map(({ _id }) => _id))).toEqual(
		whole.rows.map(({ _id }) => _id),
	);
	expect(reads).toHaveLength(3);
});

test('an expression that returns null reads the first batch, too', async () => {
	await fill(11);
	const { rows } = await batch(null, { options: { batchCursor: '={{ $json._cursor }}' } });
	expect(rows[0]?.['_cursor']).toEqual(expect.any(String));
});

test('a column named _cursor keeps its values under another name', async () => {
	await orders.fill({ Number: 1, _cursor: 'mine' });
	const { rows } = await batch(undefined);
	expect(rows).toEqual([expect.objectContaining({ Number: 1, _cursor: null })]);
	expect(Object.values(rows[0] ?? {})).toContain('mine');
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

	test.each([['text'], [{ position: -1, count: 0, last: 'a', next: null, query: 'b' }]])(
		'an invalid cursor: %j',
		async (cursor) => {
			const { error } = await batch(cursor);
			expect(error?.message).toContain('"Batch Cursor" cannot be used: it is not the _cursor of a row');
		},
	);
});
