import '../../fixtures/skippedWaits';
import type { IDataObject } from 'n8n-workflow';
import type { Rule } from '../../../testbed/proxy/faultProxy';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** Rows are found by key one by one or all at once, whichever needs fewer requests. */
const ROWS = 60;
const PAGE = 25;

const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeEach(async () => {
	grid = await bed.grid({ Order: 'string', Amount: 'integer' });
	await grid.fill(...Array.from({ length: ROWS }, (_, n) => ({ Order: `A-${n}`, Amount: n })));
	bed.proxy.setRules(smallPages);
});

/** Limits pages to `PAGE` rows. */
const smallPages: Rule = ({ path }) => ({
	kind: 'change',
	request: { path: path.replace(/pageSize=\d{3,}/, `pageSize=${PAGE}`) },
});
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

test('Create or Update of many items reads each page three times and sends one request per write', async () => {
	const { rows, error } = await grid.run('upsert', grid.auto(['Order']), items(40));
	expect(error).toBeUndefined();
	expect(outcomes(rows)).toEqual({ unchanged: 34, updated: 4, created: 2 });
	const pages = Math.ceil(ROWS / PAGE);
	expect(written()).toBe(6);
	expect(bed.proxy.requests.length).toBeLessThanOrEqual(3 * pages + 6 + 2);
	expect(await grid.rows()).toHaveLength(ROWS + 2);
});

test('the rows of few items in a large grid are found one by one, after one small request', async () => {
	const given = { ...grid.auto(['Order']) };
	// 60 rows fit on one page of 300, so the small response has larger counts.
	bed.proxy.setRules(() => ({
		kind: 'change',
		response: ({ body }) => ({ body: body.replace(/"(numberOf(?:Items|Pages))":60\b/g, '"$1":90000') }),
	}));
	const { rows, error } = await grid.run('upsert', given, items(10));
	expect(error).toBeUndefined();
	expect(outcomes(rows)).toEqual({ unchanged: 8, updated: 1, created: 1 });
	// The created row is looked for once more.
	expect(filtered()).toBe(10 + 1);
	expect(requests(/pageSize=1(&|$)/)).toBe(1);
});

test('Find Rows determines how rows are found', async () => {
	const run = async (findRows: string, count: number) => {
		bed.proxy.setRules(smallPages);
		const given = { ...grid.auto(['Order']), options: { findRows } };
		const { rows } = await grid.run('upsert', given, items(count));
		expect(rows).toHaveLength(count);
		return filtered();
	};
	expect(await run('oneByOne', 40)).toBe(40 + 2);
	expect(await run('allAtOnce', 2)).toBe(0);
});

test('one by one, the keys that no filter finds are read at once', async () => {
	const compareAs = { column: [{ column: grid.id('Order'), rule: 'ignoreCaseAndSpaces' }] };
	const given = { ...grid.auto(['Order']), options: { findRows: 'oneByOne', compareAs } };
	const { rows } = await grid.run('upsert', given, items(40));
	expect(outcomes(rows)).toEqual({ unchanged: 34, updated: 4, created: 2 });
	const read = { filtered: filtered(), pages: requests(/pageSize=\d{2,}/) };
	expect(read).toEqual({ filtered: 0, pages: 3 * Math.ceil(ROWS / PAGE) });
});

