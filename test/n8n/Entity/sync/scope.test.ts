import '../../../fixtures/skippedWaits';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { refuseFirst, type Rule } from '../../../../testbed/proxy/faultProxy';
import { ProxiedWorld } from '../../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

/** Sync with a part of a grid, and what it does with rows that are not in the input. */
const bed = new ProxiedWorld();
let stock: WorldGrid;

beforeEach(async () => {
	stock = await bed.grid({ Item: 'string', Source: 'string', Count: 'integer', Active: 'boolean' });
});

/** The rows of a source, as the option chooses them. */
const only = (source: string) => ({
	onlyRowsWhere: { condition: [{ column: 'Source', operator: '$eq', value: source }] },
});
const sync = (
	input: IDataObject[],
	options: INodeParameters,
	more: INodeParameters = {},
	extra: object = {},
) => stock.run('sync', { ...stock.auto(['Item']), options, ...more }, input, extra);
const state = async () =>
	(await stock.rows()).map(({ Item, Source, Count, Active }) => [Item, Source, Count, Active]);

/** Somebody else adds a row after Sync has read the grid and before it creates its own. */
function addAtSecondReading(row: IDataObject): Rule {
	let readings = 0;
	return async ({ method, path }) => {
		if (method === 'GET' && path.includes('/entities') && ++readings === 2) await stock.fill(row);
		return undefined;
	};
}

/** Somebody else adds a row in the moment in which Sync creates its own. */
function addAtCreation(row: IDataObject): Rule {
	let isAdded = false;
	return async ({ method }) => {
		if (method === 'POST' && !isAdded) {
			isAdded = true;
			await stock.fill(row);
		}
		return undefined;
	};
}

describe('Only Rows Where', () => {
	test('leaves rows outside of the conditions alone, and takes percentages of those inside', async () => {
		await stock.fill(
			{ Item: 'A', Source: 'shop', Count: 1 },
			{ Item: 'B', Source: 'shop', Count: 2 },
			{ Item: 'X', Source: 'till', Count: 3 },
			{ Item: 'Y', Source: 'till', Count: 4 },
		);
		const input = [{ Item: 'A', Source: 'shop', Count: 9 }];
		const refused = await sync(input, { ...only('shop'), deletionLimit: 49 }, { rowsNotInInput: 'delete' });
		expect(refused.error?.message).toMatch(/^1 of the 2 rows of ".+" would be deleted/);
		const { error, rows } = await sync(
			input,
			{ ...only('shop'), deletionLimit: 50 },
			{ rowsNotInInput: 'delete' },
		);
		expect(error).toBeUndefined();
		expect(rows.map(({ Item, _outcome }) => [Item, _outcome])).toEqual([
			['B', 'deleted'],
			['A', 'updated'],
		]);
		expect(await state()).toEqual([
			['A', 'shop', 9, null],
			['X', 'till', 3, null],
			['Y', 'till', 4, null],
		]);
	});

	test.each([{ dryRun: false }, { dryRun: true }])(
		'refuses a key that exists outside before the first write: %o',
		async ({ dryRun }) => {
			const [, till] = await stock.fill(
				{ Item: 'A', Source: 'shop', Count: 1 },
				{ Item: 'X', Source: 'till' },
			);
			const before = await state();
			const { error } = await sync(
				[
					{ Item: 'A', Source: 'shop', Count: 9 },
					{ Item: 'X', Source: 'shop' },
				],
				only('shop'),
				{ dryRun },
			);
			expect(error?.message).toContain(`already has the key of an item: Item "X" (row ${till})`);
			expect(await state()).toEqual(before);
		},
	);

	test.each([
		['an update', { Item: 'A', Source: 'till' }],
		['a creation', { Item: 'New', Count: 1 }],
	])('refuses %s that takes a row out of the conditions', async (_what, item) => {
		await stock.fill({ Item: 'A', Source: 'shop' });
		const { error } = await sync([{ Item: 'B', Source: 'shop' }, item], only('shop'));
		expect(error?.message).toContain('would not meet the conditions of "Only Rows Where"');
		expect(error?.message).toContain('(item 1); nothing was written');
		expect(await state()).toEqual([['A', 'shop', null, null]]);
	});

	test('leaves a row alone that another source adds meanwhile with the key of an item', async () => {
		await stock.fill({ Item: 'A', Source: 'shop' });
		const added = { Item: 'B', Source: 'till', Count: 1 };
		bed.proxy.setRules(addAtSecondReading(added));
		const { error } = await sync([{ Item: 'B', Source: 'shop', Count: 9 }], only('shop'));
		expect(error?.message).toContain('"Only Rows Where" leaves out');
		expect(await state()).toContainEqual(['B', 'till', 1, null]);
		expect(await state()).toHaveLength(2);
	});

	test('settles no duplicates with a row of another source', async () => {
		await stock.fill({ Item: 'A', Source: 'shop' });
		bed.proxy.setRules(addAtCreation({ Item: 'B', Source: 'till', Count: 1 }));
		const { rows, error } = await sync([{ Item: 'B', Source: 'shop', Count: 9 }], only('shop'));
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ Item: 'B', _outcome: 'duplicate' }]);
		expect((await state()).slice(1)).toEqual([
			['B', 'till', 1, null],
			['B', 'shop', 9, null],
		]);
	});

	test('costs no request', async () => {
		await stock.fill({ Item: 'A', Source: 'shop', Count: 1 });
		const requests = async (options: INodeParameters) => {
			bed.proxy.setRules();
			await sync([{ Item: 'A', Source: 'shop', Count: 1 }], options);
			return bed.proxy.requests.length;
		};
		expect(await requests(only('shop'))).toBe(await requests({}));
	});
});

