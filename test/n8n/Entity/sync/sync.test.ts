import { ProxiedWorld } from '../../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

const anyId: unknown = expect.any(String);
const bed = new ProxiedWorld();
let stock: WorldGrid;

beforeEach(async () => {
	stock = await bed.grid({ Item: 'string', Count: 'integer', Since: 'date-time' });
});

const sync = (input: Array<Record<string, string | number | null>>, more: object = {}, extra: object = {}) =>
	stock.run('sync', { ...stock.auto(['Item']), ...more }, input, extra);

describe('Sync', () => {
	test('a dry run reports the plan and writes nothing', async () => {
		await stock.fill({ Item: 'A', Count: 1 });
		const { rows, hints } = await sync([{ Item: 'A', Count: 2 }, { Item: 'B' }], { dryRun: true });
		expect(hints).toEqual(['Dry run: would create 1, update 1']);
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['update', 'create']);
		expect(await stock.rows()).toEqual([{ Item: 'A', Count: 1, Since: null }]);
	});

	test.each([
		['sync', {}],
		['deleteMany', { conditions: { condition: [{ column: 'Count', operator: '$gt', value: 1 }] } }],
	])('%s: a row that somebody else deletes meanwhile is gone, as wanted', async (operation, more) => {
		const [, gone = ''] = await stock.fill(
			{ Item: 'A', Count: 1 },
			{ Item: 'Gone', Count: 2 },
			{ Item: 'Other', Count: 3 },
		);
		bed.proxy.setRules(async ({ method, path }) => {
			if (method === 'DELETE' && path.includes(gone)) await bed.client.entities.remove(stock.grid, gone);
			return undefined;
		});
		const { rows, error } = await stock.run(
			operation,
			{
				...stock.auto(['Item']),
				rowsNotInInput: 'delete',
				...more,
				options: operation === 'sync' ? { deletionLimit: 100 } : { limitPercent: 100 },
			},
			[{ Item: 'A', Count: 1 }],
		);
		expect(error).toBeUndefined();
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['deleted', 'deleted']);
		expect((await stock.rows()).map(({ Item }) => Item)).toEqual(['A']);
	});

	test('names a key that occurs twice in the input or the grid, and writes nothing', async () => {
		const twice = await sync([{ Item: 'A' }, { Item: 'B' }, { Item: 'A' }]);
		expect(twice.error?.message).toContain('Item "A" (items 0, 2)');
		expect(await stock.rows()).toEqual([]);
		const ids = await stock.fill({ Item: 'A' }, { Item: 'A' });
		const { error } = await sync([{ Item: 'B' }]);
		expect(error?.message).toContain(`Item "A" (rows ${ids.join(', ')})`);
		expect(await stock.rows()).toHaveLength(2);
	});

	test('writes nothing if one value is invalid', async () => {
		const { error } = await sync([{ Item: 'A' }, { Item: 'B', Count: 'many' }]);
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
		expect(error?.message).toContain('Column "Count"');
		expect(await stock.rows()).toEqual([]);
	});

	test('an empty text is no change if no row has one: the service may not store it', async () => {
		const grid = await bed.grid({ Item: 'string', Note: 'string' });
		await grid.fill({ Item: 'A' });
		const items = [{ Item: 'A', Note: '' }];
		expect((await grid.run('sync', grid.auto(['Item']), items)).rows).toEqual([]);
		await grid.fill({ Item: 'B', Note: '' });
		const { rows } = await grid.run('sync', grid.auto(['Item']), items);
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['updated']);
	});

	describe('an item without a key', () => {
		const withBlankLine = [
			{ Item: 'A', Count: 2 },
			{ Item: '', Count: null },
			{ Item: 'B', Count: 3 },
			{ Count: 9 },
		];

		test('is skipped with a hint; the other items are synced', async () => {
			await stock.fill({ Item: 'A', Count: 1 }, { Item: 'Gone', Count: 1 });
			const { rows, hints, items } = await sync(withBlankLine, {
				rowsNotInInput: 'delete',
				options: { deletionLimit: 50 },
			});
			expect(rows.map(({ _outcome }) => _outcome)).toEqual(['deleted', 'updated', 'created']);
			expect(hints).toContain('2 of 4 items have no value in a key column and were skipped.');
			expect(items.slice(1).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
			expect((await stock.rows()).map(({ Item, Count }) => [Item, Count])).toEqual([
				['A', 2],
				['B', 3],
			]);
		});

		test('fails the run if no other item has one, and deletes nothing', async () => {
			await stock.fill({ Item: 'A', Count: 1 });
			// With "Always Output Data" n8n passes on one empty item.
			const { error } = await sync([{}], { rowsNotInInput: 'delete', options: { deletionLimit: 100 } });
			expect(error?.message).toContain('No item has a value in all key columns; nothing was written');
			expect(await stock.rows()).toHaveLength(1);
		});
	});

	test('a reader key is refused before any write', async () => {
		await stock.fill({ Item: 'A', Count: 1 });
		const identity = { as: 'reader' };
		const added = await sync([{ Item: 'B' }], {}, identity);
		const changed = await sync([{ Item: 'A', Count: 2 }], {}, identity);
		expect(added.error?.message).toContain('No permission to add rows');
		expect(changed.error?.message).toContain('No permission to change rows');
		expect(await stock.rows()).toEqual([{ Item: 'A', Count: 1, Since: null }]);
	});

	test('takes one request per page and per change, plus two', async () => {
		const rows = Array.from({ length: 400 }, (_, index) => ({ Item: `I-${index}`, Count: index }));
		await stock.fill(...rows);
		const wanted = rows.map((row, index) => (index % 20 === 0 ? { ...row, Count: -1 } : row));
		const { rows: output, error } = await sync(wanted, { output: 'report' });
		expect(error).toBeUndefined();
		expect(output[0]).toMatchObject({ updated: 20, unchanged: 380 });
		expect(bed.proxy.requests.length).toBeLessThanOrEqual(1 + 20 + 2);
	});
});

