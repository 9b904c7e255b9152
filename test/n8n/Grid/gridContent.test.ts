import type { INodeExecutionData } from 'n8n-workflow';
import { textOf } from '../../fixtures/account';
import { addEntity, GridNode, picked, type Call } from './fixture';

let node: GridNode;

beforeAll(async () => {
	node = await GridNode.start();
});

afterAll(async () => {
	await node.service.stop();
});

const grid = (operation: string, parameters: Call['parameters'] = {}): Call => ({
	resource: 'grid',
	operation,
	parameters,
});

describe('export CSV', () => {
	const fileText = (item: INodeExecutionData | undefined, field = 'data') =>
		Buffer.from(item?.binary?.[field]?.data ?? '', 'base64').toString('utf8');

	test('puts all rows into a binary file named after the grid', async () => {
		const own = await node.newGrid('Gebühren', [{ name: 'Name' }, { name: 'Sum', type: 'decimal' }]);
		await addEntity(node, own, { Name: 'größer, "als"', Sum: 0 });
		const { items } = await node.run(grid('exportCsv', own));
		expect(fileText(items[0])).toBe('Name,Sum\n"größer, ""als""",0\n');
		expect(items[0]?.binary?.data).toMatchObject({ fileName: 'Gebühren.csv', mimeType: 'text/csv' });
		expect(items[0]?.json).toMatchObject({
			fileName: 'Gebühren.csv',
			fileSize: Buffer.byteLength(fileText(items[0])),
		});
	});

	test('neutralizes formulas in texts, unless it is told to keep the bytes', async () => {
		const own = await node.newGrid('../..\n<Formulas>', [{ name: 'Name' }, { name: 'Sum', type: 'decimal' }]);
		await addEntity(node, own, { Name: '=HYPERLINK("http://evil.example","x")', Sum: -5 });
		const [kept, neutral] = [false, true].map((neutralizeFormulas) => grid('exportCsv', { ...own, neutralizeFormulas }));
		for (const call of [neutral, grid('exportCsv', own)]) {
			const { items } = await node.run(call ?? grid('exportCsv', own));
			expect(fileText(items[0])).toBe(`Name,Sum\n"'=HYPERLINK(""http://evil.example"",""x"")",-5\n`);
			expect(items[0]?.json).toMatchObject({ fileSize: Buffer.byteLength(fileText(items[0])) });
			expect(items[0]?.binary?.data?.fileName).toBe('_.. _Formulas_.csv');
		}
		const { items } = await node.run(kept ?? grid('exportCsv', own));
		expect(fileText(items[0])).toBe('Name,Sum\n"=HYPERLINK(""http://evil.example"",""x"")",-5\n');
	}); // prettier-ignore

	test('of a view, only what it shows, under the names the user gave', async () => {
		const own = await node.newGrid('Cut', [{ name: 'Name' }, { name: 'Kind' }]);
		await addEntity(node, own, { Name: 'one', Kind: 'a' });
		await addEntity(node, own, { Name: 'two', Kind: 'b' });
		const view = await node.row({
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
		const { items } = await node.run(
			grid('exportCsv', {
				...own,
				view: picked(textOf(view.id)),
				binaryPropertyName: 'file',
				fileName: 'b.csv',
			}),
		);
		expect(fileText(items[0], 'file')).toBe('Name\ntwo\n');
		expect(items[0]?.binary?.file?.fileName).toBe('b.csv');
	});
});

describe('get updates', () => {
	test('lists once what has changed since a moment, by column name, up to the limit', async () => {
		const own = await node.newGrid('Watched', [{ name: 'Name' }]);
		const ids = [await addEntity(node, own, { Name: 'a' }), await addEntity(node, own, { Name: '' })];
		const rows = await node.rows(
			grid('getUpdates', { ...own, since: '2026-01-01T00:00:00', returnAll: true }),
		);
		expect(rows).toMatchObject([
			{ event: 'created', entityId: ids[0], entity: { Name: 'a' }, changes: [{ field: 'Name', new: 'a' }] },
			{ event: 'created', entityId: ids[1], entity: { Name: '' } },
		]);
		expect(await node.rows(grid('getUpdates', { ...own, since: '2026-01-01', limit: 1 }))).toEqual(
			rows.slice(0, 1),
		);
		expect(await node.rows(grid('getUpdates', { ...own, since: '2999-01-01T00:00:00Z' }))).toEqual([]);
	});

	test('a moment that is none is refused', async () => {
		const own = await node.newGrid('Unwatched', []);
		const { error } = await node.run(grid('getUpdates', { ...own, since: 'last week' }));
		expect(error?.message).toBe('"Since" is "last week", which is not a date and time');
	});
});
