import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { BinaryDataService } from 'n8n-core';
import { parse } from 'csv-parse/sync';
import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod/v4';
import { keepFilesIn } from '../../../../testbed/engine/engine';
import type { Rule } from '../../../../testbed/proxy/faultProxy';
import { byId } from '../../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../../testbed/world/proxiedWorld';
import type { GridRunOptions, WorldGrid } from '../../../../testbed/world/worldGrid';
import { TemporaryFolder } from '../../../fixtures/temporaryFolder';
import { importFile } from './stockGrid';

const bed = new ProxiedWorld();
let parts: WorldGrid;
const folder = new TemporaryFolder();
afterEach(() => {
	jest.restoreAllMocks();
	keepFilesIn(undefined);
});
beforeEach(async () => {
	parts = await bed.grid({
		Part: 'string',
		Count: 'integer',
		Tags: 'stringcollection',
		Note: 'richText',
	});
});

const exported = (parameters: object = {}, options: GridRunOptions = {}) =>
	parts.run('export', { ...parameters }, [{}], options);
const textOf = (item: INodeExecutionData | undefined, field = 'data') =>
	Buffer.from(item?.binary?.[field]?.data ?? '', 'base64').toString();

const tableOf = (text: string): string[][] => z.array(z.array(z.string())).parse(parse(text));

/** Fills the grid in the given order. @returns the row IDs */
async function fillInOrder(rows: ReadonlyArray<Record<string, unknown>>): Promise<string[]> {
	const ids: string[] = [];
	for (const row of rows) ids.push(...(await parts.fill(row)));
	return ids;
}

const SOME = [
	{ Part: 'bolt, "M6"', Count: 0, Tags: ['a', 'b'], Note: 'two\nlines' },
	{ Part: '=1+1', Count: -3, Tags: [], Note: '' },
	{ Part: 'nut', Count: 7 },
];

test('a CSV file is imported again if the service keeps blanks around the name of a column', async () => {
	await parts.fill({ Part: 'A', Note: 'n' });
	const names = [
		['"Part"', '" Part "'],
		['"Note"', '"Cafe\u0301"'],
	] as const;
	bed.proxy.setRules(() => ({
		kind: 'change',
		response: ({ body }) => ({
			body: names.reduce((text, [from, to]) => text.replaceAll(`"name":${from}`, `"name":${to}`), body),
		}),
	}));
	const { items } = await exported({ options: { escapeFormulas: false } });
	const text = textOf(items[0]);
	expect(text).toContain('_id, Part ,Count,Tags,Cafe\u0301');
	const { rows, hints, error } = await importFile(parts, text, { keyColumns: [parts.id('Part')] });
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ unchanged: 1 }]);
	expect(hints.join()).not.toContain('no such column');
});

test.each(['csv', 'ndjson'])(
	'names one of two columns of the same name in %s as always',
	async (fileFormat) => {
		await parts.fill({ Part: 'A', Note: 'n' });
		bed.proxy.setRules(() => ({
			kind: 'change',
			response: ({ body }) => ({ body: body.replaceAll('"name":"Tags"', '"name":"Note"') }),
		}));
		const outputColumns = [parts.id('Part'), parts.id('Note')];
		const { items } = await exported({ fileFormat, options: { outputColumns } });
		expect(textOf(items[0])).toContain('Note (note)');
		const { rows, error } = await importFile(parts, textOf(items[0]), { fileFormat, keyColumns: ['Part'] });
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ unchanged: 1 }]);
	},
);

test('writes the rows of the grid in order and with unchanged values', async () => {
	const ids = await fillInOrder(SOME);
	const { rows, items, error } = await exported({ options: { escapeFormulas: false } });
	expect(error).toBeUndefined();
	const text = textOf(items[0]);
	expect(rows).toEqual([
		{
			gridId: parts.grid.id,
			fileName: `${parts.grid.name}.csv`,
			fileSize: Buffer.byteLength(text),
			rows: 3,
		},
	]);
	expect(items[0]?.binary?.data).toMatchObject({ fileName: `${parts.grid.name}.csv`, mimeType: 'text/csv' });
	expect(parse(text, { columns: true })).toEqual([
		{ _id: ids[0], Part: 'bolt, "M6"', Count: '0', Tags: '["a","b"]', Note: 'two\nlines' },
		{ _id: ids[1], Part: '=1+1', Count: '-3', Tags: '[]', Note: '' },
		{ _id: ids[2], Part: 'nut', Count: '7', Tags: '', Note: '' },
	]);
	expect(text.endsWith('\r\n')).toBe(true);
});

test('neutralizes formulas unless switched off', async () => {
	await fillInOrder(SOME);
	const { items } = await exported();
	expect(textOf(items[0])).toContain(",'=1+1,-3,");
});

test('an NDJSON file has one row per line, as output by Get Many', async () => {
	await fillInOrder(SOME);
	const { rows, items } = await exported({
		fileFormat: 'ndjson',
		binaryPropertyName: 'lines',
		options: { columnNaming: 'id' },
	});
	const all = await parts.run('getMany', { returnAll: true, options: { columnNaming: 'id' } });
	const lines = textOf(items[0], 'lines').trimEnd().split('\n');
	expect(lines.map((line): unknown => JSON.parse(line))).toEqual(all.rows);
	expect(rows[0]).toMatchObject({ rows: 3, fileName: `${parts.grid.name}.ndjson` });
});

