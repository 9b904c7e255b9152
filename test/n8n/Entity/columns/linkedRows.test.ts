import '../../../fixtures/skippedWaits';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { fileItem } from '../../../../testbed/world/fileItem';
import { byId } from '../../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let customers: WorldGrid;
let orders: WorldGrid;
let ids: string[];

beforeEach(async () => {
	customers = await bed.grid({ Name: 'string', City: 'string', Number: 'integer' });
	ids = await customers.fill(
		{ Name: 'Alder & Finch', City: 'Basel', Number: 1 },
		{ Name: 'Birch', City: 'Bern', Number: 2 },
		{ Name: 'Cedar', City: 'Bern', Number: 3 },
	);
	orders = await bed.grid({ Order: 'string', Customer: 'reference', Partners: 'references' });
});

const url = (id: string | undefined) => new RegExp(`/entities/${String(id)}$`);
const linkTo = (id: string | undefined) => ({ uri: expect.stringMatching(url(id)) as unknown });
const byName = (column: string, linkedColumn = 'Name'): INodeParameters => ({
	column,
	linkedGrid: byId(customers.grid.id),
	linkedColumn,
});
const finding = (...rule: INodeParameters[]) => ({ options: { findLinkedRowsBy: { rule } } });
const writes = () => bed.proxy.requests.filter(({ method }) => method !== 'GET');
const run: WorldGrid['run'] = (...given) => orders.run(...given);

/** Each writing operation, with parameters for one item per existing order. */
const operations: Array<[string, () => INodeParameters]> = [
	['create', () => orders.auto()],
	['upsert', () => orders.auto(['Order'])],
	['sync', () => orders.auto(['Order'])],
	['update', () => ({ entity: byId('={{ $json._id }}'), ...orders.auto() })],
	[
		'updateMany',
		() => ({
			conditions: { condition: [{ column: 'Order', operator: '$eq', value: '={{ $json.Order }}' }] },
			...orders.mapped({ Customer: '={{ $json.Customer }}' }),
		}),
	],
];

test.each(operations)('%s links the rows that have the values', async (operation, parameters) => {
	const [one, two] = await orders.fill({ Order: 'A' }, { Order: 'B' });
	const items = [
		{ _id: one, Order: 'A', Customer: 'Alder & Finch' },
		{ _id: two, Order: 'B', Customer: 'Birch' },
	];
	const { error } = await run(operation, { ...parameters(), ...finding(byName('Customer')) }, items);
	expect(error).toBeUndefined();
	const linked = (await orders.rows()).map(({ Customer }) => Customer);
	expect(linked.slice(-2)).toEqual([linkTo(ids[0]), linkTo(ids[1])]);
});

const create = async (item: IDataObject, ...rules: INodeParameters[]) =>
	await run('create', { ...orders.auto(), ...finding(...rules) }, [{ Order: 'A', ...item }]);
const created = async () => (await orders.rows()).at(-1);

test('links by the ID of a row, and refuses one that no row has', async () => {
	expect((await create({ Customer: ids[1] }, byName('Customer', '_id'))).error).toBeUndefined();
	expect(await created()).toMatchObject({ Customer: linkTo(ids[1]) });
	const { error } = await create({ Customer: 'Birch' }, byName('Customer', '_id'));
	expect(error?.message).toContain('has the ID "Birch", so the column "Customer" cannot link to it');
});

