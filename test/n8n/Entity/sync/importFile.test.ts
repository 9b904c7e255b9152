import '../../../fixtures/skippedWaits';
import { BinaryDataService } from 'n8n-core';
import { Container } from '@n8n/di';
import { parse } from 'csv-parse/sync';
import { z } from 'zod/v4';
import { keepFilesIn, type NodeRun } from '../../../../testbed/engine/engine';
import { refuseFirst } from '../../../../testbed/proxy/faultProxy';
import { ProxiedWorld } from '../../../../testbed/world/proxiedWorld';
import type { GridRunOptions, WorldGrid } from '../../../../testbed/world/worldGrid';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';
import { createStockGrid, importFile, type SyncedFile } from './stockGrid';

const table = z.array(z.record(z.string(), z.string()));
const bed = new ProxiedWorld();
let stock: WorldGrid;

beforeEach(async () => {
	stock = await createStockGrid(bed);
});

const sync = (file: SyncedFile, parameters?: Record<string, unknown>, options?: GridRunOptions) =>
	importFile(stock, file, parameters, options);

/** The lines of the changes file as objects. */
const changesOf = ({ items }: NodeRun, field = 'changes') =>
	table.parse(
		parse(Buffer.from(items[0]?.binary?.[field]?.data ?? '', 'base64'), { columns: true, bom: true }),
	);
const storedCells = async () => (await stock.rows()).map(({ Item, Count }) => [Item, Count]).sort();

test('a row that somebody else deletes meanwhile is gone, as wanted', async () => {
	const [, gone = ''] = await stock.fill({ Item: 'A', Count: 1 }, { Item: 'Gone', Count: 2 });
	bed.proxy.setRules(async ({ method }) => {
		if (method === 'DELETE') await bed.client.entities.remove(stock.grid, gone);
		return undefined;
	});
	const options = { rowsNotInInput: 'delete', options: { deletionLimit: 50 } };
	const { rows, error } = await sync('Item,Count\nA,1\n', options);
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ deleted: 0, failed: 0, unchanged: 1 }]);
	expect(await storedCells()).toEqual([['A', 1]]);
});

test('creates, updates and deletes rows, and reports each change in a file', async () => {
	const ids = await stock.fill(
		{ Item: 'A', Count: 1, Since: '2026-01-01T12:00:00Z', Tags: ['x', 'y'] },
		{ Item: 'B', Count: 2 },
		{ Item: 'Gone', Count: 3 },
	);
	const run = await sync(
		'Item,Count,Since,Tags\nA,1,2026-01-01T14:00:00+02:00,"[""x"",""y""]"\nB,0,,\nC,4,,\n',
		{ rowsNotInInput: 'delete', options: { deletionLimit: 50 } },
	);
	expect(run.error).toBeUndefined();
	expect(run.rows).toEqual([
		{
			...{
				dryRun: false,
				created: 1,
				updated: 1,
				unchanged: 1,
				deleted: 1,
				failed: 0,
				notTried: 0,
				skipped: 0,
				invalid: 0,
				invalidRows: [],
				addedColumns: [],
			},
			fileName: `${stock.grid.name} changes.csv`,
			fileSize: Buffer.from(run.items[0]?.binary?.['changes']?.data ?? '', 'base64').length,
		},
	]);
	expect(run.hints).toEqual(['Import: 1 updated, 1 created, 1 deleted, 1 unchanged']);
	expect(await storedCells()).toEqual([
		['A', 1],
		['B', 0],
		['C', 4],
	]);
	expect(changesOf(run)).toEqual([
		expect.objectContaining({
			_line: '3',
			_id: ids[1],
			_outcome: 'updated',
			Item: 'B',
			Count: '0',
			_changes: JSON.stringify([{ fieldId: stock.id('Count'), field: 'Count', old: 2, new: 0 }]),
		}),
		expect.objectContaining({
			...{ _line: '4', _outcome: 'created', Item: 'C', Count: '4' },
			_changes: JSON.stringify([
				{ fieldId: stock.id('Item'), field: 'Item', old: null, new: 'C' },
				{ fieldId: stock.id('Count'), field: 'Count', old: null, new: 4 },
			]),
		}),
		expect.objectContaining({ _line: '', _id: ids[2], _outcome: 'deleted', Item: 'Gone', Count: '3' }),
	]);
});

