import '../../../fixtures/skippedWaits';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { PeopledWorld } from '../../../../testbed/world/peopledWorld';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';
import { importFile } from './stockGrid';

const world = new PeopledWorld();
let empty: WorldGrid;

beforeEach(async () => {
	empty = await world.grid({});
});

const FILE =
	'Item,Count,Price,Sold,Since,Code,Mail,Nothing\nA,1,2.5,true,2026-03-01,007,a@example.com,\nB,2,3,false,2026-03-02,12,b@example.com,\n';
const ADD = { missingColumns: 'add' };
const columnsOf = async ({ grid }: WorldGrid) => {
	const { spaceId, gridId } = grid.address;
	const client = world.newClient();
	const fields = await client.fields.of(await client.grids.open({ spaceId, gridId }));
	return Object.fromEntries(fields.map(({ name, type }) => [name, type.name]));
};
const TYPES = {
	...{ Item: 'string', Count: 'integer', Price: 'decimal', Sold: 'boolean' },
	...{ Since: 'date', Code: 'string', Mail: 'email' },
};

test('Missing Columns: Add fills a grid without columns with those of a file', async () => {
	const parameters = { keyColumns: 'Item', options: ADD };
	const planned = await importFile(empty, FILE, { ...parameters, dryRun: true });
	expect(planned.error).toBeUndefined();
	expect(planned.rows).toMatchObject([{ dryRun: true, created: 2 }]);
	expect(planned.hints.join()).toContain('would be added to the columns: Item (Text), Count (Whole Number)');
	expect(await columnsOf(empty)).toEqual({});
	const { rows, error } = await importFile(empty, FILE, parameters);
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([
		{ created: 2, addedColumns: Object.entries(TYPES).map(([name, type]) => ({ name, type })) },
	]);
	expect(await columnsOf(empty)).toEqual(TYPES);
	const { items } = await world.newClient().entities.page(empty.grid, { layout: 'property' });
	expect(items).toMatchObject([
		{ Item: 'A', Count: 1, Price: 2.5, Sold: true, Since: '2026-03-01', Code: '007' },
		{ Item: 'B', Count: 2, Code: '12' },
	]);
	expect((await importFile(empty, FILE, parameters)).rows).toMatchObject([
		{ created: 0, unchanged: 2, addedColumns: [] },
	]);
});

test('the type of a new column fits numbers that are large or have many digits', async () => {
	const exact = 'Item,N\nA,1\nB,123456789012345.123456\n';
	const ofTexts = await importFile(empty, exact, { keyColumns: 'Item', options: ADD });
	expect(ofTexts.error).toBeUndefined();
	expect(await columnsOf(empty)).toEqual({ Item: 'string', N: 'string' });
	const grid = await world.grid({ Item: 'string' });
	const large = await importFile(grid, '{"Item":"A","N":1e20}\n{"Item":"B","N":2}\n', {
		...{ fileFormat: 'ndjson', options: ADD },
	});
	expect(large.error).toBeUndefined();
	expect(await columnsOf(grid)).toEqual({ Item: 'string', N: 'decimal' });
	expect((await importFile(empty, exact, { keyColumns: 'Item' })).rows).toMatchObject([{ unchanged: 2 }]);
});

test('adds no column if the file is refused, or the key may not change columns', async () => {
	const grid = await world.grid({ Item: 'string', Since: 'date' });
	const refused = await importFile(grid, 'Item,Since,Count\nA,soon,1\n', { options: ADD });
	expect(refused.error?.message).toContain('"Since"');
	const limited = await importFile(grid, 'Item,Count\nA,1\nB,2\n', {
		options: { ...ADD, creationLimit: 1 },
	});
	expect(limited.error?.message).toContain('2 rows');
	const reading = await importFile(grid, 'Item,Count\nA,1\n', { options: ADD }, { as: 'reader' });
	expect(reading.error?.message).toContain('No permission');
	expect(await columnsOf(grid)).toEqual({ Item: 'string', Since: 'date' });
});

test('Refuse names the columns of a file and says how to add them', async () => {
	const grid = await world.grid({ Item: 'string' });
	const { error } = await importFile(grid, 'Item,Count\nA,1\n', { options: { missingColumns: 'refuse' } });
	expect(error?.message).toMatch(/The input has columns that ".+" lacks: Count; nothing was written/);
	expect(error?.description).toContain('"Add" in "Missing Columns"');
	const inEmpty = await importFile(empty, FILE, { keyColumns: 'Item' });
	expect(inEmpty.error?.message).toMatch(/lacks: Item, Count, .*; nothing/);
	expect(inEmpty.error?.description).toContain('expression');
});