test('two sources feed one grid over nights with faults, and neither touches the rows of the other', async () => {
	const byItem = ([one]: unknown[], [other]: unknown[]) => (String(one) < String(other) ? -1 : 1);
	const ofSource = async (source: string) => (await state()).filter(([, of]) => of === source).sort(byItem);
	/** The rows of a source on a night: some go, some come, some change. */
	const rowsOf = (Source: string, night: number) =>
		Array.from({ length: 6 }, (_, at) => at)
			.filter((at) => (at + night) % 6 !== 0)
			.map((at) => ({ Item: `${Source}-${at}`, Source, Count: (at * night) % 4 }));
	let failures = 0;
	for (const [night, source, other] of [
		[1, 'shop', 'till'],
		[1, 'till', 'shop'],
		[2, 'shop', 'till'],
		[2, 'till', 'shop'],
		[3, 'shop', 'till'],
	] as const) {
		const before = await ofSource(other);
		let writes = 0;
		// One write is refused, and one gets no answer after it was carried out.
		const fault: Rule = ({ method }) => {
			if (method === 'GET') return undefined;
			writes++;
			if (writes === 2) return { kind: 'response', status: 400 };
			return writes === 4 ? { kind: 'resetAfter' } : undefined;
		};
		bed.proxy.setRules(fault);
		const input = rowsOf(source, night);
		const options = { ...only(source), deletionLimit: 60 };
		const extra = { onError: 'continueRegularOutput' };
		const run = await sync(input, options, { rowsNotInInput: 'delete' }, extra);
		failures += run.rows.filter((row) => 'error' in row || row['_outcome'] === 'failed').length;
		// The same night once more: the run after a fault completes it.
		const repeated = await sync(input, options, { rowsNotInInput: 'delete' });
		expect(repeated.error).toBeUndefined();
		expect(await ofSource(other)).toEqual(before);
		expect(await ofSource(source)).toEqual(
			input.map(({ Item, Source, Count }) => [Item, Source, Count, null]),
		);
	}
	expect(failures).toBeGreaterThan(0);
});

