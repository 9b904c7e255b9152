import { z } from 'zod/v4';
import { rewrite } from '../../../testbed/proxy/rewriting';
import { fileItem } from '../../../testbed/world/fileItem';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** §2.1: collections hold the summary form, which may lack values, as it does for spaces (§2.3). */
const bed = new ProxiedWorld();
const pageSchema = z.looseObject({ items: z.array(z.looseObject({ _id: z.string() })) });
const ROWS = [
	{ Name: 'a', Amount: 1.5, Note: null },
	{ Name: 'b', Amount: 2.5, Note: null },
	{ Name: 'c', Amount: 3.5, Note: null },
	{ Name: 'd', Amount: 4.5, Note: null },
	{ Name: 'e', Amount: 5.5, Note: null },
];

let grid: WorldGrid;
beforeEach(async () => {
	grid = await bed.grid({ Name: 'string', Amount: 'decimal', Note: 'string' });
	await grid.fill(...ROWS);
	leaveOut(['Amount', 'Note']);
});

const isRow = (path: string) => /\/entities\/[0-9a-f]+\?/.test(path);

interface Service {
	/** Whether lists can be filtered; otherwise, the service ignores filters. */
	isFiltering?: boolean;
	/** Status of the responses to single rows. */
	rowStatus?: number;
	/** Maximum page size. */
	pageSize?: number;
	/** ID of a view whose own address is refused. */
	refused?: string;
}

/** Makes lists lack columns. */
function leaveOut(
	columns: readonly string[],
	{ isFiltering = false, rowStatus, pageSize = 2, refused }: Service = {},
) {
	const ids = new Set(columns.map((column) => grid.id(column)));
	const unfiltered = (path: string) => (isFiltering ? path : path.replace(/([?&])filter=[^&]*/, '$1'));
	const capped = (asked: string) => String(Math.min(Number(asked), pageSize));
	bed.proxy.setRules(
		rewrite({
			request: (path) => unfiltered(path).replace(/(?<=pageSize=)\d+/, capped),
			response({ path, status, body }) {
				if (isRow(path) && rowStatus !== undefined) return { status: rowStatus, body: '' };
				if (refused !== undefined && path.endsWith(refused)) return { status: 400, body: '' };
				if (!/\/entities(\?|$)/.test(path) || status !== 200) return {};
				const page = pageSchema.parse(JSON.parse(body));
				const items = page.items.map((row) =>
					Object.fromEntries(Object.entries(row).filter(([id]) => !ids.has(id))),
				);
				return { body: JSON.stringify({ ...page, items }) };
			},
		}),
	);
}

const writes = () => bed.proxy.requests.filter(({ method }) => method !== 'GET');
const rowsRead = () =>
	bed.proxy.requests.filter(({ method, path }) => method === 'GET' && isRow(path)).length;
const amounts = ROWS.map(({ Name, Amount }) => ({ Name, Amount }));

it.each([{ returnAll: true }, { returnAll: false, limit: 2 }])(
	'Get Many outputs all values, %p',
	async (how) => {
		const { rows, error } = await grid.run('getMany', how);
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(how.limit ?? ROWS.length);
		for (const { Name, Amount } of rows) expect(amounts).toContainEqual({ Name, Amount });
	},
);

it('Sync and Create or Update write no equal values', async () => {
	const sync = await grid.run('sync', grid.auto(['Name']), amounts);
	expect(sync.error).toBeUndefined();
	const { rows } = await grid.run('upsert', grid.auto(['Name']), amounts);
	expect(rows.map(({ _outcome }) => _outcome)).toEqual(amounts.map(() => 'unchanged'));
	expect(writes()).toEqual([]);
});

it('outputs the values of a column that the second row has', async () => {
	grid = await bed.grid({ Name: 'string', Note: 'string' });
	await grid.fill({ Name: 'a' });
	await grid.fill({ Name: 'b', Note: 'rare' });
	leaveOut(['Note'], { pageSize: 100 });
	const { rows, error } = await grid.run('getMany', { returnAll: true });
	expect(error).toBeUndefined();
	expect(rows.find(({ Name }) => Name === 'b')).toMatchObject({ Note: 'rare' });
});

it('fails if rows cannot be read in full', async () => {
	leaveOut(['Amount'], { rowStatus: 400 });
	const { rows, error } = await grid.run('getMany', { returnAll: true });
	expect(error?.message).toContain('rejected');
	expect(rows).toEqual([]);
});

it('outputs rows as listed if the account may not read them in full', async () => {
	leaveOut(['Amount'], { rowStatus: 403 });
	const { rows, error } = await grid.run('getMany', { returnAll: true });
	expect(error).toBeUndefined();
	expect(rows.map(({ Name }) => Name).sort()).toEqual(ROWS.map(({ Name }) => Name));
});

