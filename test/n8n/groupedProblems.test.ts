import { World } from '../../testbed/world/world';
import type { WorldGrid } from '../../testbed/world/worldGrid';

const world = World.forTests();
let orders: WorldGrid;

beforeAll(async () => {
	orders = await world.grid({ Order: 'string', Amount: 'integer', Due: 'date' });
});

test('problems are grouped by reason, with a count and the first five items', async () => {
	const input = Array.from({ length: 20 }, (_, n) => ({
		Order: `O-${n}`,
		...(n % 2 === 0 ? { Amount: `many ${n}` } : n === 7 ? { Due: 'soon' } : { Amount: n }),
	}));
	const { error } = await orders.run('create', orders.auto(), input);
	expect(error?.message).toBe('Column "Amount" requires a value of the type Whole Number, but got "many 0"');
	const description: unknown = error && 'description' in error ? error.description : '';
	expect(description).toContain('10 items (0, 2, 4, 6, 8, and 5 more): Column "Amount" requires a value');
	expect(description).toContain('Item 7: Column "Due" requires a value of the type Date, but got "soon"');
	expect(await orders.rows()).toEqual([]);
});

test('a mistake in a setting of the node names no item', async () => {
	const options = { outputColumns: ['Gone'] };
	const { error } = await orders.run('create', { ...orders.auto(), options }, [
		{ Order: 'A' },
		{ Order: 'B' },
	]);
	expect(error?.message).toContain('"Gone"');
	expect(error).toMatchObject({ context: expect.not.objectContaining({ itemIndex: 0 }) as unknown });
	expect(error).not.toMatchObject({ description: expect.stringContaining('items') as unknown });
});
