import '../../fixtures/skippedWaits';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** Writes that depend on what a row is or was: only what exists, only what nobody has changed. */
const bed = new ProxiedWorld();
let stock: WorldGrid;
let id: string;

beforeEach(async () => {
	stock = await bed.grid({ Item: 'string', Count: 'integer' });
	[id = ''] = await stock.fill({ Item: 'A', Count: 1 });
});

const counts = async () => (await stock.rows()).map(({ Item, Count }) => [Item, Count]);

/** Number of requests of a run, and its result. */
async function counted(operation: string, parameters: INodeParameters, input?: IDataObject[], extra = {}) {
	bed.proxy.setRules();
	const run = await stock.run(operation, parameters, input, { ...extra });
	return { ...run, requests: bed.proxy.requests.length };
}

describe('When No Row Matches', () => {
	const input = [
		{ Item: 'A', Count: 2 },
		{ Item: 'B', Count: 3 },
	];
	const upsert = (whenUnmatched: string, more: INodeParameters = {}, extra = {}) =>
		stock.run('upsert', { ...stock.auto(['Item']), options: { whenUnmatched }, ...more }, input, extra);

	test.each(['oneByOne', 'allAtOnce'])(
		'Skip updates what exists and creates nothing: %s',
		async (findRows) => {
			const more = { options: { whenUnmatched: 'skip', findRows } };
			const { rows, error } = await upsert('skip', more);
			expect(error).toBeUndefined();
			expect(rows).toEqual([
				expect.objectContaining({ Item: 'A', Count: 2, _outcome: 'updated' }),
				{
					...{ _id: null, Item: 'B', Count: 3, _outcome: 'notFound', _changes: [] },
					_reasons: ['No row has Item "B"'],
				},
			]);
			expect(await counts()).toEqual([['A', 2]]);
		},
	);

	test('Fail writes nothing, and continues with the others on fail', async () => {
		const { error } = await upsert('fail');
		expect(error?.message).toBe('No row has Item "B"');
		expect(await counts()).toEqual([['A', 1]]);
		const { rows } = await upsert('fail', {}, { onError: 'continueRegularOutput' });
		expect(rows).toEqual([
			expect.objectContaining({ _outcome: 'updated' }),
			expect.objectContaining({ error: 'No row has Item "B"' }),
		]);
	});

	test('Skip and Fail need no right to create', async () => {
		const { rows, hints } = await upsert('skip', { dryRun: true }, { as: 'reader' });
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['update', 'notFound']);
		expect(hints).toEqual(['Dry run: would update 1; 1 not found']);
	});
});

describe('Only If Unchanged', () => {
	const at = (options: INodeParameters) => ({ entity: byId(id), options });
	const plan = [{ _changes: [{ field: 'Count', old: 1, new: 5 }] }];
	const add = { onlyIfUnchanged: '={{ $json._changes }}' };
	const values = () => stock.mapped({ Count: 5 });

	test('writes and deletes a row that still holds the old values', async () => {
		const updated = await stock.run('update', { ...values(), ...at(add) }, plan);
		expect(updated.rows).toMatchObject([
			{ _id: id, Count: 5, _outcome: 'updated', _changes: [{ old: 1, new: 5 }] },
		]);
		const removal = await stock.run('delete', { entity: byId(id), dryRun: true });
		const deleted = await stock.run('delete', at(add), removal.rows);
		expect(deleted.rows).toMatchObject([{ deleted: true, _id: id, _outcome: 'deleted' }]);
		expect(await counts()).toEqual([]);
	});

	test.each(['update', 'delete'])(
		'%s: a row that was changed is a conflict, in a dry run as well',
		async (operation) => {
			const changed = [{ _changes: [{ field: 'Count', old: 7, new: 5 }] }];
			for (const dryRun of [true, false]) {
				const { rows, error } = await stock.run(operation, { ...values(), ...at(add), dryRun }, changed);
				expect(error).toBeUndefined();
				expect(rows).toEqual([
					expect.objectContaining({
						...{ _id: id, Count: 1, _outcome: 'conflict', _changes: [] },
						_reasons: ['"Count" is 1, and was 7'],
					}),
				]);
			}
			expect(await counts()).toEqual([['A', 1]]);
		},
	);

	test.each([
		[{ Count: 5 }, '"Only If Unchanged"'],
		[{ _changes: null }, '"Only If Unchanged"'],
		[{ _changes: [{ field: 'Gone', old: 1 }] }, '"Gone"'],
	])('refuses an item without _changes, and an unknown column: %j', async (item, message) => {
		const { error } = await stock.run('update', { ...values(), ...at(add) }, [item]);
		expect(error?.message).toContain(message);
		expect(await counts()).toEqual([['A', 1]]);
	});

	test('finds a column by its key, although another one has that name, if rows are named by key', async () => {
		await bed.client.fields.changeKey(stock.grid, stock.id('Count'), 'Item');
		const named = { columnNaming: 'key' };
		const planned = await stock.run('update', { ...values(), ...at(named), dryRun: true });
		expect(planned.rows).toMatchObject([{ _changes: [{ field: 'Item', old: 1, new: 5 }] }]);
		const { rows } = await stock.run('update', { ...values(), ...at({ ...add, ...named }) }, planned.rows);
		expect(rows).toMatchObject([{ _id: id, Item: 5, _outcome: 'updated' }]);
	});

	test('costs one request per row, and none if it was not added', async () => {
		const plain = await counted('update', { ...values(), entity: byId(id) }, plan);
		const guarded = await counted(
			'update',
			{ ...stock.mapped({ Count: 6 }), ...at({ onlyIfUnchanged: [{ field: 'Count', old: 5 }] }) },
			plan,
		);
		expect(guarded.rows).toMatchObject([{ Count: 6 }]);
		expect(guarded.requests - plain.requests).toBe(1);
	});
});

