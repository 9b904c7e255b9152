import { newId } from '../../../testbed/world/makeGrid';
import { byId } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const world = World.forTests();
const options = ['open', 'done', 'late'];
let grid: WorldGrid;

beforeEach(async () => {
	grid = await world.grid({ Name: 'string', State: { name: 'enum', options }, Number: 'string' });
	await grid.fill(
		{ Name: 'a', State: 'open', Number: '1' },
		{ Name: 'b', State: 'done', Number: '2' },
		{ Name: 'c', State: 'late', Number: '30' },
	);
});

const removeColumn = async (name: string) => {
	await world.client.fields.remove(grid.grid, grid.id(name));
};
const changeType = async (name: string, type: { name: string; options?: string[] }) => {
	await world.client.fields.changeType(grid.grid, grid.id(name), type);
};
const withoutDone = { name: 'enum', options: ['open', 'late'] };

const namesIn = async (view: string) =>
	(await grid.run('getMany', { view: byId(view), returnAll: true })).rows.map(({ Name }) => Name);

/** Runs each operation that reads the rows of a view. */
async function runAll(viewId: string) {
	const view = byId(viewId);
	const all = { view, dryRun: false, options: { allRows: true } };
	const runs = [
		await grid.run('getMany', { view, returnAll: true }),
		await grid.run('getMany', { view, options: { batchCursor: '' }, limit: 2 }),
		await grid.run('getMany', { view, searchText: 'a' }),
		await grid.run('count', { view }),
		await grid.run('export', { view }),
		await grid.run('export', { view, fileMadeBy: 'service' }),
		await grid.run('deleteMany', all),
		await grid.run('updateMany', { ...all, ...grid.mapped({ Name: 'x' }) }),
	];
	return runs.map(({ error, hints }) => ({ error: error?.message, advice: error?.description, hints }));
}

const viewCall = (operation: string, viewId: string, parameters = {}) =>
	({
		node: 'grid',
		resource: 'view',
		operation,
		parameters: { ...grid.chosen, view: byId(viewId), ...parameters },
	}) as const;

interface Misfit {
	what: string;
	filter: Record<string, object>;
	ruin: () => Promise<void>;
	problem: () => string;
}

const misfits: Misfit[] = [
	{
		what: 'a column that was deleted',
		filter: { State: { $eq: 'done' } },
		ruin: () => removeColumn('State'),
		problem: () => `it names a column that no longer exists ("${grid.id('State')}")`,
	},
	{
		what: 'an option that was removed',
		filter: { State: { $ne: 'done' } },
		ruin: () => changeType('State', withoutDone),
		problem: () => '"State" has no option "done"',
	},
	{
		what: 'a type that was changed',
		filter: { Number: { $gte: '2' } },
		ruin: () => changeType('Number', { name: 'integer' }),
		problem: () => '"Number" has the type Whole Number and cannot be compared with "2"',
	},
];

test.each(misfits)('a filter with $what is an error that names view, column and cure', async (misfit) => {
	const viewId = await grid.view(['Name'], misfit.filter, `Ruined ${grid.grid.id}`);
	expect(await namesIn(viewId)).not.toEqual([]);
	await misfit.ruin();
	const before = await world.client.entities.many(grid.grid);
	const message = `The filter of the view "Ruined ${grid.grid.id}" no longer fits the columns of its grid: ${misfit.problem()}`;
	const advice = expect.stringContaining('Update of the resource View') as string;
	for (const run of await runAll(viewId)) expect(run).toMatchObject({ error: message, advice });
	expect((await world.client.entities.many(grid.grid)).items).toEqual(before.items);
	// View > Get shows it, and View > Update repairs it.
	const shown = await world.run(viewCall('get', viewId));
	expect(shown.hints).toEqual([expect.stringContaining(message)]);
	const renamed = await world.run(viewCall('update', viewId, { newName: `Renamed ${grid.grid.id}` }));
	expect(renamed.hints).toEqual([expect.stringContaining(misfit.problem())]);
	const repaired = await world.run(viewCall('update', viewId, { options: { removeFilter: true } }));
	expect([repaired.error, repaired.hints]).toEqual([undefined, []]);
	expect(await namesIn(viewId)).toEqual(['a', 'b', 'c']);
});

test('what else the filter selects is read with a hint, but neither updated nor deleted', async () => {
	const viewId = await grid.view(['Name'], { State: { $in: ['open', 'done'] } });
	await changeType('State', withoutDone);
	const problem = expect.stringContaining('"State" has no option "done". Rows may be missing.') as string;
	const runs = await runAll(viewId);
	for (const { error, hints } of runs.slice(0, 6)) expect([error, hints]).toEqual([undefined, [problem]]);
	for (const { error } of runs.slice(6)) expect(error).toMatch(/"State" has no option "done"$/);
	expect(await namesIn(viewId)).toEqual(['a']);
	// Conditions that replace the filter of the view.
	const condition = [{ column: grid.id('Name'), operator: '$eq', value: 'c' }];
	const replaced = { conditions: { condition }, options: { combineWithView: false } };
	const run = await grid.run('getMany', { view: byId(viewId), ...replaced });
	expect([run.hints, run.rows.map(({ Name }) => Name)]).toEqual([[], ['c']]);
});

test('a sorting by a deleted column is a hint, and View > Update drops it', async () => {
	const { client } = world;
	const name = `Sorted ${grid.grid.id}`;
	const content = { name, fields: [grid.id('Name')], filter: {} };
	const sorting = { [grid.id('State')]: { $order: 'ascending' }, [grid.id('Name')]: { $order: 'ascending' } };
	const viewId = newId(await client.views.create(grid.grid, { ...content, sorting }));
	await removeColumn('State');
	const { hints } = await grid.run('getMany', { view: byId(viewId) });
	expect(hints).toEqual([
		expect.stringContaining(`"${name}" is sorted by a column that the grid no longer has`),
	]);
	const repaired = await world.run(viewCall('update', viewId, { options: { removeFilter: true } }));
	expect(repaired.rows).toMatchObject([{ sorting: { [grid.id('Name')]: { $order: 'ascending' } } }]);
	expect((await grid.run('getMany', { view: byId(viewId) })).hints).toEqual([]);
});

test('a view that is chosen like a grid is checked as far as its columns show', async () => {
	const viewId = await grid.view(['Name', 'State'], { Number: { $eq: '1' }, State: { $eq: 'open' } });
	const asGrid = { grid: byId(viewId) };
	expect((await grid.run('getMany', asGrid)).rows).toHaveLength(1);
	await changeType('State', { name: 'enum', options: ['late'] });
	expect((await grid.run('getMany', asGrid)).error?.message).toMatch(/"State" has no option "open"$/);
});
