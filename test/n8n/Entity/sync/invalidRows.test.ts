import '../../../fixtures/skippedWaits';
import { parse } from 'csv-parse/sync';
import type { NodeRun } from '../../../../testbed/engine/engine';
import { World } from '../../../../testbed/world/world';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';
import { createStockGrid, importFile } from './stockGrid';

const world = World.forTests();
let stock: WorldGrid;

beforeEach(async () => {
	stock = await createStockGrid(world);
});

const LISTED = { invalidRows: 'skip', deletionLimit: 50 };
const storedCells = async () => (await stock.rows()).map(({ Item, Count }) => [Item, Count]).sort();
const linesOf = ({ items }: NodeRun) =>
	parse<Record<string, string>>(Buffer.from(items[0]?.binary?.['changes']?.data ?? '', 'base64'), {
		columns: true,
		bom: true,
	});

describe('Invalid Rows of a file', () => {
	const file = 'Item,Count,Since\nA,many,2026-01-01\nB,2,2026-01-01\nC,none,soon\nD,4,\n';
	const count = (value: string) =>
		`Column "Count" requires a value of the type Whole Number, but got "${value}"`;

	test('are listed by column and reason, and the others are written', async () => {
		const run = await importFile(stock, file, { options: LISTED });
		expect(run.error).toBeUndefined();
		expect(run.rows).toMatchObject([
			{
				...{ created: 2, failed: 0, invalid: 2 },
				invalidRows: [
					{
						column: 'Count',
						reason: 'Column "Count" requires a value of the type Whole Number',
						count: 2,
						lines: [2, 4],
					},
					{ column: 'Since', count: 1, lines: [4] },
				],
			},
		]);
		expect(run.hints[0]).toContain(
			'2 of 4 lines are invalid and were left out: 2 lines (2, 4): Column "Count"',
		);
		expect(await storedCells()).toEqual([
			['B', 2],
			['D', 4],
		]);
		expect(linesOf(run)).toEqual([
			expect.objectContaining({ _line: '2', _outcome: 'invalid', Count: 'many', _error: count('many') }),
			expect.objectContaining({
				...{ _line: '4', _id: '', _outcome: 'invalid', Item: 'C', Since: 'soon' },
				_error: expect.stringContaining(`${count('none')}; Column "Since"`) as unknown,
			}),
			expect.objectContaining({ _line: '3', _outcome: 'created' }),
			expect.objectContaining({ _line: '5', _outcome: 'created' }),
		]);
	});

	test('stop the run by default, with advice', async () => {
		const { error } = await importFile(stock, file);
		expect(error).toMatchObject({
			message: expect.stringContaining('2 lines of the file cannot be written') as unknown,
			description: expect.stringContaining('"Skip and List" in "Invalid Rows"') as unknown,
		});
		expect(await stock.rows()).toEqual([]);
	});

	test('stop the run if all lines are', async () => {
		await stock.fill({ Item: 'Z', Count: 1 });
		const parameters = { rowsNotInInput: 'delete', options: { ...LISTED, deletionLimit: 100 } };
		const { error } = await importFile(stock, 'Item,Count\nA,many\nB,none\n', parameters);
		expect(error?.message).toContain('2 lines of the file cannot be written; nothing was written: line 2');
		expect(await storedCells()).toEqual([['Z', 1]]);
	});

	test('do not count as rows that are not in the file', async () => {
		await stock.fill({ Item: 'A', Count: 1 }, { Item: 'Gone', Count: 2 });
		const parameters = { rowsNotInInput: 'delete', options: LISTED };
		const run = await importFile(stock, 'Item,Count\nA,many\nB,2\n', parameters);
		expect(run.rows).toMatchObject([{ created: 1, deleted: 1, invalid: 1 }]);
		expect(await storedCells()).toEqual([
			['A', 1],
			['B', 2],
		]);
	});

	test.each([
		['alone', 'first,1'],
		['and another cell', 'first,many'],
	])(
		'stop a run that deletes if their key is invalid, %s: which row it was is unknown',
		async (_what, line) => {
			const grid = await world.grid({ Number: 'integer', Count: 'integer' });
			await grid.fill({ Number: 1, Count: 1 }, { Number: 2, Count: 1 });
			const text = `Number,Count\n${line}\n2,2\n`;
			const parameters = { keyColumns: ['Number'], options: LISTED };
			const deleting = { ...parameters, rowsNotInInput: 'delete' };
			const planned = await importFile(grid, text, { ...deleting, dryRun: true });
			expect(planned.hints.join()).toContain('this run would fail: The key of line 2 is invalid');
			const { error } = await importFile(grid, text, deleting);
			expect(error?.message).toContain('The key of line 2 is invalid, so the rows to delete are unknown');
			expect(await grid.rows()).toHaveLength(2);
			const kept = await importFile(grid, text, parameters);
			expect(kept.rows).toMatchObject([{ updated: 1, invalid: 1 }]);
		},
	);

	test('include options that a column lacks, and leave Rows Without Key as it is', async () => {
		const grid = await world.grid({ Item: 'string', State: { name: 'enum', options: ['new'] } });
		const text = 'Item,State\nA,new\nB,sold\nC,lost\n,new\n';
		const { rows } = await importFile(grid, text, { options: LISTED });
		expect(rows).toMatchObject([
			{ created: 1, invalid: 2, skipped: 1, invalidRows: [{ column: 'State', lines: [3] }, { lines: [4] }] },
		]);
		const { error } = await importFile(grid, text, { options: { ...LISTED, rowsWithoutKey: 'fail' } });
		expect(error?.message).toContain(
			'A line of the file cannot be written; nothing was written: line 5: it has',
		);
	});

	test('of a long file are counted, and the list of them is bounded', async () => {
		const grid = await world.grid({ Item: 'string', State: { name: 'enum', options: ['new'] } });
		const lines = Array.from({ length: 300 }, (_, n) => `I-${n},${n % 3 === 0 ? `odd ${n}` : 'new'}\n`);
		const { rows } = await importFile(grid, `Item,State\n${lines.join('')}`, {
			dryRun: true,
			options: LISTED,
		});
		expect(rows).toMatchObject([{ created: 200, invalid: 100 }]);
		expect(rows[0]?.['invalidRows']).toHaveLength(50);
	});
});