test('changes nothing in a second run, or with the file of an export', async () => {
	await stock.fill(
		{ Item: 'A, "quoted"', Count: 1, Since: '2026-01-01T12:00:00Z', Tags: ['x', 'y,z'] },
		{ Item: 'B\nC', Count: 2, Tags: [] },
		{ Item: 'D' },
	);
	for (const fileFormat of ['csv', 'ndjson']) {
		const exported = await stock.run('export', { fileFormat }, [{}]);
		const [item] = exported.items;
		const { rows, error } = await sync(item ?? { json: {} }, { fileFormat, rowsNotInInput: 'delete' });
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ created: 0, updated: 0, deleted: 0, unchanged: 3 });
	}
	const file = 'Item,Count\nNew,1\nD,5\n';
	expect((await sync(file)).rows[0]).toMatchObject({ created: 1, updated: 1 });
	expect((await sync(file)).rows[0]).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
});

test('an empty cell clears a value; a column that is missing from the file stays unchanged', async () => {
	await stock.fill({ Item: 'A', Count: 1, Tags: ['x'] });
	const { rows } = await sync('Item,Count\nA,\n');
	expect(rows[0]).toMatchObject({ updated: 1 });
	expect(await stock.rows()).toEqual([{ Item: 'A', Count: null, Since: null, Tags: ['x'] }]);
});

describe('nothing is written', () => {
	test('if rows of the grid have the same key', async () => {
		const ids = await stock.fill({ Item: 'A' }, { Item: 'A' });
		const { error } = await sync('Item,Count\nB,1\n');
		expect(error?.message).toContain('The grid has several rows with the same key');
		for (const id of ids) expect(error?.message).toContain(id);
		expect(await stock.rows()).toHaveLength(2);
	});

	test('but not if keys of the grid are blanks only, which are no keys', async () => {
		await stock.fill({ Item: ' ' }, { Item: ' ' }, { Item: 'A', Count: 1 });
		const { rows, error } = await sync('Item,Count\nA,2\n');
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ updated: 1 }]);
		const synced = await stock.run('sync', stock.auto(['Item']), [{ Item: 'A', Count: 3 }]);
		expect(synced.error).toBeUndefined();
		expect(synced.rows).toMatchObject([{ Item: 'A', Count: 3, _outcome: 'updated' }]);
	});

	test.each([
		['deletions', { rowsNotInInput: 'delete' }, '3 of the 4 rows'],
		['creations', { options: { creationLimit: 1 } }, '2 rows of ".+" would be created, which is more than 1'],
		['updates', { options: { updateLimit: 0 } }, '1 row of ".+" would be updated, which is more than 0'],
	])('if the run exceeds the limit for %s', async (_what, parameters, message) => {
		await stock.fill(...['A', 'B', 'C', 'D'].map((Item) => ({ Item })));
		const file = 'Item,Count\nA,1\nNew,2\nNewer,3\n';
		const planned = await sync(file, { ...parameters, dryRun: true });
		expect(planned.hints.join()).toMatch(new RegExp(`this run would fail: ${message}`));
		expect(planned.rows).toEqual([expect.objectContaining({ dryRun: true, created: 2, updated: 1 })]);
		const { error } = await sync(file, parameters);
		expect(error?.message).toMatch(new RegExp(message));
		expect(await stock.rows()).toHaveLength(4);
	});

	test('with a reader key', async () => {
		await stock.fill({ Item: 'A', Count: 1 });
		const added = await sync('Item\nB\n', {}, { as: 'reader' });
		const changed = await sync('Item,Count\nA,2\n', {}, { as: 'reader' });
		expect(added.error?.message).toContain('No permission to add rows');
		expect(changed.error?.message).toContain('No permission to change rows');
	});
});

