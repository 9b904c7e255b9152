import { fieldSchema } from '../../../../client/resources/fields';
import { Entity } from '../../../../nodes/Entity/Entity.node';
import { mappingSchema, storedNames, withIds } from '../../../../nodes/shared/inputs/columns/storedColumns';
import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

const { getColumns } = new Entity().methods.resourceMapping;
const world = World.forTests();
let orders: WorldGrid;

beforeEach(async () => {
	orders = await world.grid({ Order: 'string', Amount: 'integer' });
});

/** Columns that the mapper offers and the editor stores. */
async function offered() {
	const call = {
		node: 'entity',
		resource: 'entity',
		operation: 'upsert',
		parameters: orders.chosen,
	} as const;
	return (await getColumns.call(world.editor(call))).fields;
}

/** Mapping of values by displayed column name, as the editor stores it. */
async function mapped(values: Record<string, string | number>, keys: string[]) {
	const schema = await offered();
	const idOf = (name: string) => schema.find(({ displayName }) => displayName === name)?.id ?? name;
	return {
		columns: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(Object.entries(values).map(([name, value]) => [idOf(name), value])),
			matchingColumns: keys.map(idOf),
			schema: schema.map((column) => ({ ...column, options: undefined })),
		},
	};
}

const upsert = async (columns: object) => await orders.run('upsert', { ...columns });

test('the mapper offers writable columns with their types, and stores readable keys', async () => {
	const State = { name: 'enum', options: ['new'] };
	orders = await world.grid({
		Order: 'string',
		Amount: 'integer',
		Paid: 'boolean',
		State,
		Added: 'createdat',
	});
	const types = Object.fromEntries((await offered()).map(({ id, type }) => [id, type]));
	expect(types).toEqual({ order: 'string', amount: 'number', paid: 'boolean', state: 'options' });
});

test('a stored mapping writes the same columns after they were renamed', async () => {
	const columns = await mapped({ Order: 'A', Amount: 1 }, ['Order']);
	expect((await upsert(columns)).rows).toMatchObject([{ _outcome: 'created' }]);
	const { client } = world;
	await client.fields.rename(orders.grid, 'Order', 'Amount (old)');
	await client.fields.rename(orders.grid, 'Amount', 'Order');
	const { rows, error } = await upsert(columns);
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ 'Amount (old)': 'A', Order: 1, _outcome: 'unchanged' }]);
});

test('IDs in place of keys name the same columns', async () => {
	const { rows, error } = await upsert(orders.mapped({ Order: 'A', Amount: 1 }, ['Order']));
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ Order: 'A', Amount: 1, _outcome: 'created' }]);
});

test('names a deleted column, and does not write to another column of the same name', async () => {
	const columns = await mapped({ Order: 'A', Amount: 1 }, ['Order']);
	const { client } = world;
	await client.fields.changeKey(orders.grid, orders.id('Amount'), 'sum');
	await client.fields.rename(orders.grid, 'Amount', 'Sum');
	await client.fields.add(orders.grid, { name: 'amount', key: 'other', type: { name: 'integer' } });
	const { error } = await upsert(columns);
	expect(error?.message).toContain('"Columns" contains "Amount", whose column does not exist');
});

const field = (id: string, name: string, key: string | null) =>
	fieldSchema.parse({ id, name, key, type: { name: 'string' } });

test.each([
	['a key', field('f1', 'A', 'a'), 'a'],
	['no key', field('f1', 'A', null), 'f1'],
	['the ID of another column as its key', field('f1', 'A', 'f2'), 'f1'],
	['the key of another column', field('f1', 'A', 'b'), 'f1'],
	['a key with characters that a path cannot contain', field('f1', 'A', 'a.b[0]'), 'f1'],
	['a key named like a built-in property', field('f1', 'A', 'constructor'), 'f1'],
	['a key in another script', field('f1', 'A', 'größe'), 'größe'],
])('a column with %s is stored by a unique key, otherwise by ID', (_what, column, stored) => {
	expect(storedNames([column, field('f2', 'B', 'b')]).get('f1')).toBe(stored);
});

describe('a text that is the key of one column and the ID of another', () => {
	const fields = [field('f1', 'A', 'f2'), field('f2', 'B', null)];
	const stored = (displayName: string) =>
		mappingSchema.parse({
			mappingMode: 'defineBelow',
			value: { f2: 'x' },
			matchingColumns: ['f2'],
			schema: [{ id: 'f2', displayName }],
		});

	test.each([
		['A', 'f1'],
		['B', 'f2'],
	])('means the column that was shown as %s', (name, id) => {
		expect(withIds(stored(name), fields, 'Columns')).toMatchObject({
			value: { [id]: 'x' },
			matchingColumns: [id],
		});
	});

	test('is refused if both columns were renamed', () => {
		expect(() => withIds(stored('C'), fields, 'Columns')).toThrow(
			'the key of one column and the ID of another',
		);
	});
});
