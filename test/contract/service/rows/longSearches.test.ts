import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { z } from 'zod/v4';
import { Database } from '../../../../service/store/files/database';
import { firstKey } from '../../../../service/store/keys';
import { Indexes } from '../../../../service/store/rows/indexes';
import { KeptSortings } from '../../../../service/store/rows/keptSortings';
import { SortedKeys } from '../../../../service/store/rows/sortedKeys';
import { until } from '../../../../testbed/until';
import { fieldIds, makeGrid, objects, startWithOwner, uploadGrid, type Caller } from '../http';

const json = (value: unknown) => JSON.stringify(value);

/** A grid of rows, each with its number, another one and the rest of its division by three. */
async function numbers(owner: Caller, size: number) {
	const { space } = await makeGrid(owner, {});
	const lines = Array.from({ length: size }, (_, n) => `${n},${(n * 7919) % size},${n % 3}`);
	const grid = await uploadGrid(owner, space, {
		name: 'Large',
		file: `n,mixed,third\n${lines.join('\n')}\n`,
	});
	const ids = await fieldIds(owner, grid, 'key');
	return { grid, id: (name: string) => ids[name] ?? '' };
}

describe('a filter whose index is not filled', () => {
	const SIZE = 40_000;
	const folder = mkdtempSync(join(tmpdir(), 'datagrid-search-'));
	const data = join(folder, 'data.db');
	afterAll(() => {
		rmSync(folder, { recursive: true });
	});

	/** Whether the indexes of the data file are filled. */
	function filled(): boolean[] {
		const file = new DatabaseSync(data);
		const rows = z
			.array(z.object({ grid_no: z.number(), filled: z.number() }))
			.parse(file.prepare('SELECT grid_no, filled FROM indexes').all());
		file.close();
		return rows.map((row) => row.filled > firstKey(row.grid_no));
	}

	test('is searched for meanwhile, and read from its index afterwards', async () => {
		const { owner, end } = await startWithOwner({ data });
		const { grid, id } = await numbers(owner, SIZE);
		const matches = async (query: Record<string, string>) => {
			const page = await owner.read(`${grid}/entities`, { layout: 'key', pageSize: '3', ...query });
			return [page['numberOfItems'], objects(page['items']).map((item) => item['n'])];
		};
		const equal = { filter: json({ [id('mixed')]: { $eq: 7919 } }) };
		const above = {
			filter: json({ [id('n')]: { $gt: SIZE - 1000 } }),
			sorting: json({ [id('third')]: { $order: 'descending' }, [id('n')]: { $order: 'ascending' } }),
		};
		const [one, sorted] = [
			[1, [1]],
			[999, [SIZE - 998, SIZE - 995, SIZE - 992]],
		];
		expect(await matches(equal)).toEqual(one);
		expect(filled()).toEqual([false]);
		await until('the index', () => filled().every(Boolean));
		expect(await matches(equal)).toEqual(one);
		expect(await matches(above)).toEqual(sorted);
		expect(filled()).toEqual([true, false]);
		await until('the other index', () => filled().every(Boolean));
		expect(await matches(above)).toEqual(sorted);
		await end();
	}, 60_000);

	test('is searched for by one request after the other', async () => {
		const { owner, end } = await startWithOwner();
		const { grid, id } = await numbers(owner, SIZE);
		const unfilled = new Promise<undefined>(() => undefined);
		const find = jest.spyOn(Indexes.prototype, 'find').mockReturnValue(unfilled);
		const statements = jest.spyOn(Database.prototype, 'all');
		const page = (value: number) => {
			const filter = json({ [id('mixed')]: { $eq: value } });
			return owner.items(`${grid}/entities`, { layout: 'key', filter });
		};
		const values = [7919, 15_838, 23_757];
		const found = await Promise.all(values.map(page));
		expect(found.flat().map((row) => row['n'])).toEqual([1, 2, 3]);
		const searched = statements.mock.calls.flatMap(([sql, ...given]) =>
			sql.startsWith('SELECT pos FROM') ? values.filter((value) => given.includes(value)) : [],
		);
		const turns = searched.filter((value, n) => value !== searched[n - 1]);
		expect(searched.length).toBeGreaterThan(turns.length);
		expect(turns).toHaveLength(values.length);
		find.mockRestore();
		statements.mockRestore();
		await end();
	}, 60_000);

	test('is waited for by a page that is only sorted, which would do the same work twice', async () => {
		const { owner, end } = await startWithOwner();
		const { grid, id } = await numbers(owner, SIZE);
		const page = async (names: string[], descending = false, more: Record<string, string> = {}) => {
			const order = { $order: descending ? 'descending' : 'ascending' };
			const sorting = json(Object.fromEntries(names.map((name) => [id(name), order])));
			const query = { layout: 'key', pageSize: '3', sorting, ...more };
			const found = await owner.read(`${grid}/entities`, query);
			return [found['numberOfItems'], objects(found['items']).map((item) => item['n'])];
		};
		const third = { filter: json({ [id('third')]: { $eq: 1 } }) };
		const filtered = [13_333, [8395, 26_074, 12_148]];
		const unfilled = new Promise<undefined>(() => undefined);
		const find = jest.spyOn(Indexes.prototype, 'find').mockReturnValue(unfilled);
		expect(await page(['mixed'], false, third)).toEqual(filtered);
		find.mockRestore();
		const sorts = jest.spyOn(SortedKeys.prototype, 'drop');
		expect([
			await page(['mixed']),
			await page(['third', 'mixed'], true),
			await page(['mixed'], false, { pageIndex: '2' }),
		]).toEqual([
			[SIZE, [0, 17_679, 35_358]],
			[SIZE, [26_963, 9284, 23_210]],
			[SIZE, [13_037, 30_716, 8395]],
		]);
		// One for each index, and none for a page.
		expect(sorts).toHaveBeenCalledTimes(2);
		sorts.mockRestore();
		expect(await page(['mixed'], false, third)).toEqual(filtered);
		await end();
	}, 60_000);
});