describe('Rows Not in the Input: Set Columns', () => {
	const inactive = {
		rowsNotInInput: 'setColumns',
		columnsToSet: { set: [{ column: 'Active', value: 'no' }] },
	};

	test.each([
		['Item', {}, 'it is a key column'],
		['Active', { columnRules: { rule: [{ column: 'Active', write: 'never' }] } }, 'would keep the mark'],
		['Active', { columnRules: { rule: [{ column: 'Active', write: 'ifEmpty' }] } }, 'would keep the mark'],
	])('refuses the column %s with %j before the first write', async (column, options, reason) => {
		await stock.fill({ Item: 'A', Active: true }, { Item: 'B', Active: true });
		const before = await state();
		const columnsToSet = { set: [{ column, value: 'no' }] };
		const { error } = await sync([{ Item: 'A', Count: 5 }], options, { ...inactive, columnsToSet });
		expect(error?.message).toMatch(new RegExp(`cannot contain the column "${column}": .*${reason}`));
		const twice = { set: [...inactive.columnsToSet.set, { column: 'Active', value: 'yes' }] };
		const again = await sync([{ Item: 'A', Count: 5 }], {}, { ...inactive, columnsToSet: twice });
		expect(again.error?.message).toBe('"Columns to Set" contains the column "Active" twice');
		expect(await state()).toEqual(before);
	});

	test('refuses a column that the service computes', async () => {
		const grid = await bed.grid({ Item: 'string', Made: 'createdat' });
		await grid.fill({ Item: 'A' }, { Item: 'B' });
		const columnsToSet = { set: [{ column: 'Made', value: '2026-01-01T00:00:00Z' }] };
		const parameters = { ...grid.auto(['Item']), rowsNotInInput: 'setColumns', columnsToSet };
		const { error } = await grid.run('sync', parameters, [{ Item: 'A' }, { Item: 'New' }]);
		expect(error?.message).toContain('the service computes its values');
		expect(await grid.rows()).toHaveLength(2);
	});

	test('marks them once, and clears the mark when they return', async () => {
		await stock.fill({ Item: 'A', Active: true }, { Item: 'B', Active: true });
		const first = await sync([{ Item: 'A' }], { deletionLimit: 50 }, inactive);
		expect(first.rows).toMatchObject([
			{
				Item: 'B',
				Active: false,
				_outcome: 'updated',
				_changes: [{ field: 'Active', old: true, new: false }],
			},
		]);
		expect((await sync([{ Item: 'A' }], {}, inactive)).rows).toEqual([]);
		const back = await sync([{ Item: 'A' }, { Item: 'B' }], {}, inactive);
		expect(back.rows).toMatchObject([{ Item: 'B', Active: null, _outcome: 'updated' }]);
		expect(await state()).toEqual([
			['A', null, null, true],
			['B', null, null, null],
		]);
	});

	test('writes the value of the input when they return, and keeps what somebody else wrote', async () => {
		await stock.fill({ Item: 'A', Active: false, Count: 1 }, { Item: 'B', Active: true, Count: 7 });
		const set = [
			{ column: 'Active', value: 'no' },
			{ column: 'Count', value: '0' },
		];
		const more = { ...inactive, columnsToSet: { set } };
		await sync(
			[
				{ Item: 'A', Active: true },
				{ Item: 'B', Active: true },
			],
			{},
			more,
		);
		expect(await state()).toEqual([
			['A', null, 1, true],
			['B', null, 7, true],
		]);
	});

	test('a dry run shows the same, and the limit protects', async () => {
		await stock.fill({ Item: 'A' }, { Item: 'B' });
		const { rows, hints } = await sync([{ Item: 'A' }], {}, { ...inactive, dryRun: true });
		expect(rows).toMatchObject([{ Item: 'B', Active: false, _outcome: 'update' }]);
		expect(hints.join()).toContain('1 of the 2 rows');
		const { error } = await sync([{ Item: 'A' }], {}, inactive);
		expect(error?.message).toMatch(/would be marked by "Columns to Set", which is more than 20 %/);
	});

	test('finds an unknown option before the first write, and adds it if wanted', async () => {
		const grid = await bed.grid({ Item: 'string', State: { name: 'enum', options: ['open'] } });
		await grid.fill({ Item: 'A', State: 'open' }, { Item: 'B', State: 'open' });
		const more = {
			...grid.auto(['Item']),
			...{ rowsNotInInput: 'setColumns', columnsToSet: { set: [{ column: 'State', value: 'gone' }] } },
		};
		const run = (how: string) =>
			grid.run('sync', { ...more, options: { deletionLimit: 50, unknownOptions: how } }, [
				{ Item: 'A' },
				{ Item: 'C' },
			]);
		const { error } = await run('refuse');
		expect(error?.message).toBe('The column "State" has no option "gone"');
		expect(await grid.rows()).toHaveLength(2);
		const added = await run('addToColumn');
		expect(added.error).toBeUndefined();
		expect(added.rows).toMatchObject([{ Item: 'B', State: 'gone', _outcome: 'updated' }, { Item: 'C' }]);
		const left = await run('leaveEmpty');
		expect(left.rows).toEqual([]);
		more.columnsToSet.set = [{ column: 'State', value: 'lost' }];
		const emptied = await run('leaveEmpty');
		expect(emptied.rows).toMatchObject([{ Item: 'B', State: null, _outcome: 'updated' }]);
		expect(emptied.hints.join()).toContain('Left empty, because "State" has no such option: "lost"');
	});

	test('needs a column', async () => {
		const { error } = await sync([{ Item: 'A' }], {}, { ...inactive, columnsToSet: {} });
		expect(error?.message).toContain('"Columns to Set" is empty');
	});

	test('a mark that cannot be written is reported with its row, and others are written', async () => {
		const [, id] = await stock.fill({ Item: 'A' }, { Item: 'B' });
		bed.proxy.setRules(refuseFirst('PUT'));
		const run = await sync([{ Item: 'A' }, { Item: 'C' }], { deletionLimit: 50 }, inactive, {
			onError: 'continueRegularOutput',
		});
		const error: unknown = expect.stringContaining(`Row ${id} was not updated`);
		expect(run.rows).toMatchObject([
			{ Item: 'B', error },
			{ Item: 'C', _outcome: 'created' },
		]);
		expect(run.hints.join()).toContain('1 failed');
	});

	test('a deletion or mark whose outcome is unknown is not reported as not carried out', async () => {
		const [, id] = await stock.fill({ Item: 'A' }, { Item: 'B', Active: true });
		for (const [verb, more] of [
			['delete', { rowsNotInInput: 'delete' }],
			['update', inactive],
		] as const) {
			bed.proxy.setRules(({ method }) =>
				method === 'GET' ? undefined : { kind: 'response', status: 202, headers: {} },
			);
			const run = await sync([{ Item: 'A' }], { deletionLimit: 50 }, more, {
				onError: 'continueRegularOutput',
			});
			const message = new RegExp(`^Outcome "unknown": .* \\(to ${verb} row ${id}\\)$`);
			expect(run.rows).toMatchObject([{ _id: id, _outcome: 'unknown' }]);
			expect(run.rows[0]?.['error']).toMatch(message);
		}
	});
});

