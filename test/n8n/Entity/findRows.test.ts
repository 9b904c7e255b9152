import type { IDataObject } from 'n8n-workflow';
import type { Rule } from '../../../testbed/proxy/faultProxy';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** Rows are found by key one by one or all at once, whichever needs fewer requests. */
const ROWS = 240;
const PAGE = 100;

const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeEach(async () => {
	grid = await bed.world.grid({ Order: 'string', Amount: 'integer' });
	await grid.fill(Array.from({ length: ROWS }, (_, n) => ({ Order: `A-${n}`, Amount: n })));
	bed.proxy.setRules(smallPages);
});

/** Limits pages to `PAGE` rows. */
const smallPages: Rule = ({ path }) => ({
	kind: 'change',
	request: { path: path.replace(/pageSize=\d{3,}/, `pageSize=${PAGE}`) },
});
const extra = () => ({ baseUrl: bed.proxy.url });
const requests = (matches: RegExp) => bed.proxy.requests.filter(({ path }) => matches.test(path)).length;
const filtered = () => requests(/[?&]filter=/);
const written = () => bed.proxy.requests.filter(({ method }) => method !== 'GET').length;

/** Every tenth item changes its row, and every twentieth has no row. */
const items = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({
		Order: n % 20 === 7 ? `B-${n}` : `A-${n}`,
		Amount: n % 10 === 3 ? n + 1000 : n,
	}));
const outcomes = (rows: ReadonlyArray<Record<string, unknown>>) => {
	const counts: Record<string, number> = {};
	for (const { _outcome } of rows) counts[String(_outcome)] = (counts[String(_outcome)] ?? 0) + 1;
	return counts;
};

test('Create or Update of many items sends one request per page and per write, plus two', async () => {
	const { rows, error } = await grid.run('upsert', grid.auto(['Order']), items(120), extra());
	expect(error).toBeUndefined();
	expect(outcomes(rows)).toEqual({ unchanged: 102, updated: 12, created: 6 });
	const pages = Math.ceil(ROWS / PAGE);
	expect(written()).toBe(18);
	expect(bed.proxy.requests.length).toBeLessThanOrEqual(pages + 18 + 2);
	expect(await grid.rows()).toHaveLength(ROWS + 6);
});

test('the rows of few items in a large grid are found one by one, after one small request', async () => {
	const given = { ...grid.auto(['Order']) };
	// 240 rows fit on one page of 300, so the response has a larger count.
	bed.proxy.setRules(() => ({
		kind: 'change',
		response: ({ body }) => ({ body: body.replace(`"numberOfItems":${ROWS}`, '"numberOfItems":90000') }),
	}));
	const { rows, error } = await grid.run('upsert', given, items(10), extra());
	expect(error).toBeUndefined();
	expect(outcomes(rows)).toEqual({ unchanged: 8, updated: 1, created: 1 });
	expect(filtered()).toBe(10);
	expect(requests(/pageSize=1(&|$)/)).toBe(1);
});

test('Find Rows determines how rows are found', async () => {
	const run = async (findRows: string, count: number) => {
		bed.proxy.setRules(smallPages);
		const given = { ...grid.auto(['Order']), options: { findRows } };
		const { rows } = await grid.run('upsert', given, items(count), extra());
		expect(rows).toHaveLength(count);
		return filtered();
	};
	expect(await run('oneByOne', 60)).toBe(60);
	expect(await run('allAtOnce', 2)).toBe(0);
});

test('Avoid Duplicates By searches again for each row before creating it', async () => {
	const given = { ...grid.auto(), options: { avoidDuplicatesBy: [grid.id('Order')] } };
	// Another writer creates the row before the second search.
	let raced = false;
	bed.proxy.setRules(smallPages, async ({ path }) => {
		if (raced || !path.includes('filter=')) return undefined;
		raced = true;
		await grid.fill([{ Order: 'B-7', Amount: 1 }]);
		return undefined;
	});
	const { rows, error } = await grid.run('create', given, items(120), extra());
	expect(error).toBeUndefined();
	expect(outcomes(rows)).toEqual({ existing: 115, created: 5 });
	const [, , , , , , , race] = rows;
	expect(race).toMatchObject({ Order: 'B-7', Amount: 1, _outcome: 'existing' });
	expect(filtered()).toBe(6);
	expect(bed.proxy.requests.length).toBeLessThanOrEqual(Math.ceil(ROWS / PAGE) + 6 + 5 + 2);
	expect(await grid.rows()).toHaveLength(ROWS + 6);
});