test('an index has the current values of rows that changed while it was filled', async () => {
	const { owner, end } = await startWithOwner();
	const { grid, id } = await numbers(owner, 25_000);
	const entities = `${grid}/entities`;
	const matches = async (query: Record<string, string>) => {
		const page = await owner.read(entities, { layout: 'key', pageSize: '3', ...query });
		return [page['numberOfItems'], objects(page['items']).map((item) => item['n'])];
	};
	const equal = (value: number) => ({ filter: json({ [id('mixed')]: { $eq: value } }) });
	const sorting = json({ [id('mixed')]: { $order: 'ascending' } });
	const rows = await owner.items(entities, { layout: 'key', pageSize: '2' });
	const [changed, removed] = rows.map((row) => `${entities}/${String(row['_id'])}`);
	const values = jest.spyOn(SortedKeys.prototype, 'add');
	const ends = jest.spyOn(SortedKeys.prototype, 'drop');
	let goOn = (): void => undefined;
	const pause = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	// The filling pauses when it has read the first rows, before it writes the index.
	const slices = jest
		.spyOn(Database.prototype, 'keepLogShort')
		.mockImplementation(async () => (values.mock.calls.length > 0 ? pause : undefined));
	expect(await matches(equal(7919))).toEqual([1, [1]]);
	await until('the first values', () => values.mock.calls.length > 0);
	await owner.put(changed ?? '', { mixed: -1 }, { layout: 'key' });
	await owner.delete(removed ?? '');
	goOn();
	await until('the index', () => ends.mock.calls.length > 0);
	expect(await matches({ sorting, pageIndex: '2' })).toEqual([24_999, [3037, 20_716, 13_395]]);
	expect(await matches({ sorting })).toEqual([24_999, [0, 17_679, 10_358]]);
	expect(await matches(equal(7919))).toEqual([0, []]);
	expect(await matches(equal(0))).toEqual([0, []]);
	expect(await matches(equal(-1))).toEqual([1, [0]]);
	values.mockRestore();
	ends.mockRestore();
	slices.mockRestore();
	await end();
}, 60_000);

test('a search may take six times as long as without turns, and then ends', async () => {
	const { owner, end } = await startWithOwner({ statementMs: 0.001 });
	const { grid, id } = await numbers(owner, 3000);
	const reply = await owner.get(`${grid}/entities`, {
		filter: json({ [id('n')]: { $contains: 'x' } }),
	});
	expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
	expect(reply.json()['message']).toMatch(/^The search took more than 0\.006 ms of processor time/);
	await end();
});

test('entities are sorted once for all pages and exports, until one of them changes', async () => {
	const { owner, end } = await startWithOwner();
	const { grid, id } = await numbers(owner, 3000);
	const sortings = jest.spyOn(SortedKeys.prototype, 'take');
	const query = {
		layout: 'key',
		pageSize: '2',
		sorting: json({ [id('third')]: { $order: 'descending' }, [id('n')]: { $order: 'ascending' } }),
	};
	const items = (more: Record<string, string> = {}) => owner.items(`${grid}/entities`, { ...query, ...more });
	const ns = async (more?: Record<string, string>) => (await items(more)).map((item) => item['n']);
	expect(await ns()).toEqual([2, 5]);
	const { length } = sortings.mock.calls;
	expect(length).toBeGreaterThan(0);
	expect(await ns({ pageIndex: '2' })).toEqual([8, 11]);
	expect(await ns({ pageIndex: '1500' })).toEqual([2994, 2997]);
	const { text } = await owner.get(`${grid}/csv`, { sorting: query.sorting });
	expect(text.split('\n', 3).slice(1)).toEqual(['2,838,2', '5,595,2']);
	expect(sortings.mock.calls).toHaveLength(length);
	const [first] = await items();
	await owner.put(`${grid}/entities/${String(first?.['_id'])}`, { third: 0 }, { layout: 'key' });
	expect(await ns()).toEqual([5, 8]);
	expect(sortings.mock.calls.length).toBeGreaterThan(length);
	sortings.mockRestore();
	await end();
});

test('of many sortings, those used last are kept', () => {
	const kept = new KeptSortings();
	const sorting = { version: 1, positions: new Uint32Array(3 * 1024 * 1024) };
	for (const name of ['a', 'b']) kept.add(name, sorting);
	expect(kept.get('a', 1)).toBe(sorting.positions);
	kept.add('c', sorting);
	expect(['a', 'b', 'c'].map((name) => kept.get(name, 1) !== undefined)).toEqual([true, false, true]);
	expect(kept.get('a', 2)).toBeUndefined();
	kept.clear();
	expect(kept.get('c', 1)).toBeUndefined();
});

test('sortings of no entities do not stay for ever: the texts of their selections count', () => {
	const kept = new KeptSortings();
	const none = { version: 1, positions: new Uint32Array(0) };
	const selections = Array.from({ length: 40 }, (_, index) => `${index}${'?'.repeat(1024 * 1024)}`);
	for (const selection of selections) kept.add(selection, none);
	const isKept = selections.map((selection) => kept.get(selection, 1) !== undefined);
	expect(isKept.filter(Boolean)).toHaveLength(15);
	expect(isKept.at(-1)).toBe(true);
});