test('finds the grid of a column that names it', async () => {
	const type = {
		name: 'references',
		grid: { uri: `/api/users/u1/spaces/${customers.grid.address.spaceId}/grids/${customers.grid.id}` },
	};
	await bed.client.fields.add(orders.grid, { name: 'Buyers', type });
	const write = async (...Buyers: unknown[]) =>
		await run('create', { ...orders.auto(), options: {} }, [{ Order: 'A', Buyers }]);
	const { rows, error } = await write(ids[0], ids[2]);
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject({ Buyers: [linkTo(ids[0]), linkTo(ids[2])] });
	expect((await write('Cedar')).error?.message).toContain('has the ID "Cedar"');

	const rule = [{ column: 'Buyers', linkedGrid: { __rl: true, mode: 'list', value: '' }, linkedColumn: 'Name' }]; // prettier-ignore
	const byName = { ...orders.auto(), options: { findLinkedRowsBy: { rule } } };
	const named = await run('create', byName, [{ Order: 'B', Buyers: ['Cedar'] }]);
	expect(named.rows[0]).toMatchObject({ Buyers: [linkTo(ids[2])] });
	const unknown = { column: 'Customer', linkedGrid: { __rl: true, mode: 'list', value: '' } };
	expect((await create({ Customer: 'Cedar' }, unknown)).error?.message).toBe('"Linked Grid" is empty');
});

test('refuses a value that no row or several rows have before anything is written', async () => {
	const items = [
		{ Order: 'A', Customer: 'Basel' },
		{ Order: 'B', Customer: 'Bern' },
	];
	const given = { ...orders.auto(), ...finding(byName('Customer', 'City')) };
	const several = await run('create', given, items);
	expect(several.error?.message).toContain(`2 rows have City "Bern": ${ids[1]}, ${ids[2]}`);
	const none = await create({ Customer: 'Dogwood' }, byName('Customer'));
	expect(none.error?.message).toContain(
		`No row of "${customers.grid.name}" has Name "Dogwood", so the column "Customer" cannot link to it`,
	);
	expect(writes()).toEqual([]);
	const { outputs } = await run('create', given, items, { onError: 'continueErrorOutput' });
	expect(outputs.map((branch) => branch.map(({ pairedItem }) => pairedItem))).toEqual([
		[{ item: 0 }],
		[{ item: 1 }],
	]);
});

test('accepts several links as a list, as JSON or separated by commas', async () => {
	for (const Partners of [['Birch', 'Cedar'], '["Birch","Cedar"]', 'Birch, Cedar']) {
		const { error } = await create({ Partners }, byName('Partners'));
		expect(error).toBeUndefined();
		expect(await created()).toMatchObject({ Partners: [linkTo(ids[1]), linkTo(ids[2])] });
	}
});

test('writes links unchanged, and empty values as null', async () => {
	const uri = `/api/users/u/spaces/s/grids/g/entities/${String(ids[2])}`;
	await create({ Customer: { uri }, Partners: [uri, 'Birch'] }, byName('Customer'), byName('Partners'));
	expect(await created()).toMatchObject({ Customer: { uri }, Partners: [{ uri }, linkTo(ids[1])] });
	const { error } = await create({ Customer: '', Partners: null }, byName('Customer'), byName('Partners'));
	expect(error).toBeUndefined();
	expect(await created()).toMatchObject({ Customer: null, Partners: null });
});

test('finds rows by number, and by the first column of the grid by default', async () => {
	await create({ Customer: 2, Partners: 'Cedar' }, byName('Customer', 'Number'), byName('Partners', ''));
	expect(await created()).toMatchObject({ Customer: linkTo(ids[1]), Partners: [linkTo(ids[2])] });
	const { error } = await create({ Customer: 'two' }, byName('Customer', 'Number'));
	expect(error?.message).toContain(
		'Column "Number" requires a value of the type Whole Number, but got "two"',
	);
});

test('searches for each value once, or reads all rows once', async () => {
	const items = Array.from({ length: 40 }, (_, index) => ({
		Order: `O-${index}`,
		Customer: ['Alder & Finch', 'Birch'][index % 2],
	}));
	const { error } = await run('create', { ...orders.auto(), ...finding(byName('Customer')) }, items);
	expect(error).toBeUndefined();
	const reads = bed.proxy.requests.filter(
		({ method, path }) => method === 'GET' && path.includes('/entities'),
	);
	expect(reads.length).toBeLessThanOrEqual(2);
	const other = Array.from({ length: 40 }, (_, index) => ({ Name: `Firm ${index}` }));
	await customers.fill(...other);
	bed.proxy.setRules();
	const wide = other.map(({ Name }) => ({ Order: Name, Customer: Name }));
	expect(
		(await run('create', { ...orders.auto(), ...finding(byName('Customer')) }, wide)).error,
	).toBeUndefined();
	const again = bed.proxy.requests.filter(
		({ method, path }) => method === 'GET' && path.includes('/entities'),
	);
	expect(again.length).toBeLessThanOrEqual(3);
});

