import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import { byId } from '../../../testbed/world/parameters';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** A service may ignore the conditions that it does not know (§2.8 documents `$eq` only). */
const bed = new ProxiedWorld();
let grid: WorldGrid;

beforeAll(async () => {
	grid = await bed.grid({ Name: 'string', Count: 'integer', State: 'string' });
	await grid.fill(
		{ Name: 'a', Count: 1, State: 'New' },
		{ Name: 'b', Count: 2, State: 'new' },
		{ Name: 'c', Count: 3 },
	);
});

const where = (column: string, operator: string, value: string | number) => ({
	conditions: { condition: [{ column: grid.id(column), operator, value }] },
});

/** Replaces the filter of requests; undefined removes it. */
const replaceFilter = (filter?: object) => {
	const instead = filter === undefined ? '' : `filter=${encodeURIComponent(JSON.stringify(filter))}`;
	bed.proxy.setRules(({ path }) => ({
		kind: 'change',
		request: { path: path.replace(/filter=[^&]*/, instead) },
	}));
};

const run = async (operation: string, parameters: object, resource = 'entity') =>
	await grid.run(operation, { ...parameters }, [{}], { resource });
const getMany = async (parameters: object) => await run('getMany', { returnAll: true, ...parameters });
const names = (rows: ReadonlyArray<Record<string, unknown>>) => rows.map(({ Name }) => Name);

describe('rows that do not meet the conditions are not output if the service ignores them', () => {
	const batches = { returnAll: false, options: { batchCursor: '' } };
	test.each<[string, string, number, object, string]>([
		['Equals', '$eq', 2, {}, '2 of 3 rows'],
		['Greater Than', '$gt', 2, {}, '2 of 3 rows'],
		['up to a limit', '$lt', 1, { returnAll: false, limit: 2 }, '2 of 2 rows'],
		['in batches', '$gt', 2, { ...batches, limit: 2 }, 'rows'],
	])('Get Many, %s', async (_title, operator, value, more, counted) => {
		replaceFilter();
		const { rows, error } = await getMany({ ...where('Count', operator, value), ...more });
		expect(error?.message).toContain(counted);
		expect(error?.message).toContain('do not meet the conditions');
		expect(rows).toEqual([]);
	});

	test('Get Many, within a view that shows the column', async () => {
		const view = await grid.view(['Name', 'Count']);
		replaceFilter();
		const { error } = await getMany({ ...where('Count', '$gt', 2), view: byId(view) });
		expect(error?.message).toContain('2 of 3 rows');
	});

	test('Export', async () => {
		replaceFilter();
		const { error, rows } = await run('export', where('Count', '$gt', 2));
		expect(error?.message).toContain('2 of 3 rows');
		expect(rows).toEqual([]);
	});
});

describe('accepts other interpretations of conditions by the service', () => {
	test('a row without a value does not meet Does Not Equal, but Is Empty as another condition', async () => {
		const state = grid.id('State');
		const omitBlanks = { [state]: { $ne: 'New' }, $not: { [state]: { $empty: true } } };
		bed.proxy.setRules(({ path }) => {
			const text = JSON.stringify({ [state]: { $ne: 'New' } });
			const instead = decodeURIComponent(path).replace(text, JSON.stringify(omitBlanks));
			return { kind: 'change', request: { path: encodeURI(instead) } };
		});
		const { condition } = where('State', '$ne', 'New').conditions;
		expect(names((await getMany({ conditions: { condition } })).rows)).toEqual(['b']);
		const isEmpty = { column: state, operator: 'null' };
		const both = { conditions: { condition: [...condition, isEmpty] }, options: { combine: 'any' } };
		expect(names((await getMany(both)).rows)).toEqual(['b', 'c']);
	});

	test('a condition on a column that the view hides', async () => {
		const view = await grid.view(['Name']);
		const { rows, error } = await getMany({ ...where('Count', '$gt', 1), view: byId(view) });
		expect(error).toBeUndefined();
		expect(names(rows)).toEqual(['b', 'c']);
	});
});
