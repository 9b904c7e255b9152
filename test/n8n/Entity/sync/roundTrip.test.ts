import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Values } from '../../../../client/resources/entities';
import { byId } from '../../../../testbed/world/parameters';
import { World } from '../../../../testbed/world/world';
import { openGrid } from '../../../../testbed/world/makeGrid';
import { WorldGrid } from '../../../../testbed/world/worldGrid';
import { importFile } from './stockGrid';

const world = World.forTests();

const columns = {
	Item: 'string',
	Note: 'richText',
	'=Sum': 'string',
	Phone: 'phoneNumber',
	Count: 'integer',
	Price: 'decimal',
	Tags: 'stringcollection',
} as const;

const textOf = (item: INodeExecutionData | undefined) =>
	Buffer.from(item?.binary?.['data']?.data ?? '', 'base64').toString();

const sortedRows = async (grid: WorldGrid) =>
	(await grid.rows()).sort((one, other) => (String(one['Item']) < String(other['Item']) ? -1 : 1));

/** Exports a grid and imports the file, into the same grid and into an empty one. */
async function roundTrip(grid: WorldGrid, parameters: object = {}) {
	const exported = await grid.run('export', { ...parameters });
	const [file = { json: {} }] = exported.items;
	const again = await importFile(grid, file);
	const empty = await world.grid(columns);
	const copied = await importFile(empty, file);
	for (const { error } of [exported, again, copied]) expect(error).toBeUndefined();
	return { file, again, copied, copies: await sortedRows(empty) };
}

const ROWS: Values[] = [
	{ Item: '=A-1', Note: '=SUM(A1)', '=Sum': '@x' },
	{ Item: "'quoted", Note: "'=kept", '=Sum': "''+x" },
	{ Item: '-5', Count: -5, Price: -1.5, Phone: '+49 (30) 123456' },
	{ Item: '\tx', Note: '', Tags: ['=1', "'=2"] },
];

test('Export, then Import From File, both with defaults, changes and adds nothing', async () => {
	const grid = await world.grid(columns);
	await grid.fill(...ROWS);
	for (const parameters of [
		{},
		{ fileMadeBy: 'service' },
		{ options: { delimiter: 'semicolon', byteOrderMark: true } },
		{ options: { delimiter: 'tab' } },
	]) {
		const { again, copies } = await roundTrip(grid, parameters);
		expect(again.rows).toMatchObject([{ created: 0, updated: 0, unchanged: ROWS.length }]);
		// The name of a column is one of them.
		expect(again.hints).toContain(
			'8 cells of the file lost the apostrophe that Export puts before formulas ("Escape Formulas").',
		);
		expect(copies).toEqual(await sortedRows(grid));
	}
});

test('without "Escape Formulas", Import From File keeps every apostrophe', async () => {
	const grid = await world.grid(columns);
	const run = await importFile(grid, "Item,Note\n'=1,''=2\n", { options: { escapeFormulas: false } });
	expect(run.hints.filter((hint) => hint.includes('apostrophe'))).toEqual([]);
	expect(await grid.rows()).toMatchObject([{ Item: "'=1", Note: "''=2" }]);
});

const HARD = [
	"'",
	'=',
	'+',
	'-',
	'@',
	'\t',
	'\r',
	'\n',
	'"',
	',',
	';',
	'|',
	' ',
	'＝',
	'e\u0301',
	'1',
	'x',
	'\u00a0',
];
const text = fc
	.array(fc.constantFrom(...HARD), { minLength: 1, maxLength: 6 })
	.map((parts) => parts.join(''));
const cell = fc.option(fc.oneof(text, fc.constantFrom('007', 'true', '[1]', '2026-01-01')));
const row = fc.record({
	Note: cell,
	'=Sum': cell,
	Count: fc.option(fc.integer()),
	Price: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
	Tags: fc.option(fc.array(text, { minLength: 1, maxLength: 3 })),
});
const grids = fc.uniqueArray(fc.tuple(text, row), {
	minLength: 1,
	maxLength: 12,
	// Blank keys identify no row.
	selector: ([key]) => key.trim(),
});

test('random grids come back without a difference', async () => {
	await fc.assert(
		fc.asyncProperty(grids, async (given) => {
			const rows = given
				.filter(([key]) => key.trim() !== '')
				.map(([Item, { Price, ...rest }]) => ({ Item, ...rest, Price: Price === 0 ? 0 : Price }));
			fc.pre(rows.length > 0);
			const grid = await world.grid(columns);
			await grid.fill(...rows);
			const { again, copies } = await roundTrip(grid);
			expect(again.rows).toMatchObject([{ created: 0, updated: 0, unchanged: rows.length }]);
			expect(copies).toEqual(await sortedRows(grid));
		}),
		{ numRuns: 15 },
	);
}, 120_000);

test('a file for Excel has a byte order mark and semicolons', async () => {
	const grid = await world.grid({ Item: 'string', Note: 'string' });
	await grid.fill({ Item: 'ä;b', Note: '=1' });
	const options = { delimiter: 'semicolon', byteOrderMark: true, outputColumns: ['Item', 'Note'] };
	const { items } = await grid.run('export', { options });
	expect(textOf(items[0])).toMatch(/^\ufeff_id;Item;Note\r\n[^;]+;"ä;b";'=1\r\n$/);
});

const createdGrid = z.object({ id: z.string(), spaceId: z.string() });

test('Create From CSV makes the grid that Export wrote, and keeps apostrophes without "Escape Formulas"', async () => {
	const grid = await world.grid({ '=Sum': 'string', Note: 'string' });
	await grid.fill({ '=Sum': '=1', Note: "'quoted" }, { '=Sum': "'@x", Note: 'a "b", c' });
	const exported = await grid.run('export', { fileMadeBy: 'service' });
	expect(exported.error).toBeUndefined();
	const create = async (options: Record<string, boolean>) => {
		const name = world.fresh('Again');
		const parameters = { space: byId(world.spaceId), name, options };
		const of = { node: 'grid', resource: 'grid', operation: 'createFromCsv', parameters } as const;
		const { rows, hints, error } = await world.run(of, { input: exported.items });
		expect(error).toBeUndefined();
		const { id: gridId, spaceId } = createdGrid.parse(rows[0]);
		const { grid: made, fields } = await openGrid(world.client, { spaceId, gridId });
		const copy = new WorldGrid(world, made, fields);
		const hint = hints.filter((one) => one.includes('apostrophe'));
		return { columns: rows[0]?.['columns'], sums: await copy.rows(), hint };
	};
	expect(await create({})).toMatchObject({
		columns: expect.arrayContaining(['=Sum', 'Note']) as unknown,
		sums: [
			{ '=Sum': '=1', Note: "'quoted" },
			{ '=Sum': "'@x", Note: 'a "b", c' },
		],
		hint: ['3 cells of the file lost the apostrophe that Export puts before formulas ("Escape Formulas").'],
	});
	expect(await create({ escapeFormulas: false })).toMatchObject({
		columns: expect.arrayContaining(["'=Sum", 'Note']) as unknown,
		sums: [{ Note: "'quoted" }, { "'=Sum": "''@x" }],
		hint: [],
	});
});