describe('a key that a list lacks is looked for again before its row is created', () => {
	/** Another writer adds the row after the grid was read, or the first list passes over it. */
	const addMeanwhile = () => {
		const lists = new Set<string>();
		let added = false;
		bed.proxy.setRules(smallPages, async ({ path }) => {
			const isAgain = path.includes('filter=') || lists.has(path);
			if (/pageSize=\d{2,}/.test(path)) lists.add(path);
			if (added || !isAgain) return undefined;
			added = true;
			await grid.fill({ Order: 'B-7', Amount: 1 });
			return undefined;
		});
	};
	test.each([
		['create', 'existing', 40, { filtered: 0, pages: 3 * Math.ceil(ROWS / PAGE) }],
		['upsert', 'updated', 40, { filtered: 0, pages: 3 * Math.ceil(ROWS / PAGE) }],
		['upsert', 'updated', 8, { filtered: 1, pages: Math.ceil(ROWS / PAGE) + 1 }],
	])(
		'%s: its row is %s; with %d items all keys at once, with few one by one',
		async (operation, outcome, count, read) => {
			addMeanwhile();
			const isCreation = operation === 'create';
			const options = {
				findRows: 'allAtOnce',
				...(isCreation ? { avoidDuplicatesBy: [grid.id('Order')] } : {}),
			};
			const given = { ...grid.auto(isCreation ? [] : ['Order']), options };
			const { rows, error } = await grid.run(operation, given, items(count));
			expect(error).toBeUndefined();
			expect(rows[7]).toMatchObject({ Order: 'B-7', _outcome: outcome });
			expect({ filtered: filtered(), pages: requests(/pageSize=\d{2,}/) }).toEqual(read);
			expect(await grid.rows()).toHaveLength(ROWS + Math.ceil((count - 7) / 20));
		},
	);

	test('Sync compares it with the item instead of creating it again', async () => {
		addMeanwhile();
		const input = [...items(7), { Order: 'B-7', Amount: 2 }, { Order: 'B-8', Amount: 3 }];
		const { rows } = await grid.run('sync', grid.auto(['Order']), input, {
			onError: 'continueRegularOutput',
		});
		const compared = rows.find(({ Order }) => Order === 'B-7');
		expect(['updated', 'unchanged']).toContain(compared?.['_outcome']);
		expect((await grid.rows()).find(({ Order }) => Order === 'B-7')).toMatchObject({ Amount: 2 });
		expect(await grid.rows()).toHaveLength(ROWS + 2);
	});

	test('nothing is created after a failed search', async () => {
		const lists = new Set<string>();
		bed.proxy.setRules(smallPages, ({ path }) => {
			if (!/pageSize=\d{2,}/.test(path)) return undefined;
			const isAgain = lists.has(path);
			lists.add(path);
			return isAgain ? { kind: 'response', status: 400, body: '{"message":"no lists"}' } : undefined;
		});
		const given = { ...grid.auto(['Order']), options: { findRows: 'allAtOnce' } };
		const { error } = await grid.run('upsert', given, [{ Order: 'B-1' }, { Order: 'B-2' }]);
		expect(error?.message).toContain('no lists');
		expect(written()).toBe(0);
	});
});

describe('nothing is created after an unstable search', () => {
	/** A list whose count falls during each reading, so that a row may be passed over. */
	const shrinks: Rule = ({ path }) => ({
		kind: 'change',
		request: { path: path.replace(/pageSize=\d{3,}/, `pageSize=${PAGE}`) },
		response: ({ body }) => ({
			body: path.includes('pageIndex=1&') ? body.replace('"numberOfItems":60', '"numberOfItems":61') : body,
		}),
	});

	test('all at once', async () => {
		bed.proxy.setRules(shrinks);
		const given = { ...grid.auto(['Order']), options: { findRows: 'allAtOnce' } };
		const { error } = await grid.run('upsert', given, [{ Order: 'B-1' }, { Order: 'B-2' }]);
		expect(error?.message).toContain('kept changing while it was read');
		expect(written()).toBe(0);
	});

	test('one by one', async () => {
		const page = (index: number) => ({
			...{ page: index, pageSize: 1, numberOfItems: 3 - index, numberOfPages: 3 - index },
			items: index === 1 ? [{ _id: 'other', [grid.id('Order')]: 'b-1' }] : [],
		});
		bed.proxy.setRules(({ path }) => {
			if (!/[?&]filter=/.test(path)) return undefined;
			const { items: rows, ...counts } = page(path.includes('pageIndex=2') ? 2 : 1);
			const body = JSON.stringify({ ...counts, size: rows.length, items: rows });
			return { kind: 'response', status: 200, body };
		});
		const given = { ...grid.auto(['Order']), options: { findRows: 'oneByOne' } };
		const { error } = await grid.run('upsert', given, [{ Order: 'B-1' }]);
		expect(error?.message).toContain('kept changing while it was read');
		expect(written()).toBe(0);
	});
});

test('items with the same key are compared with what the preceding item wrote', async () => {
	const given = { ...grid.auto(['Order']), options: { findRows: 'allAtOnce' } };
	const input = [5, 5, 6].map((Amount) => ({ Order: 'A-1', Amount }));
	const { rows } = await grid.run('upsert', given, input);
	expect(rows.map(({ _outcome }) => _outcome)).toEqual(['updated', 'unchanged', 'updated']);
	expect(rows.map(({ _changes }) => _changes)).toMatchObject([
		[{ fieldId: grid.id('Amount'), field: 'Amount', old: 1, new: 5 }],
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
		await bed.client.entities.remove(grid.grid, decodeURIComponent(id));
		return undefined;
	});
	const given = { ...grid.auto(['Order']), options: { findRows: 'allAtOnce' } };
	const { rows, error } = await grid.run('upsert', given, [{ Order: 'A-1', Amount: 5 }]);
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
	const { rows, error } = await grid.run('upsert', grid.auto(['Order']), items(40));
	expect(error).toBeUndefined();
	expect(rows).toHaveLength(40);
	expect(filtered()).toBe(40 + 2);
	const given = { ...grid.auto(['Order']), options: { findRows: 'allAtOnce' } };
	const refused = await grid.run('upsert', given, items(40));
	expect(refused.error).toBeDefined();
});