describe('Invalid Rows of Sync', () => {
	const sync = (input: Array<Record<string, string | number>>, more: object = {}) =>
		stock.run('sync', { ...stock.auto(['Item']), ...more }, input);
	const input = [
		{ Item: 'A', Count: 'many' },
		{ Item: 'B', Count: 2 },
	];

	test('are left out, listed, and do not count as rows that are not in the input', async () => {
		await stock.fill({ Item: 'A', Count: 1 }, { Item: 'Gone', Count: 2 });
		const parameters = { rowsNotInInput: 'delete', output: 'report', options: LISTED };
		const planned = await sync(input, { ...parameters, dryRun: true });
		const expected = {
			...{ created: 1, deleted: 1, invalid: 1 },
			invalidRows: [{ column: 'Count', count: 1, items: [0] }],
		};
		expect(planned.rows).toMatchObject([{ ...expected, dryRun: true }]);
		expect(await stock.rows()).toHaveLength(2);
		const { rows, hints } = await sync(input, parameters);
		expect(rows).toMatchObject([{ ...expected, dryRun: false }]);
		expect(hints.join()).toContain('1 of 2 items is invalid and was left out: Item 0: Column "Count"');
		expect(await storedCells()).toEqual([
			['A', 1],
			['B', 2],
		]);
	});

	test('are rows of the output with their reasons', async () => {
		const { rows, items } = await sync(input, { options: LISTED });
		expect(rows).toMatchObject([
			{ _id: null, _outcome: 'invalid', _reasons: [expect.stringContaining('"Count"')] },
			{ Item: 'B', _outcome: 'created' },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('are not marked by Set Columns', async () => {
		await stock.fill({ Item: 'A', Count: 1 });
		const columnsToSet = { set: [{ column: stock.id('Count'), value: '0' }] };
		const options = { ...LISTED, deletionLimit: 100 };
		await sync(input, { rowsNotInInput: 'setColumns', columnsToSet, options });
		expect(await storedCells()).toEqual([
			['A', 1],
			['B', 2],
		]);
	});

	test('stop the run by default, if all are invalid, or if a key is and rows are deleted', async () => {
		const grid = await world.grid({ Number: 'integer', Count: 'integer' });
		await grid.fill({ Number: 1 }, { Number: 2 });
		const run = (rows: Array<Record<string, string | number>>, more: object = {}) =>
			grid.run('sync', { ...grid.auto(['Number']), rowsNotInInput: 'delete', ...more }, rows);
		const options = { options: { ...LISTED, deletionLimit: 100 } };
		expect((await run([{ Number: 'first' }, { Number: 2 }])).error?.message).toContain('Column "Number"');
		for (const key of [{ Number: 'first' }, { Number: 'first', Count: 'many' }])
			expect((await run([key, { Number: 2 }], options)).error?.message).toContain(
				'The key of item 0 is invalid',
			);
		expect((await run([{ Number: 'first' }], options)).error?.message).toContain('Column "Number"');
		expect(await grid.rows()).toHaveLength(2);
	});
});
