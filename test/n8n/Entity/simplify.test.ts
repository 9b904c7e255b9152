import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const anyId: unknown = expect.any(String);
const raw: unknown = expect.objectContaining({ self: expect.anything() as unknown });
const world = World.forTests();
let orders: WorldGrid;

beforeEach(async () => {
	orders = await world.grid({ Order: 'string', Note: 'string' });
});

describe.each(['create', 'upsert'])('"Simplify" of %s', (operation) => {
	const write = (more: object = {}) =>
		orders.run(operation, { ...orders.mapped({ Order: 'A' }, ['Order']), ...more });

	test('outputs the values sent by default', async () => {
		const { rows } = await write();
		expect(rows).toMatchObject([{ _id: anyId, Order: 'A' }]);
		expect(rows[0]).not.toHaveProperty('Note');
	});

	test('reads rows back if requested', async () => {
		const { rows } = await write({ options: { readRowsBack: true } });
		expect(rows).toMatchObject([{ _id: anyId, Order: 'A', Note: null }]);
		expect(rows[0]).not.toHaveProperty('_links');
	});

	test('outputs rows as the service stores them if Simplify is off', async () => {
		const { rows } = await write({ options: { simplify: false } });
		expect(rows).toMatchObject([{ _id: anyId, [orders.id('Order')]: 'A', _links: raw }]);
	});
});

test('Create or Update outputs a changed row as the service stores it if Simplify is off', async () => {
	await orders.fill({ Order: 'A', Note: 'old' });
	const { rows } = await orders.run('upsert', {
		...orders.mapped({ Order: 'A', Note: 'new' }, ['Order']),
		options: { simplify: false },
	});
	expect(rows).toMatchObject([{ _outcome: 'updated', [orders.id('Note')]: 'new', _links: raw }]);
});
