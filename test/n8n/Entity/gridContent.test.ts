import type { INodeExecutionData } from 'n8n-workflow';
import { addEntity, newGrid, picked } from '../Grid/fixture';
import { textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { Call } from '../../../testbed/world/call';

let world: World;

beforeAll(async () => {
	world = await World.start();
});

afterAll(async () => {
	await world.stop();
});

const exporting = (parameters: NonNullable<Call['parameters']>): Call => ({
	node: 'entity',
	resource: 'entity',
	operation: 'export',
	parameters: { ...parameters, fileMadeBy: 'service' },
});
const changes = (parameters: NonNullable<Call['parameters']>): Call => ({
	node: 'entity',
	resource: 'history',
	operation: 'getChanges',
	parameters,
});

describe('export of the file of the service', () => {
	const fileText = (item: INodeExecutionData | undefined, field = 'data') =>
		Buffer.from(item?.binary?.[field]?.data ?? '', 'base64').toString('utf8');

	test('outputs all rows in a binary file named after the grid', async () => {
		const own = await newGrid(world, 'Gebühren', [{ name: 'Name' }, { name: 'Sum', type: 'decimal' }]);
		await addEntity(world, own, { Name: 'größer, "als"', Sum: 0 });
		const { items } = await world.run(exporting(own));
		expect(fileText(items[0])).toBe('Name,Sum\n"größer, ""als""",0\n');
		expect(items[0]?.binary?.data).toMatchObject({ fileName: 'Gebühren.csv', mimeType: 'text/csv' });
		expect(items[0]?.json).toMatchObject({
			fileName: 'Gebühren.csv',
			fileSize: Buffer.byteLength(fileText(items[0])),
		});
	});

	test('escapes formulas in texts unless this is switched off', async () => {
		const own = await newGrid(world, '../..\n<Formulas>', [
			{ name: 'Name' },
			{ name: 'Sum', type: 'decimal' },
		]);
		await addEntity(world, own, { Name: '=HYPERLINK("http://evil.example","x")', Sum: -5 });
		const [kept, escaped] = [false, true].map((escapeFormulas) =>
			exporting({ ...own, options: { escapeFormulas } }),
		);
		for (const call of [escaped, exporting(own)]) {
			const { items } = await world.run(call ?? exporting(own));
			expect(fileText(items[0])).toBe(`Name,Sum\n"'=HYPERLINK(""http://evil.example"",""x"")",-5\n`);
			expect(items[0]?.json).toMatchObject({ fileSize: Buffer.byteLength(fileText(items[0])) });
			expect(items[0]?.binary?.data?.fileName).toBe('_.. _Formulas_.csv');
		}
		const { items } = await world.run(kept ?? exporting(own));
		expect(fileText(items[0])).toBe('Name,Sum\n"=HYPERLINK(""http://evil.example"",""x"")",-5\n');
	});

	test('exports only the columns and rows of a view, with the chosen file name', async () => {
		const own = await newGrid(world, 'Cut', [{ name: 'Name' }, { name: 'Kind' }]);
		await addEntity(world, own, { Name: 'one', Kind: 'a' });
		await addEntity(world, own, { Name: 'two', Kind: 'b' });
		const view = await world.row({
			node: 'grid',
			resource: 'view',
			operation: 'create',
			parameters: {
				...own,
				name: 'Only b',
				columns: ['Name'],
				selectBy: 'json',
				filter: '{"Kind":{"$eq":"b"}}',
			},
		});
		const { items } = await world.run(
			exporting({
				...own,
				view: picked(textOf(view.id)),
				binaryPropertyName: 'file',
				options: { fileName: 'b.csv' },
			}),
		);
		expect(fileText(items[0], 'file')).toBe('Name\ntwo\n');
		expect(items[0]?.binary?.file?.fileName).toBe('b.csv');
	});
});

describe('get changes', () => {
	test('outputs each change since a time once, by column name, up to Limit', async () => {
		const own = await newGrid(world, 'Watched', [{ name: 'Name' }]);
		const ids = [await addEntity(world, own, { Name: 'a' }), await addEntity(world, own, { Name: '' })];
		const rows = await world.rows(changes({ ...own, since: '2026-01-01T00:00:00', returnAll: true }));
		expect(rows).toMatchObject([
			{ event: 'created', _id: ids[0], entity: { Name: 'a' }, changes: [{ field: 'Name', new: 'a' }] },
			{ event: 'created', _id: ids[1], entity: { Name: '' } },
		]);
		expect(await world.rows(changes({ ...own, since: '2026-01-01', limit: 1 }))).toEqual(rows.slice(0, 1));
		expect(await world.rows(changes({ ...own, since: '2999-01-01T00:00:00Z' }))).toEqual([]);
	});

	test('refuses an invalid time', async () => {
		const own = await newGrid(world, 'Unwatched', []);
		const { error } = await world.run(changes({ ...own, since: 'last week' }));
		expect(error?.message).toBe('"Since" is "last week", which is not a date and time');
	});
});
