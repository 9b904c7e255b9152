import '../../../fixtures/skippedWaits';
import type { INodeParameters } from 'n8n-workflow';
import { ProxiedWorld } from '../../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';
import { importFile } from './stockGrid';

/** What Import From File writes to rows that exist, and which rows it concerns. */
const bed = new ProxiedWorld();
let stock: WorldGrid;

beforeEach(async () => {
	stock = await bed.grid({ Item: 'string', Source: 'string', Count: 'integer', Note: 'string' });
});

const rule = (column: string, write: string) => ({ columnRules: { rule: [{ column, write }] } });
const only = (source: string) => ({
	onlyRowsWhere: { condition: [{ column: 'Source', operator: '$eq', value: source }] },
});
const run = (file: string, options: INodeParameters, more: INodeParameters = {}) =>
	importFile(stock, file, { ...more, options });
const state = async () =>
	(await stock.rows()).map(({ Item, Source, Count, Note }) => [Item, Source, Count, Note]);

describe('Column Rules', () => {
	const file = 'Item,Count,Note\nA,2,new\nB,2,new\nC,2,new\n';
	beforeEach(async () => {
		await stock.fill({ Item: 'A', Count: 1, Note: 'kept' }, { Item: 'B', Count: 2 });
	});

	test.each([
		['ifEmpty', 'kept', 'new'],
		['never', 'kept', null],
		['always', 'new', 'new'],
	])('%s', async (write, noteOfA, noteOfB) => {
		const planned = await run(file, rule('Note', write), { dryRun: true });
		const { rows, error } = await run(file, rule('Note', write));
		expect(error).toBeUndefined();
		const counts = { created: 1, updated: write === 'never' ? 1 : 2, unchanged: write === 'never' ? 1 : 0 };
		expect(planned.rows).toMatchObject([counts]);
		expect(rows).toMatchObject([counts]);
		expect(await state()).toEqual([
			['A', null, 2, noteOfA],
			['B', null, 2, noteOfB],
			['C', null, 2, 'new'],
		]);
		bed.proxy.setRules();
		expect((await run(file, rule('Note', write))).rows).toMatchObject([{ unchanged: 3 }]);
		expect(bed.proxy.requests.some(({ path }) => /entities\/./.test(path))).toBe(false);
	});

	test('Only If the Item Has a Value keeps a value that the file leaves empty', async () => {
		const { rows } = await run('Item,Count,Note\nA,2,\nB,2,new\n', rule('Note', 'ifValue'));
		expect(rows).toMatchObject([{ updated: 2 }]);
		expect(await state()).toEqual([
			['A', null, 2, 'kept'],
			['B', null, 2, 'new'],
		]);
		expect((await run('Item,Count,Note\nA,2,\nB,2,\n', rule('Note', 'ifValue'))).rows).toMatchObject([
			{ unchanged: 2 },
		]);
	});
});

describe('Only Rows Where', () => {
	beforeEach(async () => {
		await stock.fill(
			{ Item: 'A', Source: 'shop', Count: 1 },
			{ Item: 'B', Source: 'shop', Count: 2 },
			{ Item: 'X', Source: 'till', Count: 3 },
			{ Item: 'X', Source: 'till', Count: 4 },
		);
	});

	test('leaves other rows alone, and takes percentages of those inside', async () => {
		const file = 'Item,Source,Count\nA,shop,9\nNew,shop,1\n';
		const refused = await run(file, { ...only('shop'), deletionLimit: 49 }, { rowsNotInInput: 'delete' });
		expect(refused.error?.message).toMatch(/^1 of the 2 rows of ".+" would be deleted/);
		const options = { ...only('shop'), deletionLimit: 50 };
		const { rows, error } = await run(file, options, { rowsNotInInput: 'delete' });
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ created: 1, updated: 1, deleted: 1 }]);
		expect((await state()).map(([Item, Source, Count]) => [Item, Source, Count]).sort()).toEqual([
			['A', 'shop', 9],
			['New', 'shop', 1],
			['X', 'till', 3],
			['X', 'till', 4],
		]);
	});

	test.each([
		['Item,Source,Count\nA,shop,9\nX,shop,1\n', 'already has the key of a line: Item "X"'],
		[
			'Item,Source,Count\nA,till,9\n',
			'would not meet the conditions of "Only Rows Where" after this run: Item "A"',
		],
		['Item,Count\nNew,9\n', 'would not meet the conditions of "Only Rows Where" after this run: Item "New"'],
	])('refuses a file before the first write: %j', async (file, message) => {
		const before = await state();
		const { error } = await run(file, only('shop'));
		expect(error?.message).toContain(message);
		expect(await state()).toEqual(before);
	});

	test('a row that leaves the conditions while the file is imported is not written', async () => {
		let readings = 0;
		bed.proxy.setRules(async ({ method, path }) => {
			const isRow = method === 'GET' && /entities\/./.test(path);
			if (!isRow || ++readings > 1) return undefined;
			const id = path.split('/').at(-1)?.split('?')[0] ?? '';
			await bed.client.entities.update(stock.grid, id, { [stock.id('Source')]: 'till' });
			return undefined;
		});
		const { error } = await run('Item,Source,Count\nA,shop,9\nB,shop,2\n', only('shop'));
		expect(error?.message).toContain('no longer meets the conditions');
		expect(await state()).toContainEqual(['A', 'till', 1, null]);
	});
});