describe('Keep Old Values', () => {
	const at = { options: { keepOldValues: true } };

	test('outputs the changes of an update as its dry run does', async () => {
		const parameters = { ...stock.mapped({ Count: 5 }), entity: byId(id), ...at };
		const [planned] = (await stock.run('update', { ...parameters, dryRun: true })).rows;
		const [written] = (await stock.run('update', parameters)).rows;
		expect(written).toMatchObject({ _outcome: 'updated', _changes: [{ field: 'Count', old: 1, new: 5 }] });
		expect(written?.['_changes']).toEqual(planned?.['_changes']);
	});

	test('outputs a deleted row whole', async () => {
		const [planned] = (await stock.run('delete', { entity: byId(id), dryRun: true })).rows;
		const { rows, requests } = await counted('delete', { entity: byId(id), ...at });
		expect(rows).toEqual([
			expect.objectContaining({
				...{ deleted: true, _id: id, Item: 'A', Count: 1, _outcome: 'deleted' },
				_changes: [
					{ fieldId: stock.id('Item'), field: 'Item', old: 'A', new: null },
					{ fieldId: stock.id('Count'), field: 'Count', old: 1, new: null },
				],
			}),
		]);
		expect(rows[0]?.['_changes']).toEqual(planned?.['_changes']);
		expect(requests).toBeLessThanOrEqual(4);
	});
});

describe.each(['upsert', 'sync'])('Column Rules of %s', (operation) => {
	const rules = (write: string, column = 'Count') => ({ columnRules: { rule: [{ column, write }] } });
	const run = (input: IDataObject[], options: INodeParameters, more: INodeParameters = {}) =>
		stock.run(operation, { ...stock.auto(['Item']), options, ...more }, input);
	const input = [
		{ Item: 'A', Count: 9 },
		{ Item: 'Empty', Count: 9 },
		{ Item: 'New', Count: 9 },
	];

	test.each([
		['always', [9, 9, 9]],
		['ifEmpty', [1, 9, 9]],
		['never', [1, null, 9]],
	])('%s', async (write, expected) => {
		await stock.fill({ Item: 'Empty' });
		const planned = await run(input, rules(write), { dryRun: true });
		const { error, rows } = await run(input, rules(write));
		expect(error).toBeUndefined();
		expect((await counts()).map(([, count]) => count)).toEqual(expected);
		expect(rows.map(({ _changes }) => _changes)).toEqual(planned.rows.map(({ _changes }) => _changes));
		const again = await run(input, rules(write));
		expect(again.rows.filter(({ _outcome }) => _outcome !== 'unchanged')).toEqual([]);
	});
});

test('Only If Empty writes to a cell that holds an empty list', async () => {
	const grid = await bed.grid({ Item: 'string', Tags: 'stringcollection' });
	await grid.fill({ Item: 'A', Tags: [] }, { Item: 'B', Tags: ['old'] });
	const options = { columnRules: { rule: [{ column: 'Tags', write: 'ifEmpty' }] } };
	const input = ['A', 'B'].map((Item) => ({ Item, Tags: ['new'] }));
	const { error } = await grid.run('upsert', { ...grid.auto(['Item']), options }, input);
	expect(error).toBeUndefined();
	expect(await grid.rows()).toEqual([
		{ Item: 'A', Tags: ['new'] },
		{ Item: 'B', Tags: ['old'] },
	]);
});

describe('Column Rules of update', () => {
	const rules = (write: string, column = 'Count') => ({ columnRules: { rule: [{ column, write }] } });
	const run = (options: INodeParameters, more: INodeParameters = {}, extra = {}) =>
		stock.run(
			'update',
			{ ...stock.mapped({ Item: 'B', Count: 9 }), entity: byId(id), options, ...more },
			[{}],
			extra,
		);

	test.each([
		['always', 1, 9],
		['ifEmpty', 1, 1],
		['ifEmpty', null, 9],
	])('%s, with the value %s', async (write, held, expected) => {
		[id = ''] = await stock.fill({ Item: 'Held', Count: held });
		const planned = await run(rules(write), { dryRun: true });
		const { error, rows } = await run(rules(write));
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ _id: id, Item: 'B', Count: expected, _outcome: 'updated' }]);
		expect(rows.map(({ _changes }) => _changes)).toEqual(planned.rows.map(({ _changes }) => _changes));
		expect(await counts()).toContainEqual(['B', expected]);
		expect((await run(rules(write))).rows).toMatchObject([{ _outcome: 'unchanged', _changes: [] }]);
	});

	test('costs one request per row, and none with key columns', async () => {
		const byKey = { rowBy: 'keyColumns', matchBy: { key: [{ column: 'Item', value: 'A' }] } };
		for (const [row, more] of [
			[{ entity: byId(id) }, 1],
			[byKey, 0],
		] as const) {
			const plain = await counted('update', { ...stock.mapped({ Count: 5 }), ...row });
			const options = rules('always', 'Item');
			const ruled = await counted('update', { ...stock.mapped({ Count: 6 }), ...row, options });
			expect(ruled.rows).toMatchObject([{ Count: 6 }]);
			expect(ruled.requests - plain.requests).toBe(more);
		}
	});
});

