import '../../fixtures/skippedWaits';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeEach(async () => {
	grid = await bed.grid({ Order: 'string', At: 'date-time', Price: 'decimal', Count: 'integer' });
});

const STORED = '2026-01-01T12:00:00.000Z';
const SHOWN = '2026-01-01T13:00:00+01:00';
const EMPTY = JSON.stringify({
	page: 1,
	pageSize: 300,
	size: 0,
	numberOfItems: 0,
	numberOfPages: 0,
	items: [],
});

/** Starts a service that stores times and decimals as text and compares them as text. */
function textService() {
	const filters: string[] = [];
	let reads = 0;
	const shown = (text: string) =>
		text.replaceAll(JSON.stringify(STORED), JSON.stringify(SHOWN)).replaceAll(`"${grid.id('Price')}":1.5`, `"${grid.id('Price')}":"1.50"`); // prettier-ignore
	bed.proxy.setRules(
		({ path, method }) => {
			const query = new URL(path, 'http://service').searchParams;
			const filter = query.get('filter');
			if (method === 'GET' && path.includes('/entities?') && filter === null) reads++;
			if (filter !== null) filters.push(filter);
			// As text these values equal no stored value.
			const asks = filter !== null && /"\$eq":(1\.5|"2026[^"]*Z")/.test(filter);
			return asks ? { kind: 'response', status: 200, body: EMPTY } : undefined;
		},
		() => ({ kind: 'change', response: ({ body }) => ({ body: shown(body) }) }),
	);
	return { filters, reads: () => reads };
}

describe('keys in another notation, on a service that compares texts', () => {
	test.each([
		['a date-time', 'At', STORED, '2026-01-01T12:00:00Z'],
		['a decimal', 'Price', 1.5, '1.5'],
	])('Create or Update by %s updates the existing row', async (_, column, stored, given) => {
		await grid.fill({ [column]: stored, Count: 1 });
		textService();
		const input = [{ [column]: given, Count: 2 }];
		const { rows, error } = await grid.run('upsert', grid.auto([column]), input);
		expect(error).toBeUndefined();
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['updated']);
		expect((await grid.rows()).map(({ Count }) => Count)).toEqual([2]);
	});

	test('reads the grid once for all items, once before creations and once after them, or not at all if another key column finds the rows', async () => {
		await grid.fill({ Order: 'A', At: STORED, Count: 1 });
		const { filters, reads } = textService();
		const at = (minute: number) => `2026-02-01T12:${minute}:00Z`;
		const input = [10, 11, 12, 13].map((minute) => ({ Order: `O-${minute}`, At: at(minute) }));
		await grid.run('upsert', grid.auto(['At']), [...input, { At: STORED, Count: 5 }]);
		expect(reads()).toBe(3);
		filters.length = 0;
		const both = [{ Order: 'A', At: '2026-01-01T12:00Z', Count: 6 }];
		const { rows } = await grid.run('upsert', grid.auto(['Order', 'At']), both);
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['updated']);
		expect(filters).toEqual([JSON.stringify({ [grid.id('Order')]: { $eq: 'A' } })]);
		expect(reads()).toBe(3);
		expect(await grid.rows()).toHaveLength(5);
	});
});

describe('many rows with the same key', () => {
	const many = Array.from({ length: 45 }, () => ({ Order: 'A', Count: 1 }));

	test('Update All updates all of them', async () => {
		await grid.fill(...many, { Order: 'B', Count: 1 });
		const given = { ...grid.auto(['Order']), options: { whenSeveral: 'all' } };
		const { rows } = await grid.run('upsert', given, [{ Order: 'A', Count: 2 }]);
		expect(rows.filter(({ _outcome }) => _outcome === 'updated')).toHaveLength(45);
		expect((await grid.rows()).filter(({ Count }) => Count !== 2)).toEqual([
			expect.objectContaining({ Order: 'B' }),
		]);
	});
});