test('the report is followed by the changes that failed', async () => {
	const [, id] = await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B' });
	const failing = { onError: 'continueRegularOutput' };
	const more = { output: 'report', rowsNotInInput: 'delete' };
	const refuse = () => {
		bed.proxy.setRules(refuseFirst('PUT'), refuseFirst('DELETE'));
	};
	refuse();
	const input = [
		{ Item: 'A', Count: 2 },
		{ Item: 'C', Count: 3 },
	];
	const { rows, items } = await sync(input, { deletionLimit: 50 }, more, failing);
	expect(rows).toMatchObject([
		{ created: 1, updated: 0, deleted: 0, failed: 2 },
		{ _id: id, error: expect.stringContaining(`Row ${id} was not deleted`) as unknown },
		{ error: expect.any(String) as unknown },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 0 }]);
	refuse();
	const { outputs } = await sync(
		[{ Item: 'B' }, ...input],
		{},
		{ output: 'report' },
		{
			onError: 'continueErrorOutput',
		},
	);
	expect(outputs[0]?.map(({ json }) => json)).toMatchObject([{ failed: 1, unchanged: 2 }]);
	expect(outputs[1]).toMatchObject([
		{ json: { error: expect.any(String) as unknown }, pairedItem: { item: 1 } },
	]);
});