it('reads 250 rows in pages of at most 100 with five requests if absent columns are empty', async () => {
	grid = await bed.grid({ Name: 'string', Amount: 'decimal', Note: 'string', Other: 'string' });
	await grid.fill(...Array.from({ length: 250 }, (_, index) => ({ Name: `n${index}`, Amount: 1 })));
	leaveOut(['Note', 'Other'], { pageSize: 100 });
	const { rows, error } = await grid.run('getMany', { returnAll: true });
	expect(error).toBeUndefined();
	expect(rows).toHaveLength(250);
	const paths = bed.proxy.requests.map(({ path }) => path).filter((path) => /\/entities[/?]/.test(path));
	expect(paths).toHaveLength(3 + 2);
	expect(rowsRead()).toBe(2);
});

it('reads two rows singly once per grid and run, whatever the number of lists', async () => {
	const names = ROWS.map(({ Name }) => ({ Name, Amount: 7 }));
	const given = { ...grid.auto(['Name']), options: { findRows: 'oneByOne' } };
	leaveOut(['Note'], { isFiltering: true });
	const { rows, error } = await grid.run('upsert', given, names);
	expect(error).toBeUndefined();
	expect(rows.map(({ _outcome }) => _outcome)).toEqual(names.map(() => 'updated'));
	expect(rowsRead()).toBeLessThanOrEqual(2);
});

/** Fills the grid so that only its fourth row has a note. */
async function fillWithRareNote() {
	for (let at = 1; at <= 9; at++) await grid.fill({ Name: `n${at}`, Note: at === 4 ? 'rare' : null });
}

const emptyIn = (column: string) => ({
	conditions: { condition: [{ column: grid.id(column), operator: 'null', value: '' }] },
	options: { limitPercent: 100 },
});

describe('operations that depend on an absent column', () => {
	it('Delete Many keeps a row with a value that few rows have', async () => {
		grid = await bed.grid({ Name: 'string', Note: 'string' });
		await fillWithRareNote();
		leaveOut(['Note'], { pageSize: 100 });
		const { error } = await grid.run('deleteMany', emptyIn('Note'));
		expect(error?.message).toContain('do not meet the conditions');
		expect(await grid.rows()).toHaveLength(9);
	});

	it('Delete Many within a view keeps it, too', async () => {
		grid = await bed.grid({ Name: 'string', Note: 'string' });
		await fillWithRareNote();
		const view = await grid.view(['Name', 'Note']);
		leaveOut(['Note'], { pageSize: 100 });
		const parameters = { ...emptyIn('Note'), view: byId(view) };
		const { error } = await grid.run('deleteMany', parameters);
		expect(error?.message).toContain('do not meet the conditions');
		expect(await grid.rows()).toHaveLength(9);
	});

	it('Update Many clears a value that few rows have', async () => {
		grid = await bed.grid({ Name: 'string', Note: 'string' });
		await fillWithRareNote();
		leaveOut(['Note'], { pageSize: 100 });
		const options = { columnsToClear: [grid.id('Note')] };
		const { rows, error } = await grid.run('updateMany', { ...grid.mapped({}), options });
		expect(error).toBeUndefined();
		expect(rows.filter(({ _outcome }) => _outcome === 'updated')).toMatchObject([{ Name: 'n4' }]);
		expect((await grid.rows()).filter(({ Note }) => Note !== null)).toEqual([]);
	});

	it('Update of a column drops no option that few rows have', async () => {
		grid = await bed.grid({ Name: 'string', Note: { name: 'enum', options: ['rare', 'other'] } });
		await fillWithRareNote();
		leaveOut(['Note'], { pageSize: 100 });
		const parameters = {
			...grid.chosen,
			field: byId(grid.id('Note')),
			options: 'other',
			additionalFields: { replaceOptions: true },
		};
		const call = { node: 'grid', resource: 'field', operation: 'update', parameters } as const;
		const { error } = await bed.run(call);
		expect(error?.message).toContain('are in use in 1 row');
	});

	it.each([
		['Delete Many', async () => await grid.run('deleteMany', emptyIn('Amount'))],
		['Create or Update', async () => await grid.run('upsert', grid.auto(['Amount']), amounts)],
		[
			'Create or Update, one by one',
			async () => await grid.run('upsert', grid.auto(['Amount']), amounts.slice(0, 1)),
		],
		['Sync', async () => await grid.run('sync', grid.auto(['Amount']), amounts)],
		[
			'Sync From File',
			async () =>
				await grid.run('importFile', { keyColumns: ['Amount'] }, [fileItem('Amount,Name\n1.5,a\n')]),
		],
	])('%s writes nothing if the account may not read the rows in full', async (_operation, run) => {
		leaveOut(['Amount'], { rowStatus: 403 });
		const { error } = await run();
		expect(error?.message).toContain('Permission denied');
		expect(writes()).toEqual([]);
		expect(await grid.rows()).toHaveLength(ROWS.length);
	});
});

