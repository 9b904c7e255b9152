import type { Json } from '../http';
import { id, makeGrid, objects, testService, byKey, last } from '../http';

const context = testService();
const { owner } = context;

let made = 0;
const status = { name: 'enum', options: ['open', 'done', 'secret'] };

/** Makes a grid of three rows and a view of it. */
async function withView(filterOf: (ids: Record<string, string>) => Json, sorting?: string) {
	const { space, grid, ids } = await makeGrid(
		owner,
		{ title: { name: 'string' }, status, n: { name: 'string' }, tags: { name: 'enumcollection', options: ['x', 'y'] } },
		`Grid ${++made}`,
	); // prettier-ignore
	for (const fields of [['a', 'open', '1', ['x']], ['b', 'done', '2', ['y']], ['c', 'secret', 'many', ['x', 'y']]])
		await owner.create(`${grid}/entities`, { fields }); // prettier-ignore
	const view = await owner.view(grid, [id(ids, 'title'), id(ids, 'status')], filterOf(ids), {
		name: `View ${made}`,
		...(sorting === undefined ? {} : { sorting: { [id(ids, sorting)]: { $order: 'descending' } } }),
	});
	const titles = async () => {
		const reply = await owner.get(`${view}/entities`, byKey);
		if (reply.status !== 200) throw new Error(reply.text);
		return objects(reply.json()['items']).map((item) => item['title']);
	};
	const problems = async () => (await owner.read(view))['problems'];
	return { space, grid, view, ids, titles, problems };
}

test('a view whose filter has a removed option stays readable, matches nothing and reports the problem', async () => {
	const { grid, view, ids, titles, problems } = await withView((all) => ({
		[id(all, 'status')]: { $eq: 'done' },
	}));
	expect([await titles(), await problems()]).toEqual([['b'], []]);
	const type = { name: 'enum', options: ['open', 'secret'] };
	expect((await owner.patch(`${grid}/fields/${id(ids, 'status')}`, { type })).status).toBe(200);
	expect(await titles()).toEqual([]);
	expect(await problems()).toEqual([expect.stringContaining('done')]);
	const viewId = last(view);
	const link = await owner.create(`${view}/links`, { kind: 'view' });
	const replies = [
		await owner.get(view),
		await owner.get(`${view}/csv`),
		await owner.get(`${view}/query`),
		await owner.get(`${grid}/query`, { viewId }),
		await owner.get(`${grid}/entities`, { viewId }),
		await owner.get(`${view}/schema`),
		await owner.get(`${view}/updates`, { since: '2020-01-01T00:00:00Z' }),
		await owner.get(`${grid}/virtualgrids`),
		await context.anonymous.get(link),
		await context.anonymous.get(`${link}/entities`),
	];
	expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200));
});

test('outdated conditions never add rows to a view, also within $not, $or, $in and $ne', async () => {
	const removed = { name: 'enum', options: ['open', 'done'] };
	const cases: Array<[filter: (status: string) => Json, before: string[], after: string[]]> = [
		[(s) => ({ [s]: { $ne: 'secret' } }), ['a', 'b'], []],
		[(s) => ({ $not: { [s]: { $eq: 'secret' } } }), ['a', 'b'], []],
		[(s) => ({ $not: { [s]: { $in: ['done', 'secret'] } } }), ['a'], []],
		[(s) => ({ [s]: { $in: ['done', 'secret'] } }), ['b', 'c'], ['b']],
		[(s) => ({ $or: [{ [s]: { $eq: 'open' } }, { [s]: { $eq: 'secret' } }] }), ['a', 'c'], ['a']],
		[(s) => ({ $not: { $or: [{ [s]: { $eq: 'open' } }, { [s]: { $eq: 'secret' } }] } }), ['b'], []],
		[(s) => ({ $not: { $not: { [s]: { $eq: 'secret' } } } }), ['c'], []],
	];
	for (const [filterOf, before, after] of cases) {
		const { grid, ids, titles } = await withView((all) => filterOf(id(all, 'status')));
		expect(await titles()).toEqual(before);
		await owner.patch(`${grid}/fields/${id(ids, 'status')}`, { type: removed });
		expect(await titles()).toEqual(after);
	}
});

test('ColumnRemove: a condition on the column matches nothing at any nesting and is reported', async () => {
	const cases: Array<[filter: (all: Record<string, string>) => Json, after: string[]]> = [
		[(all) => ({ [id(all, 'status')]: { $eq: 'done' } }), []],
		[(all) => ({ $not: { [id(all, 'status')]: { $eq: 'secret' } } }), []],
		[(all) => ({ $or: [{ [id(all, 'status')]: { $eq: 'done' } }, { [id(all, 'title')]: { $eq: 'a' } }] }), ['a']],
		[(all) => ({ $or: [{ [id(all, 'status')]: { $eq: 'done' } }] }), []],
		[(all) => ({ $search: { text: 'a', fields: [id(all, 'status'), id(all, 'title')] } }), ['a']],
		[(all) => ({ $search: { text: 'done', fields: [id(all, 'status')] } }), []],
		[(all) => ({ $not: { $search: { text: 'b', fields: [id(all, 'status'), id(all, 'title')] } } }), []],
	]; // prettier-ignore
	for (const [filterOf, after] of cases) {
		const { grid, view, ids, titles, problems } = await withView(filterOf, 'status');
		const fieldId = id(ids, 'status');
		expect((await owner.post(`${grid}/ColumnRemove`, { fieldId })).status).toBe(200);
		expect(await titles()).toEqual(after);
		const expected = [expect.stringContaining('in the filter'), expect.stringContaining('in the sorting')];
		expect(await problems()).toEqual(expected);
		// An update may keep the outdated filter or replace it.
		const { filter } = await owner.read(view);
		const body = { name: `Renamed ${fieldId}`, fields: [id(ids, 'title')], filter };
		expect((await owner.put(view, body)).status).toBe(200);
		const other = { ...body, filter: { [fieldId]: { $eq: 'other' } } };
		expect((await owner.put(view, other)).status).toBe(400);
		expect((await owner.put(view, { ...body, filter: {}, sorting: {} })).status).toBe(200);
		expect([(await titles()).sort(), await problems()]).toEqual([['a', 'b', 'c'], []]);
	}
});

test('after a type change filter values are converted; comparisons whose order changed match nothing', async () => {
	const equal = await withView((all) => ({ [id(all, 'n')]: { $in: ['2', 'many'] } }));
	const order = await withView((all) => ({ [id(all, 'n')]: { $gte: '1' } }));
	const before = [await equal.titles(), await order.titles()];
	expect(before).toEqual([['b', 'c'], ['a', 'b', 'c']]); // prettier-ignore
	for (const { grid, ids } of [equal, order]) {
		const change = { fieldId: id(ids, 'n'), type: { name: 'integer' } };
		expect((await owner.post(`${grid}/ColumnTypeChange`, change)).status).toBe(200);
	}
	expect([await equal.titles(), await equal.problems()]).toEqual([['b'], [expect.stringContaining('many')]]); // prettier-ignore
	expect([await order.titles(), await order.problems()]).toEqual([[], [expect.any(String)]]);
});
