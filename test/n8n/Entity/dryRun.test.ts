import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** Dry Run of the operations that write single rows: the plan of the real run, and no write. */
const bed = new ProxiedWorld();
let grid: WorldGrid;
let ids: string[];

beforeEach(async () => {
	grid = await bed.grid({
		Order: 'string',
		Amount: 'integer',
		State: { name: 'enum', options: ['new', 'done'] },
	});
	ids = await grid.fill({ Order: 'A', Amount: 1, State: 'new' }, { Order: 'B', Amount: 2, State: 'new' });
});

const dryRun = true;
const writes = () => bed.proxy.requests.filter(({ method }) => method !== 'GET');
const byId = (id: string) => ({ entity: { __rl: true, mode: 'id', value: id } });
const change = (field: string, old: unknown, now: unknown) => ({
	...{ fieldId: grid.id(field), field, old, new: now },
});

test('Create reports the rows, and all problems of an item', async () => {
	const input = [
		{ Order: 'C', Amount: 3 },
		{ Order: 'D', Amount: 'many', State: 'new' },
		{ Order: 'E', State: 'lost' },
	];
	const { rows, error, hints, items } = await grid.run('create', { ...grid.auto(), dryRun }, input);
	expect(error).toBeUndefined();
	const made = [change('Order', null, 'C'), change('Amount', null, 3)];
	expect(rows).toEqual([
		{ _id: null, Order: 'C', Amount: 3, _outcome: 'create', _changes: made, _reasons: [] },
		{ _id: null, _outcome: 'invalid', _changes: [], _reasons: [expect.stringContaining('"Amount"')] },
		{ _id: null, _outcome: 'invalid', _changes: [], _reasons: [expect.stringContaining('"State"')] },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	expect(hints).toContain('Dry run: would create 1; 2 invalid');
	expect(writes()).toEqual([]);
});

test('Create with Avoid Duplicates By reports existing rows', async () => {
	const given = { ...grid.auto(), dryRun, options: { avoidDuplicatesBy: [grid.id('Order')] } };
	const input = [{ Order: 'A' }, { Order: 'C' }, { Order: 'C' }];
	const { rows } = await grid.run('create', given, input);
	expect(rows.map(({ _outcome }) => _outcome)).toEqual(['existing', 'create', 'existing']);
	expect(rows[0]).toMatchObject({ _id: ids[0], Amount: 1 });
	expect(rows[2]).toMatchObject({ _id: null, Order: 'C' });
	expect(writes()).toEqual([]);
});

test('Create or Update reports changes, including those of rows that it would create', async () => {
	await grid.fill({ Order: 'X' }, { Order: 'X' });
	const input = [
		{ Order: 'A', Amount: 1 },
		{ Order: 'B', Amount: 5 },
		{ Order: 'C', Amount: 1 },
		{ Order: 'C', Amount: 2 },
		{ Order: 'X', Amount: 2 },
	];
	const given = { ...grid.auto(['Order']), dryRun };
	const { rows, error } = await grid.run('upsert', given, input);
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([
		{ _id: ids[0], _outcome: 'unchanged', _changes: [], _reasons: [] },
		{ _id: ids[1], _outcome: 'update', _changes: [change('Amount', 2, 5)] },
		{ _id: null, _outcome: 'create', _changes: [change('Order', null, 'C'), change('Amount', null, 1)] },
		{ _id: null, _outcome: 'update', _changes: [change('Amount', 1, 2)] },
		{ _outcome: 'invalid', _reasons: [expect.stringContaining('2 rows have Order "X"') as unknown] },
	]);
	expect(writes()).toEqual([]);
});

test('Update reports the old and new values', async () => {
	const given = { ...grid.auto(), ...byId('={{ $json.id }}'), dryRun };
	const [id = ''] = ids;
	const input = [
		{ id, Amount: 7 },
		{ id, Amount: 7 },
		{ id: 'nowhere', Amount: 7 },
	];
	const { rows, error } = await grid.run('update', given, input);
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([
		{ _id: id, Amount: 7, Order: 'A', _outcome: 'update', _changes: [change('Amount', 1, 7)] },
		{ _id: id, _outcome: 'unchanged', _changes: [] },
		{ _outcome: 'invalid', _reasons: [expect.stringContaining('does not exist') as unknown] },
	]);
	expect(writes()).toEqual([]);
	expect((await grid.rows())[0]).toMatchObject({ Amount: 1 });
});

test('Delete reports the row that would be deleted', async () => {
	const [id = ''] = ids;
	const given = { ...byId('={{ $json.id }}'), dryRun };
	const { rows } = await grid.run('delete', given, [{ id }, { id }, { id: 'nowhere' }]);
	expect(rows).toMatchObject([
		{ _id: id, Order: 'A', Amount: 1, _outcome: 'delete', _reasons: [] },
		{ _outcome: 'invalid', _reasons: [expect.stringContaining(id) as unknown] },
		{ _outcome: 'invalid', _reasons: [expect.stringContaining('does not exist') as unknown] },
	]);
	expect(writes()).toEqual([]);
	expect(await grid.rows()).toHaveLength(2);
});

test('Update Many reports invalid items among the others', async () => {
	const where = { conditions: { condition: [{ column: grid.id('Order'), operator: '$eq', value: 'A' }] } };
	const given = { ...where, ...grid.auto(), dryRun };
	const invalid = { Amount: 'many' };
	const { rows, error, hints } = await grid.run('updateMany', given, [invalid, { Amount: 5 }]);
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([
		{ _outcome: 'invalid', _reasons: [expect.stringContaining('"Amount"') as unknown] },
		{ _id: ids[0], _outcome: 'update', _changes: [change('Amount', 1, 5)] },
	]);
	expect(hints).toContain('Dry run: 1 row met the conditions: would update 1; 1 invalid');
	const none = await grid.run('updateMany', given, [invalid]);
	const message = 'Dry run: would change nothing; 1 invalid';
	expect(none.typedHints).toMatchObject([{ message, type: 'warning' }]);
	expect(writes()).toEqual([]);
});

test.each(['create', 'upsert', 'update', 'delete'])(
	'%s without the required role is refused',
	async (operation) => {
		const [id = ''] = ids;
		const given = { ...grid.auto(['Order']), ...byId(id), dryRun };
		const input = [{ Order: 'A', Amount: 5 }];
		const { error } = await grid.run(operation, given, input, { as: 'reader' });
		expect(error?.message).toContain('No permission to');
		const tolerant = { as: 'reader', onError: 'continueRegularOutput' } as const;
		const { hints } = await grid.run(operation, given, input, tolerant);
		expect(hints.join()).not.toContain('would change nothing');
		expect(writes()).toEqual([]);
	},
);

describe('before the first write', () => {
	test('reports invalid options, types and ambiguous keys of all items together', async () => {
		const input = [{ Order: 'A', Amount: 5 }, { Order: 'B', Amount: 'many', State: 5 }, { State: 'lost' }];
		const created = await grid.run('create', grid.auto(), input);
		expect(created.error?.message).toContain('"Amount"');
		expect(created.error?.description).toContain('Item 2: The column "State" has no option "lost"');
		await grid.fill({ Order: 'X' }, { Order: 'X' });
		const keyed = [
			{ Order: 'A', Amount: 5 },
			{ Order: 'X', Amount: 5 },
		];
		const upserted = await grid.run('upsert', grid.auto(['Order']), keyed);
		expect(upserted.error?.message).toContain('2 rows have Order "X"');
		expect(writes()).toEqual([]);
	});

	test('reports every invalid value of an item', async () => {
		const twice = await bed.grid({ Amount: 'integer', At: 'date', Name: 'string' });
		const { error } = await twice.run('create', twice.auto(), [{ Amount: 'many', At: 'soon', Name: 'x' }]);
		expect(error?.message).toContain('"Amount"');
		expect(error?.message).toContain('"At"');
	});
});