test('applies conditions, sorting and columns', async () => {
	await parts.fill(...[4, 9, 2, 7].map((Count) => ({ Part: `P${Count}`, Count })));
	const { items } = await exported({
		conditions: { condition: [{ column: 'Count', operator: '$gt', value: 3 }] },
		options: {
			outputColumns: ['Count'],
			sort: { by: [{ column: 'Count', direction: 'descending' }] },
		},
	});
	const [head, ...lines] = tableOf(textOf(items[0]));
	expect(head).toEqual(['_id', 'Count']);
	expect(lines.map((line) => line[1])).toEqual(['9', '7', '4']);
});

test('exports the columns and rows of a view', async () => {
	await fillInOrder(SOME);
	const view = await parts.view(['Part', 'Count'], { Part: { $eq: 'nut' } }, 'Stock');
	const { rows, items } = await exported({ view: byId(view) });
	expect(rows[0]).toMatchObject({ viewId: view, fileName: 'Stock.csv', rows: 1 });
	expect(tableOf(textOf(items[0])).map((line) => line.slice(1))).toEqual([
		['Part', 'Count'],
		['nut', '7'],
	]);
});

test('exports the column names of an empty grid', async () => {
	const { rows, items } = await exported();
	expect(rows[0]).toMatchObject({ rows: 0 });
	expect(textOf(items[0])).toBe('_id,Part,Count,Tags,Note\r\n');
});

/** Makes pages of ten rows; 25 rows are three pages. */
const smallPages: Rule = ({ path }) => ({
	kind: 'change',
	request: { path: path.replace(/pageSize=\d+/, 'pageSize=10') },
});
const manyRows = () =>
	parts.fill(...Array.from({ length: 25 }, (_, Count) => ({ Part: `P${Count}`, Count })));

describe('a grid that changes while it is read', () => {
	/** Exports the grid, and removes the row that `goneAt` names before each page. */
	async function whileReading(goneAt: (page: number) => string | undefined) {
		let pages = 0;
		const removing: Rule = async ({ method, path }) => {
			const gone = method === 'GET' && /\/entities\?/.test(path) ? goneAt(++pages) : undefined;
			if (gone !== undefined) await bed.client.entities.remove(parts.grid, gone);
			return undefined;
		};
		bed.proxy.setRules(smallPages, removing);
		const run = await exported({});
		const [, ...lines] = tableOf(textOf(run.items[0]));
		return { ...run, found: lines.map((line) => line[1]) };
	}

	test('if it changes once, is read again, and the file has every row once', async () => {
		const ids = await manyRows();
		const { found, rows, hints } = await whileReading((page) => (page === 2 ? ids[0] : undefined));
		expect(hints).toEqual([]);
		expect(rows[0]).toMatchObject({ rows: 24 });
		expect(found).toEqual((await parts.rows()).map(({ Part }) => Part));
	});

	test('if it keeps changing, a warning is shown, and no row occurs twice', async () => {
		const ids = await manyRows();
		const { found, typedHints } = await whileReading((page) => ids[page]);
		const message = expect.stringContaining('was being changed while it was read 3 times') as unknown;
		expect(typedHints).toMatchObject([{ message, type: 'warning' }]);
		expect(new Set(found).size).toBe(found.length);
	});
});

const LOGIN_PAGE = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' };

test.each(['in memory', 'on disk'])(
	'with binary data %s, an error at the first, a middle or the last page ends the execution with that error',
	async (where) => {
		if (where === 'on disk') keepFilesIn(folder.path);
		await manyRows();
		for (const [page, response, message] of [
			[1, { status: 401 }, 'The service rejected the credentials'],
			[2, { status: 403 }, 'Permission denied'],
			[3, LOGIN_PAGE, 'The service responded with an HTML page'],
		] as const) {
			const refusing: Rule = ({ path }) =>
				path.includes('/entities?') && path.includes(`pageIndex=${page}`)
					? { kind: 'response', ...response }
					: undefined;
			bed.proxy.setRules(refusing, smallPages);
			const { error, items } = await exported({});
			expect(items).toEqual([]);
			expect(error?.message).toContain(message);
		}
	},
);

describe('in a store on disk', () => {
	beforeEach(() => {
		keepFilesIn(folder.path);
	});

	test('the file is stored as a stream', async () => {
		const store = jest.spyOn(BinaryDataService.prototype, 'store');
		await parts.fill(...Array.from({ length: 30 }, (_, Count) => ({ Part: 'x'.repeat(10_000), Count })));
		const { rows, items, error } = await exported();
		expect(error).toBeUndefined();
		expect(items[0]?.binary?.data).toMatchObject({ data: 'filesystem-v2' });
		expect(Buffer.isBuffer(store.mock.calls[0]?.[1])).toBe(false);
		const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
		const [file] = files.filter((one) => one.isFile() && !one.name.endsWith('.metadata'));
		const text = await readFile(join(file?.parentPath ?? '', file?.name ?? ''), 'utf8');
		expect(tableOf(text)).toHaveLength(31);
		expect(rows[0]).toMatchObject({ rows: 30, fileSize: Buffer.byteLength(text) });
	});

	test('the error of the service is reported if the store wraps it in its own', async () => {
		jest.spyOn(BinaryDataService.prototype, 'store').mockImplementation(async (_location, file) => {
			if (!Buffer.isBuffer(file)) await buffer(file).catch(() => undefined);
			throw new Error('The upload was aborted');
		});
		bed.proxy.setRules(({ path }) =>
			path.includes('/entities?') ? { kind: 'response', status: 403 } : undefined,
		);
		const { error } = await exported();
		expect(error?.message).toContain('Permission denied');
	});

	test('the error of a failing store is reported unchanged', async () => {
		jest
			.spyOn(BinaryDataService.prototype, 'store')
			.mockRejectedValue(new Error('ENOSPC: no space left on device'));
		const { error } = await exported();
		expect(error?.message).toContain('no space left on device');
	});
});
