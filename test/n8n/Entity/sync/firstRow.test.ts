import { fileItem } from '../../../../testbed/world/fileItem';
import { World } from '../../../../testbed/world/world';
import { createStockGrid, importFile } from './stockGrid';

const world = World.forTests();

const FIRST_ROW = expect.stringContaining('"First Row" under Options') as string;

test.each([
	['a title', 'Stock of 2026\n\n'],
	['a title with commas', 'Stock of 2026,,\n'],
	['comments', '# made by a program\n# with commas, two of them, in all\n'],
])('a file that begins with %s is refused with advice, and read with First Row', async (_what, title) => {
	const stock = await createStockGrid(world);
	const file = `${title}Item,Count,Unit\nA,1,kg\nB,2,kg\n`;
	const refused = await importFile(stock, file);
	expect(refused.error).toMatchObject({ description: FIRST_ROW });
	expect(await stock.rows()).toEqual([]);
	const firstRow = title.split('\n').length;
	const { rows, error } = await importFile(stock, file, { options: { firstRow } });
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ created: 2 }]);
	const late = await importFile(stock, file, { options: { firstRow: 40 } });
	expect(late.error).toMatchObject({ message: expect.stringContaining('no row from line 40 on') as string });
});

test('Create From CSV reads a table after a title, and names First Row otherwise', async () => {
	const { chosen } = await createStockGrid(world);
	const create = async (firstRow: number, encoding = 'utf-8') =>
		await world.run(
			{
				node: 'grid',
				resource: 'grid',
				operation: 'createFromCsv',
				parameters: { ...chosen, name: world.fresh('Titled'), options: { firstRow, encoding } },
			},
			{ input: [fileItem(Buffer.from('Gr\u00f6\u00dfen\n\nItem,Size\nA,\u00e4\n', 'latin1'))] },
		);
	const refused = await create(1, 'windows-1252');
	expect(refused.error).toMatchObject({ description: FIRST_ROW });
	const { rows, error } = await create(3, 'windows-1252');
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ columns: ['Item', 'Size'], rows: 1 }]);
	expect((await create(9, 'windows-1252')).error?.message).toContain('no row from line 9 on');
});
