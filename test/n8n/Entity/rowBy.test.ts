import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** Update By and Delete By: a row is chosen by its ID or by key columns. */
const bed = new ProxiedWorld();
let stock: WorldGrid;
let ids: string[];

beforeEach(async () => {
	stock = await bed.grid({ Item: 'string', Weight: 'decimal', Count: 'integer' });
	ids = await stock.fill({ Item: 'A', Weight: 1.5, Count: 1 }, { Item: 'B', Weight: 2, Count: 2 });
});

const counts = async () => (await stock.rows()).map(({ Item, Count }) => [Item, Count]);
const BEFORE = [
	['A', 1],
	['B', 2],
];
const byKey = (column = 'Item', value = `={{ $json.${column} }}`): INodeParameters => ({
	rowBy: 'keyColumns',
	matchBy: { key: [{ column: stock.id(column), value }] },
});
const change = () => stock.mapped({ Count: '={{ $json.Count }}' });
const run = (operation: string, parameters: INodeParameters, input: IDataObject[], extra = {}) =>
	stock.run(operation, { ...(operation === 'update' ? change() : {}), ...parameters }, input, extra);

async function counted(operation: string, parameters: INodeParameters, input: IDataObject[]) {
	bed.proxy.setRules();
	const { error } = await run(operation, parameters, input);
	expect(error).toBeUndefined();
	return bed.proxy.requests.length;
}

test.each(['oneByOne', 'allAtOnce', 'automatic'])(
	'Update writes the row with the key: %s',
	async (findRows) => {
		const parameters = { ...byKey(), options: { findRows } };
		const { rows, error } = await run('update', parameters, [
			{ Item: 'B', Count: 7 },
			{ Item: 'A', Count: 0 },
		]);
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([
			{ _id: ids[1], Item: 'B', Count: 7 },
			{ _id: ids[0], Item: 'A', Count: 0 },
		]);
		expect(await counts()).toEqual([
			['A', 0],
			['B', 7],
		]);
	},
);

test('Delete deletes the row with the key, whatever the spelling of its values', async () => {
	const { rows, error } = await run('delete', byKey('Weight'), [{ Weight: '1.50' }]);
	expect(error).toBeUndefined();
	expect(rows).toEqual([{ deleted: true, _id: ids[0] }]);
	expect(await counts()).toEqual([['B', 2]]);
});

test('Update may change the key itself; a later item then finds no row with the old one', async () => {
	const parameters = { ...byKey(), ...stock.mapped({ Item: 'C' }) };
	const input = [{ Item: 'A' }, { Item: 'A' }];
	const dry = await run('update', { ...parameters, dryRun: true }, input);
	expect(dry.rows).toMatchObject([
		{ _id: ids[0], _outcome: 'update', _changes: [{ field: 'Item', old: 'A', new: 'C' }] },
		{ _outcome: 'invalid', _reasons: ['No row has Item "A"'] },
	]);
	const { rows } = await run('update', parameters, input, { onError: 'continueRegularOutput' });
	expect(rows).toMatchObject([{ _id: ids[0], Item: 'C' }, { error: 'No row has Item "A"' }]);
});

describe.each(['update', 'delete'])('%s by key columns', (operation) => {
	test('is refused before the first write if no row has a key', async () => {
		const input = [
			{ Item: 'A', Count: 9 },
			{ Item: 'X', Count: 9 },
		];
		const { error } = await run(operation, byKey(), input);
		expect(error?.message).toBe('No row has Item "X"');
		expect(error?.description).toContain('"Key Columns"');
		expect(await counts()).toEqual(BEFORE);
	});

	test('continues with the other items on fail', async () => {
		const input = [
			{ Item: 'X', Count: 9 },
			{ Item: 'A', Count: 9 },
		];
		const { rows } = await run(operation, byKey(), input, { onError: 'continueRegularOutput' });
		expect(rows).toMatchObject([{ error: 'No row has Item "X"' }, { _id: ids[0] }]);
		expect(await counts()).toEqual(
			operation === 'delete'
				? [['B', 2]]
				: [
						['A', 9],
						['B', 2],
					],
		);
	});

	test('names the rows if several have the key', async () => {
		const [twin = ''] = await stock.fill({ Item: 'A', Count: 3 });
		const { error } = await run(operation, byKey(), [{ Item: 'A', Count: 9 }]);
		expect(error?.message).toBe(`2 rows have Item "A": ${ids[0] ?? ''}, ${twin}`);
		expect(error?.description).toContain('Delete the duplicate rows');
		expect(await counts()).toEqual([...BEFORE, ['A', 3]]);
	});

	test.each([
		['no value', () => byKey(), [{ Item: ' ', Count: 1 }], 'The key column "Item" has no value'],
		['no column', () => ({ rowBy: 'keyColumns' }), [{}], 'No key column is chosen'],
	])('refuses an item with %s', async (_title, parameters, input, message) => {
		const { error } = await run(operation, parameters(), input);
		expect(error?.message).toContain(message);
		expect(await counts()).toEqual(BEFORE);
	});

	test('plans in a dry run what a real run does', async () => {
		const input = [
			{ Item: 'A', Count: 5 },
			{ Item: 'B', Count: 6 },
		];
		const options = { keepOldValues: true };
		const dry = await run(operation, { ...byKey(), options, dryRun: true }, input);
		expect(await counts()).toEqual(BEFORE);
		const real = await run(operation, { ...byKey(), options }, input);
		expect(real.rows.map(({ _changes }) => _changes)).toEqual(dry.rows.map(({ _changes }) => _changes));
		expect(real.rows.map(({ _id }) => _id)).toEqual(ids);
		expect(dry.rows.map(({ _id }) => _id)).toEqual(ids);
	});

	test('tells of a row that was deleted since it was found', async () => {
		const method = operation === 'update' ? 'PUT' : 'DELETE';
		bed.proxy.setRules((request) =>
			request.method === method ? { kind: 'response', status: 404 } : undefined,
		);
		const { error } = await run(operation, byKey(), [{ Item: 'A', Count: 5 }]);
		expect(error?.message).toBe('No row has Item "A"');
	});

	test('takes one request more per key, and Keep Old Values none', async () => {
		const input = [{ Item: 'A', Count: 5 }];
		const byRowId = await counted(operation, { entity: byId(ids[1] ?? '') }, input);
		expect(await counted(operation, { ...byKey(), options: { keepOldValues: true } }, input)).toBe(
			byRowId + 1,
		);
	});
});

test.each(['update', 'delete'])('%s: a key column given twice is refused', async (operation) => {
	const key = ['A', 'B'].map((value) => ({ column: stock.id('Item'), value }));
	const { error } = await run(operation, { rowBy: 'keyColumns', matchBy: { key } }, [{ Count: 7 }]);
	expect(error?.message).toBe('"Key Columns" contains the column "Item" twice');
	expect(await counts()).toEqual(BEFORE);
});
