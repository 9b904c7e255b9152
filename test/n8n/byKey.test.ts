import type { INodeParameters } from 'n8n-workflow';
import { Entity } from '../../nodes/Entity/Entity.node';
import { EntityTrigger } from '../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../testbed/engine/activeTrigger';
import { SampleWorld } from '../../testbed/world/sampleWorld';
import { byId } from '../../testbed/world/parameters';

/** Pickers with the key of a space or grid, or the name of a view. */
const world = SampleWorld.forTests();

const byKey = (value: string) => ({ __rl: true, mode: 'key', value });
const byName = (value: string) => ({ __rl: true, mode: 'name', value });

beforeAll(async () => {
	const space = await world.client.spaces.get(world.spaceId);
	await world.client.spaces.update(space, { key: 'sales' });
	await world.client.grids.update(world.orders.grid, { key: 'orders' });
});

const getMany = (parameters: INodeParameters, input?: object[]) =>
	world.run(
		{ node: 'entity', resource: 'entity', operation: 'getMany', parameters },
		{ input: input?.map((json) => ({ json: { ...json } })) },
	);

test('many items resolve a key with one list of spaces and one of grids', async () => {
	world.listen();
	const { error } = await getMany({ grid: byKey('={{ $json.grid }}') }, [
		{ grid: 'sales/orders' },
		{ grid: 'sales/orders' },
		{ grid: 'sales/orders' },
	]);
	expect(error).toBeUndefined();
	const count = (pattern: RegExp) => world.sent.filter((line) => pattern.test(line)).length;
	expect(count(/\/users\/me/)).toBe(1);
	expect(count(/\/spaces(\?|$)/)).toBe(1);
	expect(count(/\/grids(\?|$)/)).toBe(1);
	expect(count(/\/grids\/[^/?]+$/)).toBe(1);
});

test('a choice by ID costs no list', async () => {
	world.listen();
	await getMany(world.inGrid);
	expect(world.sent.filter((line) => /\/(spaces|grids)(\?|$)/.test(line))).toEqual([]);
});

test('the key of a grid alone is that of the chosen space', async () => {
	expect((await getMany({ space: byKey('sales'), grid: byKey('orders') })).error).toBeUndefined();
	const { error } = await getMany({ grid: byKey('orders') });
	expect(error?.message).toContain('not the key of a space and the key of a grid');
	expect(error?.description).toContain('sales/orders');
});

test.each([
	['sale/orders', '"Space" refers to the key "sale"', 'sales'],
	['sales/order', '"Grid" refers to the key "order"', 'sales/orders'],
])('an unknown key names the nearest: %s', async (key, message, nearest) => {
	world.listen();
	const { error } = await world.orders.run('create', {
		grid: byKey(key),
		...world.orders.mapped({ Order: 'K' }),
	});
	expect(error?.message).toContain(message);
	expect(error?.description).toContain(`The nearest are: ${nearest}`);
	expect(world.writes).toEqual([]);
});

test('a view is found by its name in the grid', async () => {
	await world.newRow();
	const { error, rows } = await getMany({ grid: byKey('sales/orders'), view: byName('All') });
	expect(error).toBeUndefined();
	expect(rows[0]).toHaveProperty('Order');
	const unknown = await getMany({ ...world.inGrid, view: byName('Al') });
	expect(unknown.error?.message).toContain(
		'"View" refers to the name "Al", which no view of the grid "Orders" has',
	);
	expect(unknown.error?.description).toContain('All');
});

describe('an ID of another account', () => {
	const stored = (value: string, cachedResultName: string) => ({ ...byId(value), cachedResultName });

	test.each(['Orders', 'Orders (Work)'])(
		'of a grid called %s names the key, and writes nothing',
		async (name) => {
			world.listen();
			const { error } = await world.orders.run('create', {
				space: byId(world.spaceId),
				grid: stored('g-elsewhere', name),
				...world.orders.mapped({ Order: 'K' }),
			});
			expect(error?.message).toContain('does not exist or was deleted');
			expect(error?.description).toContain(`has a grid "${name}" with another ID`);
			expect(error?.description).toContain('sales/orders');
			expect(world.writes).toEqual([]);
		},
	);

	test('of a space names the key', async () => {
		const parameters = { space: stored('s-elsewhere', 'Work'), name: world.fresh('New') };
		const { error } = await world.run({ node: 'grid', resource: 'grid', operation: 'create', parameters });
		expect(error?.description).toContain('This account has a space "Work" with another ID');
		expect(error?.description).toContain('enter sales in the mode "By Key"');
	});
});

test('linked rows are found in a grid chosen by its key', async () => {
	await world.orders.fill({ Order: 'Linked by key' });
	const rule = { column: 'Customer', linkedGrid: byKey('sales/orders'), linkedColumn: 'Order' };
	const { error, rows } = await world.orders.run('create', {
		...world.orders.mapped({ Order: 'Links', Customer: 'Linked by key' }),
		options: { findLinkedRowsBy: { rule: [rule] } },
	});
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject({ Customer: { uri: expect.stringContaining('/entities/') as unknown } });
});