test('a second run of Sync finds the same links and writes nothing', async () => {
	const parameters = { ...orders.auto(['Order']), ...finding(byName('Customer'), byName('Partners')) };
	const items = [{ Order: 'A', Customer: 'Birch', Partners: 'Birch, Cedar' }];
	await run('sync', parameters, items);
	bed.proxy.setRules();
	const report = { ...parameters, output: 'report' };
	const { rows } = await run('sync', report, items);
	expect(rows[0]).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
	expect(writes()).toEqual([]);
});

test.each([
	['Order', 'Name', '"Find Linked Rows By" refers to the column "Order", whose type Text does not link rows'],
	['Nothing', 'Name', '"Find Linked Rows By" refers to the column "Nothing", which the grid does not have'],
	['Customer', 'Nothing', '"Linked Column" refers to the column "Nothing", which the grid does not have'],
])('column %s by %s is refused', async (column, linkedColumn, message) => {
	const { error } = await create({ Customer: 'Birch' }, byName(column, linkedColumn));
	expect(error?.message).toContain(message);
	expect(writes()).toEqual([]);
});

test('names a linked grid that does not exist or is not chosen', async () => {
	const nowhere = { ...byName('Customer'), linkedGrid: byId('nowhere') };
	expect((await create({ Customer: 'Birch' }, nowhere)).error?.message).toContain('"Find Linked Rows By"');
	const empty = { ...byName('Customer'), linkedGrid: { __rl: true, mode: 'list', value: '' } };
	expect((await create({ Customer: 'Birch' }, empty)).error?.message).toContain('"Linked Grid" is empty');
});

test('refuses a name in a link column and names the option that looks it up', async () => {
	const { error } = await run('create', orders.auto(), [{ Order: 'A', Customer: 'Alder & Finch' }]);
	expect(error?.message).toContain('Column "Customer"');
	expect(error?.message).toContain('"Find Linked Rows By"');
	expect(writes()).toEqual([]);
});

describe('importFile', () => {
	const importing = async (file: string, options: INodeParameters = {}, more: INodeParameters = {}) => {
		const found = { ...finding(byName('Customer'), byName('Partners')).options, ...options };
		return await orders.run('importFile', { keyColumns: ['Order'], ...more, options: found }, [
			fileItem(file),
		]);
	};
	const FILE = 'Order,Customer,Partners\nA,Alder & Finch,"Birch,Cedar"\nB,Birch,\nC,Alder & Finch,\n';

	test('links the rows that have the values of the file, each found once', async () => {
		const planned = await importing(FILE, {}, { dryRun: true });
		expect(planned.rows).toMatchObject([{ dryRun: true, created: 3 }]);
		expect(writes()).toEqual([]);
		const { rows, error } = await importing(FILE);
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ created: 3 }]);
		const stored = new Map((await orders.rows()).map((row) => [row['Order'], row]));
		expect(stored.get('A')).toMatchObject({
			Customer: linkTo(ids[0]),
			Partners: [linkTo(ids[1]), linkTo(ids[2])],
		});
		expect(stored.get('B')).toMatchObject({ Customer: linkTo(ids[1]) });
		expect((await importing(FILE)).rows).toMatchObject([{ created: 0, unchanged: 3 }]);
	});

	test('names the line of a value that no row has, and writes nothing', async () => {
		const file = 'Order,Customer\nA,Birch\nB,Unknown\n';
		const { error } = await importing(file);
		expect(error?.message).toMatch(/line 3: .*has Name "Unknown"/);
		expect(writes()).toEqual([]);
		const { rows } = await importing(file, { invalidRows: 'skip' });
		expect(rows).toMatchObject([{ created: 1, invalid: 1 }]);
	});
});
