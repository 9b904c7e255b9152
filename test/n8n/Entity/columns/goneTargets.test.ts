import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId } from '../../../../testbed/world/parameters';
import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

const world = World.forTests();

/** What workflows keep naming after somebody has deleted it on the page. */
const remnant = async () => {
	const customers = await world.grid({ Name: 'string' });
	const [customer = ''] = await customers.fill({ Name: 'Birch' });
	const { userId } = world.service;
	const grid = `/api/users/${userId}/spaces/${world.spaceId}/grids/${customers.grid.id}`;
	const orders = await world.grid({ Order: 'string', Customer: 'reference' });
	const uri = `${grid}/entities/${customer}`;
	await orders.fill({ Order: 'A', Customer: { uri } });
	await world.client.grids.remove(customers.grid);
	return { orders, uri, linkedGrid: byId(customers.grid.id) };
};

const create = (orders: WorldGrid, item: IDataObject, options: INodeParameters = {}) =>
	orders.run('create', { ...orders.auto(), options }, [item]);

test('rows of a deleted grid stay as addresses, and the column that links to them is named', async () => {
	const { orders, uri } = await remnant();
	expect(await orders.rows()).toMatchObject([{ Order: 'A', Customer: { uri } }]);
	const rule = [{ column: 'Customer' }];
	const { rows, hints } = await orders.run('getMany', {
		returnAll: true,
		options: { expandLinkedRows: { rule } },
	});
	expect(rows).toMatchObject([{ Customer: { uri } }]);
	expect(hints).toEqual([
		'"Customer": 1 linked row does not exist or may not be read; the address is output instead.',
	]);
});

test('a value that is looked for in a deleted grid is refused with the option, and nothing is written', async () => {
	const { orders, linkedGrid } = await remnant();
	const rule = [{ column: 'Customer', linkedGrid, linkedColumn: 'Name' }];
	const { error } = await create(orders, { Order: 'B', Customer: 'Birch' }, { findLinkedRowsBy: { rule } });
	expect(error?.message).toBe('"Find Linked Rows By" does not exist or was deleted: Grid not found');
	expect(error?.description).toContain('Choose it again from the list');
	expect(await orders.rows()).toHaveLength(1);
});

let states: WorldGrid;
beforeAll(async () => {
	const options = ['open', 'done'];
	states = await world.grid({
		Name: 'string',
		State: { name: 'enum', options },
		Tags: { name: 'enumcollection', options },
	});
	await states.fill({ Name: 'a', State: 'open', Tags: ['open'] }, { Name: 'b', State: 'done' });
	for (const name of ['State', 'Tags']) {
		const field = states.field(name);
		await world.client.fields.changeType(states.grid, field.id, { name: field.type.name, options: ['open'] });
	}
});

const OPERATIONS = ['getMany', 'count', 'export', 'deleteMany', 'updateMany'];

describe.each(OPERATIONS)('%s', (operation) => {
	test.each([
		['State', '$eq', 'done', '"done"'],
		['State', '$ne', 'done', '"done"'],
		['State', '$in', 'open, done', '"done"'],
		['Tags', '$contains', 'done', '"done"'],
		['Tags', 'notContains', 'don', '"don"'],
		['state|key|options', '$eq', 'done', '"done"'],
	])('refuses a condition on %s %s %j, whose option is gone', async (column, operator, value, shown) => {
		const error = await errorOf(operation, { column, operator, value });
		expect(error?.message).toMatch(
			new RegExp(
				`^The condition on "(State|Tags)" compares with ${shown}, but the column has no such option$`,
			),
		);
		expect(error?.description).toBe(
			'Choose from "open". To find rows that still have another value, use "Filter (JSON)".',
		);
	});

	test.each(['Gone', 'gone|key'])('refuses a condition on %s, which is no column', async (column) => {
		const error = await errorOf(operation, { column, operator: '$eq', value: 'x' });
		expect(error?.message).toMatch(
			/^"Conditions" refers to the column "[Gg]one", which the grid does not have$/,
		);
	});
});

async function errorOf(operation: string, condition: INodeParameters) {
	const { error } = await states.run(operation, {
		conditions: { condition: [condition] },
		...(operation === 'updateMany' ? states.mapped({ Name: 'x' }) : {}),
	});
	return error;
}

test('conditions on parts of options, and on columns without a list of them, stay possible', async () => {
	const names = async (condition: INodeParameters) =>
		(await states.run('getMany', { conditions: { condition: [condition] } })).rows.map(({ Name }) => Name);
	expect(await names({ column: 'State', operator: '$contains', value: 'OPE' })).toEqual(['a']);
	expect(await names({ column: 'State', operator: 'null' })).toEqual(['b']);
});