describe('Sync', () => {
	const ITEMS = [
		{
			_id: 'from another grid',
			Item: 'A',
			Count: 1,
			Price: 2.5,
			Sold: true,
			Since: '2026-03-01',
			Code: '007',
			Nothing: null,
		},
		{ Item: 'B', Count: 2, Price: 3, Sold: false, Since: '2026-03-02', Code: '12', Other: {} },
	];
	const COLUMNS = Object.fromEntries(Object.entries(TYPES).filter(([name]) => name !== 'Mail'));
	const KEYS = { ...ADD, newKeyColumns: 'Item' };
	const sync = async (
		grid: WorldGrid,
		items: IDataObject[],
		{ options = KEYS, keys = [], ...more }: { options?: object; keys?: string[]; dryRun?: boolean } = {},
		run: object = {},
	) => await grid.run('sync', { ...grid.auto(keys), ...more, options: { ...options } }, items, run);

	test('fills a grid without columns; a dry run shows the same', async () => {
		const planned = await sync(empty, ITEMS, { dryRun: true });
		expect(planned.error).toBeUndefined();
		expect(planned.rows.map(({ _outcome }) => _outcome)).toEqual(['create', 'create']);
		expect(planned.hints.join()).toContain(
			'Dry run: would be added to the columns: Item (Text), Count (Whole Number)',
		);
		expect(await columnsOf(empty)).toEqual({});
		const { rows, items, error, hints } = await sync(empty, ITEMS);
		expect(error).toBeUndefined();
		expect(await columnsOf(empty)).toEqual(COLUMNS);
		expect(hints.join()).toMatch(/Added to ".+": Item \(Text\), Count \(Whole Number\)/);
		// Columns that the run is to add have no ID yet.
		const withoutId = ({ _changes, ...row }: IDataObject) => ({
			...{ ...row, _id: null, _outcome: null, _reasons: null },
			changes: z.array(z.object({ field: z.string(), old: z.null(), new: z.unknown() })).parse(_changes),
		});
		expect(rows.map(withoutId)).toEqual(planned.rows.map(withoutId));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const stored = await world.newClient().entities.page(empty.grid, { layout: 'property' });
		expect(stored.items).toMatchObject([
			{ Item: 'A', Count: 1, Price: 2.5, Code: '007' },
			{ Item: 'B', Count: 2, Price: 3, Sold: false },
		]);
		const again = await sync(empty, ITEMS);
		expect(again.hints.join()).toContain('Sync: 2 unchanged');
	});

	test('two runs at once add a column once', async () => {
		const runs = [0, 1].map(async (at) => await sync(empty, [{ Item: `Item ${at}`, Count: at }]));
		const errors = (await Promise.all(runs)).map(({ error }) => error);
		expect(errors).toEqual([undefined, undefined]);
		const { spaceId, gridId } = empty.grid.address;
		const client = world.newClient();
		const fields = await client.fields.of(await client.grids.open({ spaceId, gridId }));
		expect(fields.map(({ name }) => name).sort()).toEqual(['Count', 'Item']);
		expect((await sync(empty, [{ Item: 'Item 0', Count: 5 }])).error).toBeUndefined();
	});

	test('adds what a grid with rows lacks, also under a name with a byte order mark', async () => {
		const grid = await world.grid({ Item: 'string' });
		await grid.fill({ Item: 'A' });
		const items = [
			{ Item: 'A', '\uFEFFCount': 1 },
			{ Item: 'B', '\uFEFFCount': 2 },
		];
		const { rows, error } = await sync(grid, items, { options: ADD, keys: ['Item'] });
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([
			{ Item: 'A', Count: 1, _outcome: 'updated' },
			{ Item: 'B', Count: 2, _outcome: 'created' },
		]);
		expect(await columnsOf(grid)).toEqual({ Item: 'string', Count: 'integer' });
	});

	test('refuses a grid without columns, names those of the items and says what to do', async () => {
		const { error } = await sync(empty, ITEMS, { options: {} });
		expect(error?.message).toMatch(/lacks: Item, Count, .+; nothing was written/);
		expect(error?.description).toMatch(
			/choose "Add" in "Missing Columns" .+ enter their names in "New Key Columns"/,
		);
		const withoutKeys = await sync(empty, ITEMS, { options: ADD });
		expect(withoutKeys.error?.message).toBe('No key column is chosen');
		expect(withoutKeys.error?.description).toContain('"New Key Columns"');
		expect(await columnsOf(empty)).toEqual({});
	});

	test('Refuse names the columns that a grid lacks; Leave Out writes the others', async () => {
		const grid = await world.grid({ Item: 'string' });
		const items = [{ Item: 'A', Count: 1 }];
		const refused = await sync(grid, items, { options: { missingColumns: 'refuse' }, keys: ['Item'] });
		expect(refused.error?.message).toMatch(
			/The input has columns that ".+" lacks: Count; nothing was written/,
		);
		expect(await grid.rows()).toEqual([]);
		const keyless = await sync(grid, [{ Item: 'A' }], { options: { missingColumns: 'refuse' } });
		expect(keyless.error?.description).toMatch(/^Choose in "[^"]+" the columns/);
		const written = await sync(grid, items, { options: {}, keys: ['Item'] });
		expect(written.hints.join()).toContain('has no such column: Count');
		expect(await grid.rows()).toEqual([{ Item: 'A' }]);
	});

	test.each([
		['a check of the rows fails', { options: { ...KEYS, creationLimit: 1 } }, '2 rows'],
		['a key occurs twice', { options: { ...ADD, newKeyColumns: 'Other' } }, 'same key'],
	])('adds no column if %s', async (_why, more, message) => {
		const items = ITEMS.map((item) => ({ ...item, Other: 'same' }));
		expect((await sync(empty, items, more)).error?.message).toContain(message);
		expect(await columnsOf(empty)).toEqual({});
	});

	test('a key that may not add columns is refused, in a dry run as well', async () => {
		const grid = await world.grid({ Item: 'string' });
		const credentials = await world.person('writer');
		const more = { options: ADD, keys: ['Item'] };
		for (const dryRun of [true, false]) {
			const { error } = await sync(grid, [{ Item: 'A', Count: 1 }], { ...more, dryRun }, { credentials });
			expect(error?.message).toContain('No permission to change columns');
		}
		expect(await grid.rows()).toEqual([]);
		expect(await columnsOf(grid)).toEqual({ Item: 'string' });
	});
});
