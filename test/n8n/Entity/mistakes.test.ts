import type { INodeParameters } from 'n8n-workflow';
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
		const conditions = { condition: [{ column: states.id('State'), operator: '$eq', value: 'news' }] };
		const { error } = await states.run(operation, { conditions, ...states.mapped({ Note: 'x' }) });
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