describe('Changes and Differences', () => {
	const options = (more: INodeParameters = {}) => ({
		columnRules: { rule: [{ column: 'Count', write: 'never' }] },
		...more,
	});
	const input = [
		{ Item: 'A', Count: 9, Seller: 'Mia' },
		{ Item: 'Same', Count: 2, Seller: 'Tom' },
		{ Item: 'New', Count: 3, Seller: 'Tom' },
	];
	const run = (more: INodeParameters = {}, extra = {}) =>
		stock.run(
			'sync',
			{ ...stock.auto(['Item']), output: 'differences', options: options(), ...more },
			input,
			extra,
		);
	const differs = {
		...{ Item: 'A', Count: 1, Seller: 'Mia', _outcome: 'differs', _changes: [] },
		_differences: [{ field: 'Count', grid: 1, input: 9 }],
	};

	beforeEach(async () => {
		stock = await bed.grid({ Item: 'string', Count: 'integer', Seller: 'string' });
		await stock.fill({ Item: 'A', Count: 1, Seller: 'Tom' }, { Item: 'Same', Count: 2, Seller: 'Tom' });
	});

	test('outputs the rows whose columns of the grid differ, after the changes of the item', async () => {
		const planned = await run({ dryRun: true });
		const { rows, hints, error } = await run();
		expect(error).toBeUndefined();
		expect(rows).toEqual([
			expect.objectContaining({ Item: 'A', Count: 1, Seller: 'Mia', _outcome: 'updated' }),
			expect.objectContaining(differs),
			expect.objectContaining({ Item: 'New', Count: 3, _outcome: 'created' }),
		]);
		expect(planned.rows[1]).toEqual({ ...rows[1], _reasons: [] });
		for (const table of [planned.rows, rows])
			expect(new Set(table.map((row) => Object.keys(row).sort().join())).size).toBe(1);
		expect(planned.hints).toEqual(['Dry run: would create 1, update 1, leave 1 unchanged; 1 differing']);
		expect(hints).toEqual(['Sync: 1 updated, 1 created, 1 unchanged, 1 differing']);
		expect((await run()).rows).toEqual([expect.objectContaining(differs)]);
	});

	test('counts them in the report, and outputs none otherwise', async () => {
		const { rows } = await run({ output: 'report' });
		expect(rows).toMatchObject([{ updated: 1, created: 1, unchanged: 1, differing: 1 }]);
		const without = await run({ output: 'report', options: {} });
		expect(without.rows[0]).not.toHaveProperty('differing');
		const changes = await run({ output: 'changes' });
		expect(changes.rows.filter(({ _outcome }) => _outcome === 'differs')).toEqual([]);
	});

	test('shows the row as it is if it is not updated', async () => {
		const { rows } = await run({ options: options({ rowsToWrite: 'onlyNew' }) });
		expect(rows[0]).toMatchObject({ ...differs, Seller: 'Tom' });
	});

	test('compares by the rules of Compare As, and only the rows to compare with', async () => {
		const respelled = [{ Item: 'A', Seller: ' TOM' }];
		const columnRules = { rule: [{ column: 'Seller', write: 'never' }] };
		const compareAs = { column: [{ column: 'Seller', rule: 'ignoreCaseAndSpaces' }] };
		const outcomesOf = async (more: INodeParameters) => {
			const given = {
				...stock.auto(['Item']),
				output: 'differences',
				options: options({ columnRules, ...more }),
			};
			return (await stock.run('sync', given, respelled)).rows.map(({ _outcome }) => _outcome);
		};
		expect(await outcomesOf({})).toEqual(['differs']);
		expect(await outcomesOf({ compareAs })).toEqual([]);
		const onlyRowsWhere = { condition: [{ column: 'Seller', operator: '$eq', value: 'Nobody' }] };
		const scoped = await run({ dryRun: true, options: options({ onlyRowsWhere }) });
		expect(scoped.rows.filter(({ _outcome }) => _outcome === 'differs')).toEqual([]);
	});

	test('refuses to report without a column that the grid owns', async () => {
		const { error } = await run({ options: {} });
		expect(error?.message).toBe('"Output" has differences, but no column belongs to the grid');
		expect(await counts()).toHaveLength(2);
	});
});
