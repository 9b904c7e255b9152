import type { INodeParameters } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { byId } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const world = World.forTests();
let orders: WorldGrid;

beforeAll(async () => {
	orders = await world.grid({ Order: 'string', Quantity: 'integer' }, 'Orders');
	await orders.fill({ Order: 'A', Quantity: 1 });
});

/** Invalid inputs, with the messages that name them by their labels. */
const mistakes: Array<[string, INodeParameters, string, string]> = [
	[
		'a condition whose column is not chosen',
		{ conditions: { condition: [{}] } },
		'"Conditions" (row 1, Column Name or ID) cannot be used: it is empty',
		'Enter a value, or check',
	],
	[
		'a column to sort by that is not chosen',
		{ options: { sort: { by: [{ column: 'Order' }, {}] } } },
		'"Sort" (row 2, Column Name or ID) cannot be used',
		'Enter a value, or check',
	],
];

test.each(mistakes)('Get Many reports %s by its label', async (_, parameters, message, description) => {
	const { error } = await orders.run('getMany', parameters);
	expect(error?.message).toContain(message);
	expect(error?.description).toContain(description);
});

test.each(['getMany', 'count', 'deleteMany', 'updateMany'])(
	'%s advises to check the conditions if the service refuses them',
	async (operation) => {
		const states = await world.grid({ State: { name: 'enum', options: ['new'] }, Note: 'string' });
		const filter = JSON.stringify({ [states.id('State')]: { $eq: 'news' } });
		const { error } = await states.run(operation, { options: { filter }, ...states.mapped({ Note: 'x' }) });
		expect(error?.message).toContain('"news"');
		expect(error?.description).toContain('Check the conditions');
	},
);

test('Update Many names the column of a filter without an operator', async () => {
	const filter = { options: { filter: '{ "Order": "A" }' } };
	const { error } = await orders.run('updateMany', { ...filter, ...orders.mapped({ Quantity: 2 }) });
	expect(error?.message).toBe('The filter gives a value for "Order", but no operator');
	expect(error?.description).toContain('{ "Order": { "$eq": "new" } }');
	expect(await orders.rows()).toEqual([{ Order: 'A', Quantity: 1 }]);
});

test('Create and Update name the column of a value that the service refuses', async () => {
	const people = await world.grid({ Name: 'string', Email: 'email' });
	const [id] = await people.fill({ Name: 'Ada' });
	const values = people.mapped({ Email: 'ada at home' });
	for (const run of [
		people.run('create', values),
		people.run('update', { ...values, entity: byId(id ?? '') }),
	]) {
		const { error } = await run;
		expect(error?.message).toContain('"Email"');
		expect(error?.message).not.toContain(people.id('Email'));
	}
});

test.each([
	['updateMany', '$contains'],
	['deleteMany', 'notContains'],
	['deleteMany', '$gt'],
	['deleteMany', '$eq'],
])('%s refuses a condition with %s and an empty text', async (operation, operator) => {
	const texts = await world.grid({ Name: 'string', Note: 'string' });
	await texts.fill({ Name: 'A' }, { Name: 'B' });
	const conditions = { condition: [{ column: 'Name', operator, value: '' }] };
	const { error } = await texts.run(operation, { conditions, ...texts.mapped({ Note: 'x' }) });
	expect(error?.message).toContain('The condition on "Name" compares with an empty text');
	expect(await texts.rows()).toMatchObject([{ Name: 'A', Note: null }, { Name: 'B', Note: null }]); // prettier-ignore
});

test('a value for a column that does not exist is refused, and named', async () => {
	const value = { [orders.id('Order')]: 'B', sku: 'S-1' };
	const { error } = await orders.run('create', {
		columns: { mappingMode: 'defineBelow', value, matchingColumns: [] },
	});
	expect(error?.message).toContain('"Columns" contains a value for "sku", which does not exist');
	expect(await orders.rows()).toHaveLength(1);
});

test('Update Many says how to compute with values of the rows', async () => {
	const values = { [orders.id('Quantity')]: '={{ $json.Quantity * 1.1 }}' };
	const columns = { mappingMode: 'defineBelow', value: values, matchingColumns: [] };
	const { error } = await orders.run('updateMany', { columns });
	expect(error?.message).toContain('read the rows with Get Many and write them with Update');
});

test('the inputs that messages name have these labels in the editor', () => {
	const mappers = new Entity().description.properties.filter(({ name }) => name === 'columns');
	for (const { typeOptions } of mappers) expect(typeOptions?.resourceMapper?.valuesLabel).toBe('Columns');
	const titles = mappers.flatMap(
		({ typeOptions }) => typeOptions?.resourceMapper?.matchingFieldsLabels?.title ?? [],
	);
	expect(new Set(titles)).toEqual(new Set(['Key Columns']));
});

test.each(['upsert', 'sync'])('%s without key columns names their input', async (operation) => {
	const { error } = await orders.run(operation, orders.mapped({ Order: 'B' }));
	expect(error?.message).toBe('No key column is chosen');
	expect(error?.description).toContain('Choose in "Key Columns"');
});

test('a mistake of several items is shown beside none of them', async () => {
	const others = await world.grid({ Order: 'string', Quantity: 'integer' }, 'Other orders');
	const grid = { __rl: true, mode: 'id', value: '={{ $json.grid }}' };
	const space = byId(orders.grid.address.spaceId);
	const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Order'] };
	const parameters = { columns, space, grid };
	const items = [orders, others].map((of) => ({ grid: of.grid.id, Order: 'A' }));
	const { error } = await orders.run('sync', parameters, items);
	expect(error?.message).toBe('Item 1 selects a different grid from item 0');
	expect(error).not.toHaveProperty('context.itemIndex');
});

test('a row that is chosen by an object is named without what n8n keeps beside it', async () => {
	const entity = { __rl: true, mode: 'id', value: '={{ { Order: "A" } }}' };
	const { error } = await orders.run('get', { entity });
	expect(error?.message).toBe('"Row" is {"Order":"A"}, which is not an ID');
});