describe('within a view', () => {
	let view: string;
	beforeEach(async () => {
		view = await grid.view(['Amount', 'Name']);
		await grid.fill({ Name: 'f', Amount: 6.5, Note: 'hidden' });
	});

	it.each([{ returnAll: true }, { returnAll: false, limit: 9, options: { batchCursor: '' } }])(
		'Get Many outputs the values of its columns only, %p',
		async (how) => {
			leaveOut(['Amount', 'Note'], { pageSize: 100 });
			const { rows, error } = await grid.run('getMany', { ...how, view: byId(view) });
			expect(error).toBeUndefined();
			expect(rows).toHaveLength(6);
			for (const row of rows) {
				expect([...amounts, { Name: 'f', Amount: 6.5 }]).toContainEqual({
					Name: row['Name'],
					Amount: row['Amount'],
				});
				expect(row).not.toHaveProperty('Note');
			}
		},
	);

	it('Get Many requests the view as often for many pages as for one', async () => {
		const requestsWith = async (pageSize: number) => {
			leaveOut(['Amount', 'Note'], { pageSize });
			const { error } = await grid.run('getMany', { returnAll: true, view: byId(view) });
			expect(error).toBeUndefined();
			const paths = bed.proxy.requests.map(({ path }) => path);
			return paths.filter((path) => !/\/entities[/?]/.test(path)).length;
		};
		expect(await requestsWith(1)).toBe(await requestsWith(100));
	});

	it('Get Many fails if the view cannot be read', async () => {
		leaveOut(['Amount'], { pageSize: 100, refused: view });
		const { rows, error } = await grid.run('getMany', { returnAll: true, view: byId(view) });
		expect(error?.message).toContain('rejected');
		expect(rows).toEqual([]);
	});
});

describe('Count with a condition on an absent column', () => {
	const amountIs = (operator: string, value: string) => ({
		conditions: { condition: [{ column: grid.id('Amount'), operator, value }] },
	});

	it('counts the rows that the service finds', async () => {
		leaveOut(['Amount'], { isFiltering: true });
		const { rows, error } = await grid.run('count', amountIs('$eq', '1.5'));
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ count: 1 }]);
	});

	it('fails if the service ignores the condition', async () => {
		leaveOut(['Amount'], { pageSize: 100 });
		const { error } = await grid.run('count', amountIs('null', ''));
		expect(error?.message).toContain('do not meet the conditions');
	});
});

describe('a column that lists leave out, and whose value the sampled rows lack', () => {
	const input = ['a', 'b', 'c', 'd', 'e'].map((Name) => ({ Name, Note: 'new' }));
	const columnRules = { rule: [{ column: 'Note', write: 'ifEmpty' }] };
	const notes = async () => (await grid.rows()).map(({ Note }) => Note);

	beforeEach(async () => {
		bed.proxy.setRules();
		const { items } = await bed.client.entities.many(grid.grid);
		const last = items.find((row) => row[grid.id('Name')] === 'e')?._id ?? '';
		await bed.client.entities.update(grid.grid, last, { [grid.id('Note')]: 'kept' });
		leaveOut(['Note'], { isFiltering: true, pageSize: 300 });
	});

	it.each(['sync', 'upsert', 'update', 'importFile'])(
		'Only If Empty of %s keeps it, and its plan has the old values',
		async (operation) => {
			const byKey = {
				rowBy: 'keyColumns',
				matchBy: { key: [{ column: 'Name', value: '={{ $json.Name }}' }] },
			};
			const isFile = operation === 'importFile';
			const csv = `Name,Note\n${input.map(({ Name, Note }) => `${Name},${Note}`).join('\n')}\n`;
			const items = isFile ? [fileItem(csv)] : input;
			const chosen = { sync: {}, upsert: {}, update: byKey, importFile: { keyColumns: ['Name'] } }[operation];
			const parameters = { ...grid.auto(['Name']), ...chosen };
			const plan = await grid.run(operation, { ...parameters, dryRun: true }, items);
			expect(plan.error).toBeUndefined();
			const changes = isFile
				? Buffer.from(plan.items[0]?.binary?.['changes']?.data ?? '', 'base64').toString()
				: JSON.stringify(plan.rows);
			expect(changes.replaceAll('""', '"')).toContain('"old":"kept","new":"new"');
			const { error } = await grid.run(operation, { ...parameters, options: { columnRules } }, items);
			expect(error).toBeUndefined();
			bed.proxy.setRules();
			expect((await notes()).sort()).toEqual(['kept', 'new', 'new', 'new', 'new']);
		},
	);
});