describe('Output', () => {
	const INPUT = [{ Item: 'A', Count: 2 }, { Item: 'C' }];
	const REPORT = {
		...{ dryRun: false, created: 1, updated: 1, unchanged: 0, deleted: 1, failed: 0, notTried: 0 },
		...{ invalid: 0, invalidRows: [] },
	};
	const run = (more: object = {}) =>
		sync(INPUT, { rowsNotInInput: 'delete', options: { deletionLimit: 100 }, ...more });

	beforeEach(async () => {
		stock = await bed.grid({ Item: 'string', Count: 'integer', Added: 'createdat' });
		await stock.fill({ Item: 'A', Count: 1 }, { Item: 'Gone', Count: 3 });
	});

	test('has one row per change, all with the same members, and the summary as a hint', async () => {
		const { rows, hints, items } = await run();
		const changes = [
			{ fieldId: stock.id('Item'), field: 'Item', old: 'Gone', new: null },
			{ fieldId: stock.id('Count'), field: 'Count', old: 3, new: null },
			{ fieldId: stock.id('Added'), field: 'Added', old: anyId, new: null },
		];
		const updates = [{ fieldId: stock.id('Count'), field: 'Count', old: 1, new: 2 }];
		const made = [{ fieldId: stock.id('Item'), field: 'Item', old: null, new: 'C' }];
		expect(rows).toEqual([
			{ _id: anyId, Item: 'Gone', Count: 3, _outcome: 'deleted', _changes: changes },
			{ _id: anyId, Item: 'A', Count: 2, _outcome: 'updated', _changes: updates },
			{ _id: anyId, Item: 'C', Count: null, _outcome: 'created', _changes: made },
		]);
		expect(items.slice(1).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(hints).toEqual(['Sync: 1 updated, 1 created, 1 deleted']);
	});

	test('has the other changes if every item fails', async () => {
		bed.proxy.setRules(({ method }) =>
			method === 'POST' || method === 'PUT' ? { kind: 'response', status: 400 } : undefined,
		);
		const more = { rowsNotInInput: 'delete', options: { deletionLimit: 100 } };
		const { rows } = await sync(INPUT, more, { onError: 'continueRegularOutput' });
		const refused = { error: 'The service rejected the request' };
		expect(rows).toMatchObject([{ Item: 'Gone', _outcome: 'deleted' }, refused, refused]);
	});

	test('adds the report to every row if requested', async () => {
		const { rows } = await run({ output: 'changesWithReport' });
		expect(rows.map(({ _report }) => _report)).toEqual([REPORT, REPORT, REPORT]);
		const again = await run({ output: 'changesWithReport' });
		const nothing = { ...REPORT, created: 0, updated: 0, deleted: 0, unchanged: 2 };
		expect(again.rows).toEqual([{ _report: nothing }]);
	});

	test('has only the report if requested', async () => {
		expect((await run({ output: 'report' })).rows).toEqual([REPORT]);
	});
});