test.each([
	['onlyChanged', { updated: 1, created: 0, deleted: 1 }, [['A', 1]]],
	[
		'onlyNew',
		{ updated: 0, created: 1, deleted: 1 },
		[
			['A', null],
			['New', 2],
		],
	],
])('Rows to Write: %s', async (rowsToWrite, counts, expected) => {
	await stock.fill({ Item: 'A' }, { Item: 'Gone' });
	const parameters = { rowsNotInInput: 'delete', options: { rowsToWrite, deletionLimit: 50 } };
	const { rows, hints } = await sync('Item,Count\nA,1\nNew,2\n', parameters);
	expect(rows).toEqual([expect.objectContaining({ ...counts, unchanged: 0 })]);
	expect(hints).toContain('Left out by "Rows to Write": 1 of 2 lines');
	expect(await storedCells()).toEqual(expected);
});

test('writes no row if an unknown option cannot be added to its column', async () => {
	const grid = await bed.grid({ Item: 'string', State: { name: 'enum', options: ['new'] } });
	bed.proxy.setRules(({ method }) => (method === 'PATCH' ? { kind: 'response', status: 400 } : undefined));
	const parameters = { options: { unknownOptions: 'addToColumn' } };
	const { error } = await importFile(grid, 'Item,State\nA,new\nB,sold\n', parameters);
	expect(error).toMatchObject({ httpCode: '400' });
	expect(await grid.rows()).toEqual([]);
});

test('a line without a key is skipped with a hint, or refused if the option is Fail', async () => {
	const file = 'Item,Count\nA,1\n,5\n\n';
	const skipped = await sync(file);
	expect(skipped.rows[0]).toMatchObject({ created: 1, skipped: 1 });
	expect(skipped.hints[0]).toBe('1 line of the file has no value in a key column and was skipped.');
	const { error } = await sync(file, { options: { rowsWithoutKey: 'fail' } });
	expect(error?.message).toContain('line 3: it has no value in a key column');
});

test('names the delimiter of the header before it complains of quotation marks below it', async () => {
	const { error } = await sync('Item;Count\nA;1\n"B"x;2\n', { options: { delimiter: 'comma' } });
	expect(error).toMatchObject({
		message: 'The file has no column for the key column "Item"',
		description: expect.stringContaining('Choose "Semicolon" in "Delimiter"') as unknown,
	});
});

test('the next run completes a run that stopped halfway, without duplicates', async () => {
	const lines = Array.from({ length: 60 }, (_, index) => `I-${index},${index}\n`);
	const file = `Item,Count\n${lines.join('')}`;
	let writes = 0;
	bed.proxy.setRules(({ method }) =>
		method !== 'GET' && ++writes > 20 ? { kind: 'response', status: 401 } : undefined,
	);
	const { error } = await sync(file);
	expect(error).toMatchObject({ httpCode: '401' });
	expect(error?.description).toMatch(/20 created, .*not tried/);
	expect(await stock.rows()).toHaveLength(20);
	bed.proxy.setRules();
	expect((await sync(file)).rows[0]).toMatchObject({ created: 40, unchanged: 20 });
	expect(new Set((await stock.rows()).map(({ Item }) => Item)).size).toBe(60);
	expect(await stock.rows()).toHaveLength(60);
});

test('a creation without a response is not repeated', async () => {
	let cut = 0;
	bed.proxy.setRules(({ method }) =>
		method === 'POST' && cut++ % 3 === 0 ? { kind: 'resetAfter' } : undefined,
	);
	const file = `Item,Count\n${Array.from({ length: 9 }, (_, index) => `I-${index},${index}\n`).join('')}`;
	const { rows } = await sync(file);
	expect(rows[0]).toMatchObject({ created: 9, failed: 0 });
	expect(await stock.rows()).toHaveLength(9);
});