test('lists of the editor resolve a key once', async () => {
	const parameters = { space: byKey('sales'), grid: byKey('sales/orders') };
	const call = { node: 'entity', resource: 'entity', operation: 'create', parameters } as const;
	const columns = async () => {
		world.listen();
		const { fields } = await new Entity().methods.resourceMapping.getColumns.call(world.editor(call));
		const lists = world.sent.filter((line) => /\/(spaces|grids)(\?|$)/.test(line)).length;
		return { names: fields.map(({ displayName }) => displayName), lists };
	};
	const first = await columns();
	expect(first.names).toContain('Order');
	expect(first.lists).toBe(2);
	expect(await columns()).toEqual({ ...first, lists: 0 });
});

describe('the trigger', () => {
	const active = (grid: INodeParameters) =>
		new ActiveTrigger(new EntityTrigger(), {
			type: 'n8n-nodes-datagrid.entityTrigger',
			parameters: { grid, events: ['created'] },
			credentials: world.credentials(),
		});

	test('resolves a key once, and again when its grid is another one', async () => {
		const add = async () => {
			const { grid } = await world.grid({ Title: 'string' });
			await world.client.grids.update(grid, { key: 'watched' });
			return grid;
		};
		const first = await add();
		const watching = active(byKey('sales/watched'));
		await watching.activate();
		world.listen();
		expect(await watching.poll()).toEqual([]);
		expect(world.sent).toHaveLength(1);
		await world.client.grids.remove(first);
		const second = await add();
		await expect(watching.poll()).rejects.toThrow();
		expect(await watching.poll()).toEqual([]);
		expect(world.sent.at(-1)).toContain(`/grids/${second.id}/updates`);
	});

	test('names the key of a grid with an ID of another account', async () => {
		const elsewhere = { ...byId('g-elsewhere'), cachedResultName: 'Orders' };
		await expect(active(elsewhere).activate()).rejects.toMatchObject({
			description: expect.stringContaining('sales/orders') as unknown,
		});
	});
});

describe('If the Key Exists', () => {
	const create = async (fields: INodeParameters, more: INodeParameters = {}) =>
		await world.run({
			node: 'grid',
			resource: 'grid',
			operation: 'create',
			parameters: { space: byKey('sales'), name: 'Orders again', additionalFields: fields, ...more },
		});

	test('Return It returns the grid with its columns, and writes nothing', async () => {
		world.listen();
		const { error, rows } = await create({ key: 'orders', ifKeyExists: 'return' });
		expect(error).toBeUndefined();
		expect(rows).toEqual([
			expect.objectContaining({
				id: world.orders.grid.id,
				name: 'Orders',
				key: 'orders',
				_outcome: 'existing',
			}),
		]);
		expect(rows[0]?.['fields']).toEqual(
			expect.arrayContaining([expect.objectContaining({ id: world.orders.id('Order'), name: 'Order' })]),
		);
		expect(world.writes).toEqual([]);
	});

	test('Return It creates the grid the first time only, with its columns', async () => {
		const columns = { columns: { column: [{ name: 'Title', type: 'string' }] } };
		const first = await create({ key: 'fresh', ifKeyExists: 'return' }, { name: 'Fresh', ...columns });
		const second = await create({ key: 'fresh', ifKeyExists: 'return' }, { name: 'Fresh', ...columns });
		expect(first.rows[0]).toMatchObject({ _outcome: 'created', fields: [{ name: 'Title' }] });
		expect(second.rows[0]).toMatchObject({ _outcome: 'existing', id: first.rows[0]?.['id'] });
	});

	test('Refuse is the default and costs no request', async () => {
		world.listen();
		const { error } = await create({ key: 'orders' });
		expect(error?.message).toContain('key');
		expect(world.sent.filter((line) => line.startsWith('GET') && /\/grids(\?|$)/.test(line))).toEqual([]);
	});

	test('Return It needs a key', async () => {
		const { error } = await create({ ifKeyExists: 'return' });
		expect(error?.message).toContain('"If the Key Exists" needs a key');
	});

	describe('of a space', () => {
		const space = async (additionalFields: INodeParameters, name = 'Made once', extra = {}) => {
			const chosen = { node: 'space', resource: 'space', operation: 'create' } as const;
			return await world.run({ ...chosen, parameters: { name, additionalFields } }, extra);
		};

		test('Return It creates it the first time only', async () => {
			const fields = { key: 'made-once', ifKeyExists: 'return' };
			const first = await space(fields);
			expect(first.rows).toMatchObject([{ name: 'Made once', key: 'made-once', _outcome: 'created' }]);
			world.listen();
			const second = await space(fields, 'Another name');
			expect(second.rows).toEqual([{ ...first.rows[0], _outcome: 'existing' }]);
			expect(world.writes).toEqual([]);
		});
	});
});
