import type { IDataObject } from 'n8n-workflow';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { newGrid, picked, rowIn, type GridPick } from './fixture';
import { textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { Call } from '../../../testbed/world/call';

const { listSearch } = new Grid().methods;
const world = World.forTests();
let grid: GridPick;
let count = 0;

beforeEach(async () => {
	count += 1;
	grid = await newGrid(world, `Plans ${count}`, [
		{ name: 'Plan' },
		{ name: 'On', type: 'date' },
		{ name: 'State', type: 'enum', options: 'open, done' },
	]);
});

const board = (operation: string, parameters: Call['parameters'] = {}): Call => ({
	node: 'grid',
	resource: 'board',
	operation,
	parameters: { ...grid, ...parameters },
});
const share = (operation: string, parameters: Call['parameters'] = {}): Call => ({
	...board(operation, parameters),
	resource: 'share',
});
const byState = { name: 'By state', type: 'kanban', field: picked('State') };
const make = async (parameters: Call['parameters'] = {}) =>
	await world.row(board('create', { ...byState, ...parameters }));
const chosen = (row: IDataObject) => ({ board: picked(textOf(row.id)) });
const idOf = async (name: string) =>
	textOf((await world.row({ ...board('get', { field: picked(name) }), resource: 'field' })).id);
const ofView = async () => {
	const parameters = { ...grid, name: `Cut ${count}`, columns: ['Plan', 'On'] };
	const made = await world.row({ node: 'grid', resource: 'view', operation: 'create', parameters });
	return { view: picked(textOf(made.id)) };
};
const ofCalendar = { name: 'Dates', type: 'calendar', field: picked('On') };

describe('create and get', () => {
	test('a board has the name and the column that the page of the service shows', async () => {
		const additionalFields = { properties: '{"color":"red"}', slotProperties: '{"title":"Plan"}' };
		const made = await make({ additionalFields });
		expect(made).toMatchObject({
			type: 'kanban',
			properties: { name: 'By state', fieldId: await idOf('State'), color: 'red' },
			slotProperties: { title: 'Plan' },
		});
		expect(await world.row(board('get', chosen(made)))).toMatchObject(made);
		const raw = await world.row(board('get', { ...chosen(made), simplify: false }));
		expect(raw).toHaveProperty('_links.self');
	});

	test('another type is entered by its name, without a column', async () => {
		const made = await make({ type: 'otherType', otherTypeName: 'timeline' });
		expect(made).toMatchObject({ type: 'timeline', properties: { name: 'By state' } });
		expect(made.properties).not.toHaveProperty('fieldId');
	});

	test('a board may belong to a view; nested lists include it with those of the grid', async () => {
		const own = await make();
		const view = await ofView();
		const below = await make({ ...view, ...ofCalendar });
		const list = async (parameters: Call['parameters']) =>
			(await world.rows(board('getMany', { returnAll: true, ...parameters }))).map(({ id }) => id);
		expect(await list({})).toEqual([own.id]);
		expect(await list(view)).toEqual([below.id]);
		expect(await list({ nested: true })).toEqual([own.id, below.id]);
		expect(await list({ nested: true, returnAll: false, limit: 1 })).toEqual([own.id]);
		const read = await world.row(board('get', { ...view, ...chosen(below), includeSchema: true }));
		expect(Object.keys(rowIn(rowIn(read.schema).properties))).toHaveLength(2);
	});
});

describe('pickers', () => {
	test('list the boards of the chosen grid or view by name', async () => {
		const own = await make();
		const view = await ofView();
		const below = await make({ ...view, ...ofCalendar });
		const search = async (parameters: object, filter?: string) =>
			(await listSearch.searchBoards.call(world.editor(board('get', { ...grid, ...parameters })), filter))
				.results;
		expect(await search({})).toMatchObject([{ name: 'By state', value: own.id }]);
		expect(await search(view)).toMatchObject([{ name: 'Dates', value: below.id }]);
		expect(await search({}, 'dates')).toEqual([]);
	});

	test('name a board without a name by its type', async () => {
		const { client } = world;
		const [spaceId = '', gridId = ''] = textOf(grid.grid.value).split('/');
		const opened = await client.grids.open({ spaceId, gridId });
		const { id } = await client.statefulViews.create(opened, {
			type: 'calendar',
			properties: {},
			slotProperties: {},
		});
		const { results } = await listSearch.searchBoards.call(world.editor(board('get')));
		expect(results).toMatchObject([{ name: `Calendar (${id ?? ''})`, value: id }]);
	});

	test.each([
		['kanban', ['State']],
		['calendar', ['On']],
		['unchanged', ['On', 'State']],
	])('list the columns that suit the type %s', async (type, names) => {
		const editor = world.editor(board('create', { type }));
		const { results } = await listSearch.searchBoardColumns.call(editor);
		expect(results.map(({ name }) => name)).toEqual(names);
	});
});

describe('update and delete', () => {
	test('Update changes only the given members', async () => {
		const made = await make({ additionalFields: { properties: '{"color":"red"}' } });
		await world.row(board('update', { ...chosen(made), newName: 'Progress' }));
		expect(await world.row(board('get', chosen(made)))).toMatchObject({
			type: 'kanban',
			properties: { ...rowIn(made.properties), name: 'Progress' },
		});
		const newName = '={{ null }}';
		await world.row(board('update', { ...chosen(made), newName, type: 'calendar', field: picked('On') }));
		expect(await world.row(board('get', chosen(made)))).toMatchObject({
			type: 'calendar',
			properties: { name: 'Progress', color: 'red', fieldId: await idOf('On') },
		});
		const additionalFields = { properties: '{"color":null}' };
		const replaced = await world.row(board('update', { ...chosen(made), additionalFields }));
		// "If empty, it stays unchanged" is also true of a name and a column beside new properties.
		const kept = { name: 'Progress', fieldId: await idOf('On') };
		expect(replaced.properties).toEqual({ ...kept, color: null });
		const removing = { properties: '{"fieldId":null}' };
		const cleared = await world.row(board('update', { ...chosen(made), additionalFields: removing }));
		expect(cleared.properties).toEqual({ name: 'Progress', fieldId: null });
	});
});

test('a board is shared, and its shares are listed', async () => {
	const made = await make();
	const shared = await world.row(
		share('create', { ...chosen(made), email: 'ada@example.com', role: 'writer' }),
	);
	expect(shared).toMatchObject({ boardId: made.id, email: 'ada@example.com', role: 'writer' });
	await world.row(share('create', { ...chosen(made), email: 'bob@example.com' }));
	const shares = await world.rows(share('getMany', { ...chosen(made), returnAll: true }));
	expect(shares).toMatchObject([
		{ emails: ['ada@example.com'], role: 'writer' },
		{ emails: ['bob@example.com'], role: 'reader' },
	]);
	expect(await world.rows(share('getMany', { ...chosen(made), limit: 1 }))).toEqual(shares.slice(0, 1));
});

describe('refusals', () => {
	const given = { ...byState, newName: 'Other', email: 'ada@example.com' };

	test.each<[typeof board, string, object, string]>([
		[board, 'create', { name: ' ' }, 'a name is required'],
		[board, 'create', { field: picked('Colour') }, 'which the grid does not have'],
		[board, 'create', { type: 'otherType', otherTypeName: ' ' }, 'a type is needed'],
		[board, 'update', { newName: '', type: 'unchanged', field: picked('') }, 'There is nothing to change'],
		[share, 'create', { email: 'ada' }, 'it is not an email address'],
	])('%p %s with %j is refused before anything is sent', async (call, operation, parameters, message) => {
		const made = await make();
		const before = await world.rows(board('getMany', { returnAll: true }));
		const { error } = await world.run(call(operation, { ...given, ...chosen(made), ...parameters }));
		expect(error?.message).toContain(message);
		expect(await world.rows(board('getMany', { returnAll: true }))).toEqual(before);
		expect(await world.rows(share('getMany', chosen(made)))).toEqual([]);
	});
});