test('a creation without an answer has the outcome "unknown"', async () => {
	bed.proxy.setRules(({ method }) => (method === 'POST' ? { kind: 'response', status: 502 } : undefined));
	const run = await sync('Item,Count\nA,1\n', {}, { onError: 'continueRegularOutput' });
	expect(run.rows).toMatchObject([{ created: 0, failed: 1 }]);
	expect(changesOf(run)).toMatchObject([
		{ _outcome: 'unknown', Item: 'A', _error: expect.stringContaining('It is unknown whether') as unknown },
	]);
});

test('a creation that is only accepted (202) is not repeated: the row may come later', async () => {
	bed.proxy.setRules(({ method }) => (method === 'POST' ? { kind: 'response', status: 202 } : undefined));
	const run = await sync('Item,Count\nA,1\n', {}, { onError: 'continueRegularOutput' });
	expect(changesOf(run)).toMatchObject([{ _outcome: 'unknown', Item: 'A' }]);
	expect(bed.proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('reports a failed change in the changes file and carries out the others', async () => {
	await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B', Count: 1 });
	bed.proxy.setRules(refuseFirst('PUT'));
	const run = await sync('Item,Count\nA,2\nB,2\n', {}, { onError: 'continueRegularOutput' });
	expect(run.rows[0]).toMatchObject({ updated: 1, failed: 1 });
	expect(
		changesOf(run)
			.map(({ _outcome }) => _outcome)
			.sort(),
	).toEqual(['failed', 'updated']);
	expect(changesOf(run).find(({ _outcome }) => _outcome === 'failed')?.['_error']).not.toBe('');
});

test('keeps concurrent changes to columns that are missing from the file', async () => {
	const [id = ''] = await stock.fill({ Item: 'A', Count: 1, Tags: ['x'] });
	let reads = 0;
	bed.proxy.setRules(async ({ method, path }) => {
		if (method === 'GET' && path.includes(`/entities/${id}`) && reads++ === 0)
			await bed.client.entities.update(stock.grid, id, { [stock.id('Tags')]: ['y'] });
		return undefined;
	});
	const { rows } = await sync('Item,Count\nA,2\n');
	expect(rows[0]).toMatchObject({ updated: 1 });
	expect(await stock.rows()).toEqual([{ Item: 'A', Count: 2, Since: null, Tags: ['y'] }]);
});

describe('a file in a binary store on disk', () => {
	const folder = new TemporaryFolder();
	beforeEach(() => {
		keepFilesIn(folder.path);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		keepFilesIn(undefined);
	});

	test('is streamed and not loaded into memory as a whole', async () => {
		await stock.fill({ Item: 'I-7', Count: 0 });
		const count = 3000;
		const text = `Item,Count\n${Array.from({ length: count }, (_, n) => `I-${n},${n},\n`.replace(',\n', '\n')).join('')}`;
		// The first run initializes the store.
		await sync('Item\nI-7\n');
		const asBuffer = jest.spyOn(BinaryDataService.prototype, 'getAsBuffer');
		const stored = await Container.get(BinaryDataService).store(
			{ type: 'execution', workflowId: 'test-workflow', executionId: 'before' },
			Buffer.from(text),
			{ data: '', mimeType: 'text/csv', fileName: 'stock.csv' },
		);
		const run = await sync({ json: {}, binary: { data: stored } }, { dryRun: true });
		expect(run.error).toBeUndefined();
		expect(run.rows[0]).toMatchObject({ created: count - 1, updated: 1 });
		expect(asBuffer).not.toHaveBeenCalled();
		expect(run.items[0]?.binary?.['changes']).toMatchObject({ data: 'filesystem-v2' });
	});
});

test('Only New writes nothing to the row of somebody else that stays', async () => {
	let isAdded = false;
	bed.proxy.setRules(async ({ method }) => {
		if (method !== 'POST' || isAdded) return undefined;
		isAdded = true;
		await stock.fill({ Item: 'New', Count: 1 });
		return undefined;
	});
	const { rows } = await sync('Item,Count\nNew,2\n', { options: { rowsToWrite: 'onlyNew' } });
	expect(rows).toMatchObject([{ created: 1 }]);
	expect(await storedCells()).toEqual([['New', 1]]);
});
