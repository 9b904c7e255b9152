import { type PassingResponse, refuseFirst, type Rule } from '../../../testbed/proxy/faultProxy';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeEach(async () => {
	grid = await bed.grid({ Name: 'string', Count: 'integer', State: 'string' });
	await grid.fill(
		{ Name: 'a', Count: 1, State: 'new' },
		{ Name: 'b', Count: 2, State: 'new' },
		{ Name: 'c', Count: 3, State: 'done' },
		{ Name: 'd', Count: 4, State: 'done' },
		{ Name: 'e', Count: 5, State: 'old' },
	);
});

const where = (...conditions: Array<[column: string, operator: string, value?: string | number]>) => ({
	conditions: {
		condition: conditions.map(([column, operator, value]) => ({
			column: grid.id(column),
			operator,
			...(value === undefined ? {} : { value }),
		})),
	},
});
const names = async (state: string) =>
	(await grid.rows())
		.filter(({ State }) => State === state)
		.map(({ Name }) => Name)
		.sort();
const writes = () => bed.proxy.requests.filter(({ method }) => method !== 'GET');

/** Makes the service ignore a query parameter. */
const withoutQuery = (name: string) => {
	bed.proxy.setRules(({ path }) => ({
		kind: 'change',
		request: { path: path.replace(new RegExp(`([?&])${name}=[^&]*`), '$1') },
	}));
};
/** Changes the responses. */
const change = (response: (of: PassingResponse) => Partial<Pick<PassingResponse, 'status' | 'body'>>) => {
	bed.proxy.setRules(() => ({ kind: 'change', response }));
};
/** Makes the service ignore filters. */
const ignoreFilters = () => {
	withoutQuery('filter');
};

/** Creates a view with a condition on Count. */
const viewOf = async (operator: string, value: number, columns = ['Name']) => ({
	view: byId(await grid.view(columns, { Count: { [operator]: value } })),
});

