import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';
import { importFile } from './stockGrid';

let world: World;
let empty: WorldGrid;

beforeAll(async () => {
	world = await World.start();
});
afterAll(() => world.stop());
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

test('adds columns to a grid with rows, and updates them', async () => {
	const grid = await world.grid({ Item: 'string' });
	await grid.fill([{ Item: 'A' }]);
	const { rows } = await importFile(grid, 'Item,Count\nA,1\nB,2\n', { options: ADD });
	expect(rows).toMatchObject([
		{ created: 1, updated: 1, addedColumns: [{ name: 'Count', type: 'integer' }] },
	]);
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
