import type { IDataObject } from 'n8n-workflow';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { newGrid, idsOf, picked, rowsIn, type GridPick } from './fixture';
import { textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { Call } from '../../../testbed/world/call';

const { listSearch } = new Grid().methods;
const world = World.forTests();
let grid: GridPick;
let ids: Map<string, string>;
let count = 0;

beforeEach(async () => {
	count += 1;
	grid = await newGrid(world, `Tasks ${count}`, [
		{ name: 'Task' },
		{ name: 'State', key: 'state' },
		{ name: 'Hours', type: 'integer' },
	]);
	const fields = await world.rows({
		node: 'grid',
		resource: 'field',
		operation: 'getMany',
		parameters: grid,
	});
	ids = new Map(fields.map(({ name, id }) => [textOf(name), textOf(id)]));
});

const idOf = (name: string) => ids.get(name) ?? `no column ${name}`;
const view = (operation: string, parameters: Call['parameters'] = {}): Call => ({
	node: 'grid',
	resource: 'view',
	operation,
	parameters: { ...grid, selectBy: 'json', ...parameters },
});
const open = async (parameters: Call['parameters'] = {}) =>
	await world.row(
		view('create', {
			name: `Open ${count}`,
			columns: ['Task'],
			filter: '{"state":{"$eq":"open"}}',
			...parameters,
		}),
	);
const pickedView = (row: IDataObject) => ({ view: picked(textOf(row.id)) });
const read = async (row: IDataObject) => {
	const url = `${world.service.url}/api/users/u/spaces/${textOf(row.spaceId)}/grids/${textOf(row.id)}`;
	const { fields, ...rest } = await world.row(view('get', { view: picked(url, 'url') }));
	return { ...rest, columns: rowsIn(fields).map(({ name }) => name) };
};

describe('create', () => {
	test('saves columns in order, a filter and a sorting, each by name, key or ID', async () => {
		const made = await open({
			columns: [idOf('Hours'), 'Task'],
			sorting: `{"${idOf('Task')}":{"$order":"ascending"}}`,
		});
		expect(made).toMatchObject({
			fields: [idOf('Hours'), idOf('Task')],
			filter: { [idOf('State')]: { $eq: 'open' } },
			sorting: { [idOf('Task')]: { $order: 'ascending' } },
		});
		expect(await read(made)).toMatchObject({
			name: `Open ${count}`,
			type: 'virtual',
			columns: ['Hours', 'Task'],
			filter: { [idOf('State')]: { $eq: 'open' } },
			sorting: { [idOf('Task')]: { $order: 'ascending' } },
		});
	});

	test('shows all columns without a choice of columns, and all rows without a filter', async () => {
		const made = await world.row(view('create', { name: `All ${count}` }));
		expect(await read(made)).toMatchObject({ columns: ['Task', 'State', 'Hours'], filter: {} });
	});
});

describe('conditions', () => {
	const hours = (value: number) => ({
		selectBy: 'conditions',
		conditions: { condition: [{ column: idOf('Hours'), operator: '$eq', value }] },
	});

	test('become the typed filter in Create and Update, which can also remove it', async () => {
		const sort = { by: [{ column: idOf('Task'), direction: 'descending' }] };
		const made = await open({ ...hours(0), sort });
		expect(await read(made)).toMatchObject({
			filter: { [idOf('Hours')]: { $eq: 0 } },
			sorting: { [idOf('Task')]: { $order: 'descending' } },
		});
		await world.row(view('update', { ...pickedView(made), ...hours(1) }));
		expect(await read(made)).toMatchObject({
			name: made.name,
			filter: { [idOf('Hours')]: { $eq: 1 } },
			sorting: { [idOf('Task')]: { $order: 'descending' } },
		});
		await world.row(
			view('update', { ...pickedView(made), selectBy: 'conditions', options: { removeFilter: true } }),
		);
		expect(await read(made)).toMatchObject({ filter: {} });
	});
});

describe('read', () => {
	test('lists views by name in the operation, up to Limit, and in the picker', async () => {
		const made = [await open(), await open({ name: `Second ${count}` })];
		const rows = await world.rows(view('getMany', { returnAll: true }));
		expect(rows.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
		expect(rows[0]).toMatchObject({ gridId: idsOf(grid).gridId });
		expect(await world.rows(view('getMany', { limit: 1 }))).toEqual(rows.slice(0, 1));
		const { results } = await listSearch.searchViews.call(world.editor(view('get')), 'second');
		expect(results).toMatchObject([{ name: `Second ${count}`, value: made[1]?.id }]);
	});
});

describe('change', () => {
	test.each([
		['name', () => ({ newName: `Renamed ${count}` }), () => ({ name: `Renamed ${count}` })],
		['columns', () => ({ options: { columns: ['Hours'] } }), () => ({ columns: ['Hours'] })],
		['filter', () => ({ filter: '{}' }), () => ({ filter: {} })],
		[
			'sorting',
			() => ({ sorting: '{"Hours":{"$order":"descending"}}' }),
			() => ({ sorting: { [idOf('Hours')]: { $order: 'descending' } } }),
		],
	])('an update of the %s leaves the other members unchanged', async (_what, parameters, changed) => {
		const made = await open({ sorting: '{"Task":{"$order":"ascending"}}' });
		const before = await read(made);
		await world.row(view('update', { ...pickedView(made), ...parameters() }));
		expect(await read(made)).toEqual({ ...before, ...changed() });
	});
});

describe('bad input and refusals', () => {
	const given = { name: 'New', newName: 'New', filter: '{}' };

	test.each(['get', 'update', 'delete'])('%s refuses the ID of a grid', async (operation) => {
		const own = idsOf(grid).gridId;
		const { error } = await world.run(view(operation, { ...given, view: picked(own) }));
		expect(error?.message).toBe(`"Tasks ${count}" is a grid, not a view`);
		expect(
			await world.row({ node: 'grid', resource: 'grid', operation: 'get', parameters: grid }),
		).toMatchObject({
			name: `Tasks ${count}`,
		});
	});

	test.each([
		['create', { name: ' ' }, 'a name is needed'],
		[
			'create',
			{ name: 'x', columns: ['Colour'] },
			'refers to the column "Colour", which the grid does not have',
		],
		[
			'create',
			{ name: 'x', filter: '{"Colour":{"$eq":1}}' },
			'refers to the column "Colour", which the grid does not have',
		],
		['create', { name: 'x', sorting: '{"Task":"up"}' }, '"Sorting (JSON)"'],
		['update', {}, 'There is nothing to change'],
		['update', { filter: '{}', options: { removeFilter: true } }, 'but there are conditions'],
	])('%s with %j is refused before anything is sent', async (operation, parameters, message) => {
		const made = await open();
		const before = await world.rows(view('getMany', { returnAll: true }));
		const { error } = await world.run(view(operation, { ...pickedView(made), ...parameters }));
		expect(error?.message).toContain(message);
		expect(await world.rows(view('getMany', { returnAll: true }))).toEqual(before);
	});
});