describe('Update Many', () => {
	const toDone = () => grid.mapped({ State: 'done' });

	test('updates the rows that meet the conditions and reports each change', async () => {
		const { rows, error, hints, items } = await grid.run('updateMany', {
			...where(['State', '$eq', 'new']),
			...toDone(),
		});
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([
			{ Name: 'a', _outcome: 'updated', _changes: [{ field: 'State', old: 'new', new: 'done' }] },
			{ Name: 'b', _outcome: 'updated' },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
		expect(hints).toEqual(['2 rows met the conditions: 2 updated']);
		expect(await names('done')).toEqual(['a', 'b', 'c', 'd']);
	});

	test('reads the rows of a later item again if the reading of an earlier one failed', async () => {
		let readings = 0;
		bed.proxy.setRules(({ path }) =>
			path.includes('/entities?') && ++readings === 1 ? { kind: 'response', status: 500 } : undefined,
		);
		const { rows } = await grid.run(
			'updateMany',
			{ ...where(['State', '$eq', 'new']), ...toDone() },
			[{}, {}],
			{
				credentials: { dataGridApi: { ...bed.owner, baseUrl: bed.proxy.url, waitForService: 0 } },
				onError: 'continueRegularOutput',
			},
		);
		expect(rows).toMatchObject([
			{ error: expect.stringContaining('500') as unknown },
			{ Name: 'a', _outcome: 'updated' },
			{ Name: 'b', _outcome: 'updated' },
		]);
	});

	test('does not write rows that already have the values', async () => {
		const { rows } = await grid.run('updateMany', {
			...where(['Count', '$gte', 3], ['Count', '$lte', 4]),
			...toDone(),
		});
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['unchanged', 'unchanged']);
		expect(writes()).toEqual([]);
	});

	test('checks the rows again for any of several conditions, one of them negated', async () => {
		const any = {
			...where(['State', '$eq', 'new'], ['State', 'notContains', 'o']),
			options: { combine: 'any' },
		};
		const { error } = await grid.run('updateMany', { ...any, ...grid.mapped({ Count: 9 }) });
		expect(error).toBeUndefined();
		expect((await grid.rows()).filter(({ Count }) => Count === 9).map(({ Name }) => Name)).toEqual([
			'a',
			'b',
		]);
		ignoreFilters();
		const ignored = await grid.run('updateMany', { ...any, ...grid.mapped({ Count: 7 }) });
		expect(ignored.error).toBeDefined();
		expect(writes()).toEqual([]);
	});

	test('counts no row in other case towards Refuse Above', async () => {
		await grid.fill(...['f', 'g', 'h'].map((Name) => ({ Name, State: 'OPEN' })));
		await grid.fill(...['i', 'j'].map((Name) => ({ Name, State: 'open' })));
		const anyCase = JSON.stringify({ [grid.id('State')]: { $in: ['OPEN', 'open'] } });
		bed.proxy.setRules(({ path }) => ({
			kind: 'change',
			request: { path: path.replace(/filter=[^&]*/, `filter=${encodeURIComponent(anyCase)}`) },
		}));
		const given = { ...where(['State', '$eq', 'open']), ...grid.mapped({ Count: 9 }) };
		const { hints } = await grid.run('updateMany', { ...given, refuseAbove: 2 });
		expect(hints).toEqual(['2 rows met the conditions: 2 updated']);
		const refused = await grid.run('updateMany', { ...given, ...grid.mapped({ Count: 8 }), refuseAbove: 1 });
		expect(refused.error?.message).toContain('rows meet the conditions, more than "Refuse Above" allows (1)');
		expect((await grid.rows()).filter(({ Count }) => Count === 9)).toHaveLength(2);
	});

	test('writes nothing if all items together select more rows than Refuse Above', async () => {
		const given = {
			...where(['State', '$eq', '={{ $json.state }}']),
			...grid.mapped({ Count: 9 }),
			refuseAbove: 3,
		};
		const input = [{ state: 'new' }, { state: 'done' }];
		const { error } = await grid.run('updateMany', given, input);
		expect(error?.message).toContain(
			'At least 4 rows meet the conditions, more than "Refuse Above" allows (3); nothing was written',
		);
		expect(writes()).toEqual([]);
	});

	test('writes nothing if the rows of one of several grids may not be changed', async () => {
		const other = await bed.grid({ Name: 'string', Count: 'integer', State: 'string' });
		await other.fill({ Name: 'x', Count: 1, State: 'new' });
		change(({ method, path, body }) =>
			method === 'GET' && path.includes(`${other.grid.id}/entities`)
				? { body: body.replaceAll('"update":', '"other":') }
				: {},
		);
		const given = {
			grid: byId('={{ $json.grid }}'),
			conditions: { condition: [{ column: 'State', operator: '$eq', value: 'new' }] },
			columns: { mappingMode: 'defineBelow', value: { Count: 9 }, matchingColumns: [], schema: [] },
		};
		const input = [{ grid: grid.grid.id }, { grid: other.grid.id }];
		const { error } = await grid.run('updateMany', given, input);
		expect(error?.message).toContain('No permission to change rows');
		expect(writes()).toEqual([]);
	});

	test('says how many rows meet the conditions; a dry run shows them all the same', async () => {
		const given = { ...where(['Count', '$gt', 1]), ...toDone(), refuseAbove: 2 };
		const refused = await grid.run('updateMany', given);
		expect(refused.error?.message).toBe(
			'4 rows meet the conditions, more than "Refuse Above" allows (2); nothing was written',
		);
		const { rows, hints } = await grid.run('updateMany', { ...given, dryRun: true });
		expect(rows).toHaveLength(4);
		expect(hints.join()).toContain('Without "Dry Run", this run would fail: 4 rows meet the conditions');
		expect(writes()).toEqual([]);
	});

	test('writes nothing above Limit (%)', async () => {
		const given = { ...where(['State', '$eq', 'new']), ...toDone(), options: { limitPercent: 39 } };
		const { error } = await grid.run('updateMany', given);
		expect(error?.message).toContain('2 of the 5 rows');
		const planned = await grid.run('updateMany', { ...given, dryRun: true });
		expect(planned.rows.map(({ _outcome }) => _outcome)).toEqual(['update', 'update']);
		expect(planned.hints).toContain(
			`Without "Dry Run", this run would fail: 2 of the 5 rows of "${grid.grid.name}" would be updated, which is more than 39 %. Narrow the conditions, or raise "Limit (%)" under Options → Limits.`,
		);
		expect(writes()).toEqual([]);
		const allowed = await grid.run('updateMany', { ...given, options: { limitPercent: 40 } });
		expect(allowed.rows).toHaveLength(2);
	});

	test('items that select the same row write in order; rows are selected before the first write', async () => {
		const given = {
			...where(['Name', '$eq', 'a']),
			columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
		};
		const { rows } = await grid.run('updateMany', given, [{ Count: 7 }, { Count: 1 }, { Count: 8 }]);
		expect(rows.map(({ Count }) => Count)).toEqual([7, 1, 8]);
		expect(rows.map(({ _outcome }) => _outcome)).toEqual(['updated', 'updated', 'updated']);
		expect((await grid.rows())[0]).toMatchObject({ Name: 'a', Count: 8 });
	});

	test('within a view, with a condition on a hidden column, reports the old values', async () => {
		const given = { ...where(['State', '$eq', 'new']), ...(await viewOf('$gt', 1)), ...toDone() };
		const { rows, error } = await grid.run('updateMany', given);
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([
			{ Name: 'b', _outcome: 'updated', _changes: [{ field: 'State', old: 'new', new: 'done' }] },
		]);
		expect(await names('new')).toEqual(['a']);
	});

	test('an invalid item prevents all writes', async () => {
		const given = { ...where(['Name', '$eq', 'a']), ...grid.auto() };
		const { error } = await grid.run('updateMany', given, [{ Count: 7 }, { Count: 'many' }]);
		expect(error?.message).toContain('Count');
		expect(writes()).toEqual([]);
	});

	test('with continue on fail, the other items are carried out', async () => {
		const given = { ...where(['Name', '$eq', 'a']), ...grid.auto() };
		const { rows } = await grid.run('updateMany', given, [{ Count: 'many' }, { Count: 7 }], {
			onError: 'continueRegularOutput',
		});
		expect(rows).toMatchObject([{ error: expect.stringContaining('Count') as unknown }, { Count: 7 }]);
	});

	test('counts rows that several items select once', async () => {
		const given = { ...where(['State', '$eq', 'new']), ...toDone(), dryRun: true };
		const { rows, hints } = await grid.run('updateMany', given, [{}, {}]);
		expect(rows).toHaveLength(4);
		expect(hints).toEqual([
			'Dry run: 2 rows met the conditions of 2 items: would update 2, leave 2 unchanged',
		]);
	});

	test('clears columns without other values; the error of an item without either names both options', async () => {
		const given = { ...where(['Name', '$eq', 'a']), ...grid.mapped({}) };
		const cleared = { ...given, options: { columnsToClear: [grid.id('State')] } };
		const { rows } = await grid.run('updateMany', cleared);
		expect(rows).toMatchObject([{ Name: 'a', Count: 1, State: null, _outcome: 'updated' }]);
		const { error } = await grid.run('updateMany', given);
		expect(error?.message).toContain('has no value for any column');
		expect(error?.description).toContain('Columns to Clear');
		expect(error?.description).not.toContain('Allow Empty Row');
	});

	test('outputs only a hint if no row meets the conditions', async () => {
		const { rows, hints } = await grid.run('updateMany', { ...where(['Name', '$eq', 'zz']), ...toDone() });
		expect(rows).toEqual([]);
		expect(hints).toEqual(['0 rows met the conditions']);
	});
});

describe('Delete Many', () => {
	const wide = { options: { limitPercent: 100 } };

	test('refuses to delete more than 20 % of the grid unless allowed', async () => {
		const refused = await grid.run('deleteMany', where(['State', '$eq', 'new']));
		expect(refused.error?.message).toContain('2 of the 5 rows');
		expect(writes()).toEqual([]);
		const allowed = await grid.run('deleteMany', { ...where(['State', '$eq', 'new']), ...wide });
		expect(allowed.rows).toHaveLength(2);
		expect(await grid.rows()).toHaveLength(3);
	});

	test('the refusal says whether all rows or the only row would be deleted', async () => {
		const all = await grid.run('deleteMany', where(['Count', '$gte', 1]));
		expect(all.error?.message).toMatch(/^All 5 rows of ".+" would be deleted/);
		await grid.run('deleteMany', {
			...where(['Count', '$gte', 2]),
			options: { limitPercent: 100 },
		});
		const one = await grid.run('deleteMany', where(['Count', '$gte', 1]));
		expect(one.error?.message).toMatch(/^The only row of ".+" would be deleted/);
	});

	test('refuses to run without conditions unless All Rows is on', async () => {
		const refused = await grid.run('deleteMany', wide);
		expect(refused.error?.message).toContain('There are no conditions');
		expect(writes()).toEqual([]);
		await grid.run('deleteMany', { options: { limitPercent: 100, allRows: true } });
		expect(await grid.rows()).toEqual([]);
	});

	test.each(['{}', '{ "$and": [] }', '{ "$and": [{}] }', '{ "Name": {} }', '{ "$not": { "$or": [] } }'])(
		'refuses conditions in JSON that are empty: %s',
		async (filter) => {
			const { options } = wide;
			const { error } = await grid.run('deleteMany', { options: { ...options, filter } });
			expect(error?.message).toContain('There are no conditions');
			expect(writes()).toEqual([]);
		},
	);

	test.each(['$eq: $json.gone', '$in: [$json.gone]'])(
		'refuses a condition in JSON whose expression returns nothing: %s',
		async (condition) => {
			await grid.fill({ Count: 6 });
			const filter = `={{ ({ Name: { ${condition} } }) }}`;
			const { error } = await grid.run('deleteMany', { options: { limitPercent: 100, filter } }, [{}]);
			expect(error?.message).toContain('The condition on "Name" compares with');
			expect(writes()).toEqual([]);
		},
	);

	test('deletes rows that several items select once', async () => {
		const given = { ...where(['State', '$eq', 'new']), ...wide };
		const { rows, error } = await grid.run('deleteMany', given, [{}, {}]);
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(2);
	});

	test('does not delete the row of another number if the condition in JSON is above 2^53', async () => {
		const large = await bed.grid({ Name: 'string', Size: 'decimal' });
		await large.fill({ Name: 'near', Size: 9_007_199_254_740_992 });
		const filter = '{ "Size": { "$eq": 9007199254740993 } }';
		await large.run('deleteMany', { options: { filter, limitPercent: 100 } });
		expect(await large.rows()).toMatchObject([{ Name: 'near' }]);
	});

	test('deletes nothing if the service ignores filters or views', async () => {
		ignoreFilters();
		const all = { options: { limitPercent: 100, allRows: true } };
		const byFilter = await grid.run('deleteMany', { ...where(['State', '$eq', 'old']), ...all });
		expect(byFilter.error?.message).toContain('that do not meet the conditions');
		const view = await grid.view(['Name'], { State: { $eq: 'old' } });
		withoutQuery('viewId');
		const inView = { view: byId(view), ...all };
		const byView = await grid.run('deleteMany', inView);
		expect(byView.error?.message).toContain('that do not meet the conditions');
		expect(writes()).toEqual([]);
		expect(await grid.rows()).toHaveLength(5);
	});

	test('reports a failed row among the deleted ones', async () => {
		let failed = false;
		change(({ method }) => {
			if (method !== 'DELETE' || failed) return {};
			failed = true;
			return { status: 403, body: '{"message":"locked"}' };
		});
		const given = { ...where(['State', '$eq', 'new']), ...wide };
		const { rows } = await grid.run('deleteMany', given, [{}], {
			onError: 'continueRegularOutput',
		});
		expect(rows.map(({ _outcome }) => _outcome).sort()).toEqual(['deleted', 'failed']);
	});
});

describe('Count', () => {
	const count = async (parameters: object, settings = {}) =>
		await grid.run('count', { ...parameters }, [{}], settings);
	const reads = () => bed.proxy.requests.filter(({ path }) => path.includes('/entities'));

	test('counts all rows in one request whatever the size of pages, and those that meet the conditions', async () => {
		const smallPages: Rule = ({ path }) => ({
			kind: 'change',
			request: { path: path.replace(/pageSize=\d+/, 'pageSize=1') },
		});
		bed.proxy.setRules(smallPages);
		expect((await count({})).rows).toEqual([{ count: 5 }]);
		expect(reads()).toHaveLength(1);
		expect((await count(where(['State', '$eq', 'new']))).rows).toEqual([{ count: 2 }]);
	});

	test('counts within a view, also with a condition on a hidden column', async () => {
		const rows = async (state: string) =>
			(await count({ ...where(['State', '$eq', state]), ...(await viewOf('$gt', 1)) })).rows;
		expect(await rows('new')).toEqual([{ count: 1 }]);
		expect(await rows('done')).toEqual([{ count: 2 }]);
		expect((await count(await viewOf('$gt', 1))).rows).toEqual([{ count: 4 }]);
	});

	test('reads the whole grid instead of each row if a view hides the column of many rows', async () => {
		await grid.fill(...Array.from({ length: 60 }, (_, at) => ({ Name: `n${at}`, State: 'new', Count: 9 })));
		const inView = await viewOf('$eq', 9);
		const { rows } = await count({ ...where(['State', '$eq', 'new']), ...inView });
		expect(rows).toEqual([{ count: 60 }]);
		expect(reads().length).toBeLessThan(10);
	});

	test('does not use the number of all rows to prove a filter within a view', async () => {
		// The first page meets the condition; a later row does not.
		await grid.fill(...Array.from({ length: 320 }, (_, at) => ({ Name: `n${at}`, State: 'new', Count: 9 })));
		await grid.fill({ Name: 'last', State: 'done', Count: 9 });
		const inView = await viewOf('$eq', 9, ['Name', 'State', 'Count']);
		withoutQuery('filter');
		const { error } = await count({ ...where(['State', '$eq', 'new']), ...inView });
		expect(error?.message).toContain('1 of 321 rows');
	});

	test('detects one ignored condition of two after the first page', async () => {
		await grid.fill(...Array.from({ length: 320 }, (_, at) => ({ Name: `n${at}`, State: 'busy', Count: 9 })));
		await grid.fill({ Name: 'last', State: 'busy', Count: 1 });
		const ignored = `,"${grid.id('Count')}":{"$gt":2}`;
		bed.proxy.setRules(({ path }) => ({
			kind: 'change',
			request: { path: encodeURI(decodeURIComponent(path).replace(ignored, '')) },
		}));
		const { error } = await count(where(['State', '$eq', 'busy'], ['Count', '$gt', 2]));
		expect(error?.message).toContain('1 of 321 rows');
	});
});

test.each([
	['Delete Many', 'deleteMany', 'DELETE', () => where(['State', '$eq', 'new']), 'deleted'],
	[
		'Update Many',
		'updateMany',
		'PUT',
		() => ({ ...where(['State', '$eq', 'new']), ...grid.mapped({ Count: 9 }) }),
		'updated',
	],
	['Sync', 'sync', 'DELETE', () => ({ ...grid.auto(['Name']), rowsNotInInput: 'delete' }), 'deleted'],
])('a row that %s cannot change goes to the error output', async (_what, operation, method, given, done) => {
	bed.proxy.setRules(refuseFirst(method));
	const limits = operation === 'sync' ? { deletionLimit: 100 } : { limitPercent: 100 };
	const input = ['c', 'd', 'e'].map((Name) => ({ Name })).slice(0, operation === 'sync' ? 3 : 1);
	const { outputs, error } = await grid.run(operation, { ...given(), options: limits }, input, {
		onError: 'continueErrorOutput',
	});
	expect(error).toBeUndefined();
	expect(outputs[0]?.map(({ json }) => json)).toMatchObject([{ _outcome: done }]);
	expect(outputs[1]?.map(({ json }) => json)).toEqual([
		{ Name: 'c', error: expect.stringMatching(new RegExp(`^Row .+ was not ${done}: `)) as unknown },
	]);
});