test('writes nothing if the service does not filter, unless it is read all at once', async () => {
	const rows = Array.from({ length: 150 }, (_, Count) => ({ Order: `O-${Count}`, Count }));
	await grid.fill(...rows);
	bed.proxy.setRules(({ path }) => ({
		kind: 'change',
		request: { path: path.replace(/([?&])filter=[^&]*/, '$1filtered=no') },
	}));
	const input = [0, 60, 149].map((at) => ({ Order: `O-${at}`, Count: -1 }));
	const run = async (findRows: string) => {
		const given = { ...grid.auto(['Order']), options: { findRows } };
		return await grid.run('upsert', given, input);
	};
	const { error } = await run('automatic');
	expect(error?.message).toContain('that do not have Order "O-0", so it ignores filters');
	expect(error?.description).toContain('Set "Find Rows" to "All at Once".');
	expect((await grid.rows()).filter(({ Count }) => Count === -1)).toEqual([]);
	const output = (await run('allAtOnce')).rows;
	expect(output.map(({ _outcome }) => _outcome)).toEqual(['updated', 'updated', 'updated']);
	expect(await grid.rows()).toHaveLength(150);
});

test('rows that differ in case only have another key, whether or not the service ignores case', async () => {
	await grid.fill({ Order: 'a-1', Count: 1 });
	const asked = JSON.stringify({ [grid.id('Order')]: { $eq: 'A-1' } });
	const caseless = JSON.stringify({ [grid.id('Order')]: { $in: ['A-1', 'a-1'] } });
	bed.proxy.setRules(({ path }) => ({
		kind: 'change',
		request: { path: path.replace(encodeURIComponent(asked), encodeURIComponent(caseless)) },
	}));
	const input = [{ Order: 'A-1', Count: 2 }];
	const { rows, error } = await grid.run('upsert', grid.auto(['Order']), input);
	const searches = bed.proxy.requests.filter(({ path }) => path.includes('filter='));
	expect(error).toBeUndefined();
	// Before and after the creation.
	expect(searches).toHaveLength(2);
	expect(rows.map(({ _outcome }) => _outcome)).toEqual(['created']);
	expect((await grid.rows()).map(({ Order, Count }) => [Order, Count])).toEqual([
		['a-1', 1],
		['A-1', 2],
	]);
});

describe('an empty text in a key', () => {
	test('is not a key on its own', async () => {
		const items = [{ Order: 'A' }, { Order: '', Count: 1 }];
		const { error } = await grid.run('upsert', grid.auto(['Order']), items);
		expect(error?.message).toBe('The key column "Order" has no value');
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
		expect(await grid.rows()).toEqual([]);
	});

	test.each(['upsert', 'sync'])('counts as no value beside another key: %s', async (operation) => {
		await grid.fill({ Count: 1, Order: null });
		const given = grid.auto(['Order', 'Count']);
		const { error } = await grid.run(operation, given, [{ Order: '', Count: 1, Price: 2 }]);
		expect(error).toBeUndefined();
		expect(await grid.rows()).toEqual([expect.objectContaining({ Count: 1, Price: 2 })]);
	});
});

test.each([
	[true, ['update', 'unchanged', 'create', 'unchanged']],
	[false, ['updated', 'unchanged', 'created', 'unchanged']],
])(
	'a row with no value in a key column is that of an empty text for each item (dry run: %s)',
	async (dryRun, outcomes) => {
		await grid.fill({ Count: 1, Order: null });
		const options = { columnRules: { rule: [{ column: 'Order', write: 'ifValue' }] } };
		const items = [1, 1, 2, 2].map((Count) => ({ Order: '', Count, Price: 2 }));
		const { rows } = await grid.run('upsert', { ...grid.auto(['Order', 'Count']), dryRun, options }, items);
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(outcomes);
	},
);

test('a second Sync changes nothing if the service stores an empty text as no value', async () => {
	const puts: string[] = [];
	const unset = (body: string) => body.replaceAll(':""', ':null');
	bed.proxy.setRules(({ method, path, body }) => {
		if (method === 'PUT') puts.push(path);
		return { kind: 'change', request: { body: unset(body) } };
	});
	await grid.fill({ Count: 1, Order: 'x' });
	const run = async () => {
		const input = [
			{ Count: 1, Order: '' },
			{ Count: 2, Order: '' },
		];
		return (await grid.run('sync', { ...grid.auto(['Count']), output: 'report' }, input)).rows[0];
	};
	expect(await run()).toMatchObject({ created: 1, updated: 1 });
	expect(await run()).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
	expect(puts).toHaveLength(1);
});