test('Look Up of many items sends one request per page, plus two', async () => {
	const matchBy = { key: [{ column: grid.id('Order'), value: '={{ $json.Order }}' }] };
	const { rows, error } = await grid.run('lookUp', { matchBy }, items(120), extra());
	expect(error).toBeUndefined();
	expect(rows.filter(({ row }) => row === null)).toHaveLength(6);
	expect(bed.proxy.requests.length).toBeLessThanOrEqual(Math.ceil(ROWS / PAGE) + 2);
});

test.each([
	['upsert', ['created', 'updated', 'updated'], 3],
	['create', ['created', 'existing', 'existing'], 1],
])(
	'%s: later items find the row that an earlier item with their key created',
	async (operation, expected, Amount) => {
		const options = {
			findRows: 'allAtOnce',
			...(operation === 'create' ? { avoidDuplicatesBy: [grid.id('Order')] } : {}),
		};
		const given = { ...grid.auto(operation === 'create' ? [] : ['Order']), options };
		const input = [1, 2, 3].map((amount) => ({ Order: 'New', Amount: amount }));
		const { rows, error } = await grid.run(operation, given, input, extra());
		expect(error).toBeUndefined();
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(expected);
		expect((await grid.rows()).filter(({ Order }) => Order === 'New')).toEqual([{ Order: 'New', Amount }]);
	},
);

test('items with the same key are compared with what the preceding item wrote', async () => {
	const given = { ...grid.auto(['Order']), options: { findRows: 'allAtOnce' } };
	const input = [5, 5, 6].map((Amount) => ({ Order: 'A-1', Amount }));
	const { rows } = await grid.run('upsert', given, input, extra());
	expect(rows.map(({ _outcome }) => _outcome)).toEqual(['updated', 'unchanged', 'updated']);
	expect(rows.map(({ _changes }) => _changes)).toEqual([
		[{ field: 'Amount', old: 1, new: 5 }],
		[],
		[{ field: 'Amount', old: 5, new: 6 }],
	]);
	expect(filtered()).toBe(0);
});

test('creates a row that was deleted after the grid was read', async () => {
	const isChange = ({ method }: { method: string }) => method === 'PUT';
	let gone = false;
	bed.proxy.setRules(smallPages, async (request) => {
		if (gone || !isChange(request)) return undefined;
		gone = true;
		const id = /entities\/([^/?]+)/.exec(request.path)?.[1] ?? '';
		await bed.world.client.entities.remove(grid.grid, decodeURIComponent(id));
		return undefined;
	});
	const given = { ...grid.auto(['Order']), options: { findRows: 'allAtOnce' } };
	const { rows, error } = await grid.run('upsert', given, [{ Order: 'A-1', Amount: 5 }], extra());
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ Order: 'A-1', Amount: 5, _outcome: 'created' }]);
	expect((await grid.rows()).filter(({ Order }) => Order === 'A-1')).toHaveLength(1);
});

test('finds rows one by one if the grid cannot be read as a whole, unless All at Once is chosen', async () => {
	const noPages: Rule = ({ path }) =>
		/pageSize=\d{2,}/.test(path) && !path.includes('filter=')
			? { kind: 'response', status: 400, body: '{}' }
			: undefined;
	bed.proxy.setRules(noPages);
	const { rows, error } = await grid.run('upsert', grid.auto(['Order']), items(40), extra());
	expect(error).toBeUndefined();
	expect(rows).toHaveLength(40);
	expect(filtered()).toBe(40);
	const given = { ...grid.auto(['Order']), options: { findRows: 'allAtOnce' } };
	const refused = await grid.run('upsert', given, items(40), extra());
	expect(refused.error).toBeDefined();
});