describe('limits and Rows to Write', () => {
	const input = [
		{ Item: 'A', Count: 2 },
		{ Item: 'B', Count: 2 },
	];
	beforeEach(async () => {
		await stock.fill({ Item: 'A', Count: 1 });
	});

	test.each([
		['creationLimit', '1 row of ".+" would be created, which is more than 0', '"Creation Limit"'],
		['updateLimit', '1 row of ".+" would be updated, which is more than 0', '"Update Limit"'],
	])('%s stops the run before the first write', async (limit, message, advice) => {
		const { error } = await sync(input, { [limit]: 0 });
		expect(error?.message).toMatch(new RegExp(message));
		expect(error?.description).toContain(advice);
		expect(await state()).toEqual([['A', null, 1, null]]);
		const dry = await sync(input, { [limit]: 0 }, { dryRun: true });
		expect(dry.rows).toHaveLength(2);
		expect(dry.hints.join()).toContain('Without "Dry Run", this run would fail');
	});

	test('a refused deletion names Only Rows Where first if the grid has rows of the input', async () => {
		await stock.fill({ Item: 'X' }, { Item: 'Y' });
		const shared = await sync(input, {}, { rowsNotInInput: 'delete' });
		expect(shared.error?.description).toMatch(
			/^If another source feeds these rows, add "Only Rows Where"\. Check/,
		);
		const other = await sync([{ Item: 'Z' }], {}, { rowsNotInInput: 'delete' });
		expect(other.error?.description).toMatch(/^Check that the input is complete/);
		expect(await state()).toHaveLength(3);
	});

	test('Only New updates no row that somebody else adds meanwhile', async () => {
		bed.proxy.setRules(addAtSecondReading({ Item: 'B', Count: 1 }));
		const { error, rows } = await sync(input.slice(1), { rowsToWrite: 'onlyNew' });
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ Item: 'B', Count: 1, _outcome: 'unchanged' }]);
		expect(await state()).toContainEqual(['B', null, 1, null]);
	});

	test('Only New writes nothing to the row of somebody else that stays', async () => {
		bed.proxy.setRules(addAtCreation({ Item: 'B', Count: 1 }));
		const { rows } = await sync(input.slice(1), { rowsToWrite: 'onlyNew' });
		expect(rows).toMatchObject([{ _outcome: 'settled' }]);
		expect((await state()).slice(1)).toEqual([['B', null, 1, null]]);
	});

	test.each([
		['onlyChanged', ['updated'], [['A', null, 2, null]]],
		[
			'onlyNew',
			['created'],
			[
				['A', null, 1, null],
				['B', null, 2, null],
			],
		],
	])('%s', async (rowsToWrite, outcomes, expected) => {
		const { rows, hints } = await sync(input, { rowsToWrite });
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(outcomes);
		expect(hints).toContain('Left out by "Rows to Write": 1 of 2 items');
		expect(await state()).toEqual(expected);
	});
});

test('a run that fails half-way shows in its error what it did', async () => {
	await stock.fill({ Item: 'A', Count: 1 }, { Item: 'B', Count: 1 });
	bed.proxy.setRules(refuseFirst('PUT'));
	const run = await sync(
		[
			{ Item: 'A', Count: 2 },
			{ Item: 'B', Count: 2 },
		],
		{},
	);
	expect(run.error).toMatchObject({
		context: { data: { changes: [{ Count: 2, _outcome: 'updated', _changes: [{ old: 1, new: 2 }] }] } },
	});
});
