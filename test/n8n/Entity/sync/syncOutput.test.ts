import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';
import type * as SkippedWaits from '../../../fixtures/skippedWaits';

jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof SkippedWaits>('../../../fixtures/skippedWaits').withoutWaits(),
);

const anyId: unknown = expect.any(String);
let world: World;
let stock: WorldGrid;

beforeAll(async () => {
	world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
	stock = await world.grid({ Item: 'string', Count: 'integer', Added: 'createdat' });
	await stock.fill([
		{ Item: 'A', Count: 1 },
		{ Item: 'Gone', Count: 3 },
	]);
});

const INPUT = [{ Item: 'A', Count: 2 }, { Item: 'C' }];
/** Report of a sync of `INPUT`. */
const REPORT = {
	...{ dryRun: false, created: 1, updated: 1, unchanged: 0, deleted: 1, failed: 0, notTried: 0 },
	...{ invalid: 0, invalidRows: [] },
};
const sync = (more: object = {}) =>
	stock.run(
		'sync',
		{ ...stock.auto(['Item']), rowsNotInInput: 'delete', options: { deletionLimit: 100 }, ...more },
		INPUT,
		{ resource: 'entity' },
	);

describe('Sync', () => {
	test('outputs one row per change, all with the same members, and the summary as a hint', async () => {
		const { rows, hints, error } = await sync();
		expect(error).toBeUndefined();
		expect(rows).toEqual([
			{
				...{ _id: anyId, Item: 'Gone', Count: 3, _outcome: 'deleted' },
				_changes: [
					{ field: 'Item', old: 'Gone', new: null },
					{ field: 'Count', old: 3, new: null },
					{ field: 'Added', old: expect.any(String) as unknown, new: null },
				],
			},
			{
				_id: anyId,
				Item: 'A',
				Count: 2,
				_outcome: 'updated',
				_changes: [{ field: 'Count', old: 1, new: 2 }],
			},
			{ _id: anyId, Item: 'C', Count: null, _outcome: 'created', _changes: [] },
		]);
		expect(hints).toEqual(['Sync: 1 updated, 1 created, 1 deleted']);
	});

	test('outputs only the hint if nothing changed', async () => {
		await sync();
		const { rows, hints } = await sync();
		expect(rows).toEqual([]);
		expect(hints).toEqual(['Sync: 2 unchanged']);
	});

	test('adds the report to every row if requested', async () => {
		const { rows } = await sync({ output: 'changesWithReport' });
		expect(rows.map(({ _report }) => _report)).toEqual([REPORT, REPORT, REPORT]);
		const again = await sync({ output: 'changesWithReport' });
		expect(again.rows).toEqual([
			{ _report: { ...REPORT, created: 0, updated: 0, deleted: 0, unchanged: 2 } },
		]);
	});

	test('outputs only the report if requested', async () => {
		const { rows } = await sync({ output: 'report' });
		expect(rows).toEqual([expect.objectContaining({ created: 1, updated: 1, deleted: 1 })]);
	});

	test('reports the planned changes of a dry run', async () => {
		const { rows, hints } = await sync({ dryRun: true });
		expect(hints).toEqual(['Dry run: would create 1, update 1, delete 1']);
		expect(rows.map((row) => Object.keys(row).sort())).toEqual(
			rows.map(() => ['Count', 'Item', '_changes', '_id', '_outcome', '_reasons']),
		);
		expect((await stock.rows()).map(({ Item }) => Item)).toEqual(['A', 'Gone']);
	});
});
