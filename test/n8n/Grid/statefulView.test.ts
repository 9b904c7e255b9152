import type { IDataObject } from 'n8n-workflow';
import { Grid } from '../../../nodes/Grid/Grid.node';
import { newGrid, picked, rowIn, type GridPick } from './fixture';
import { textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { Call } from '../../../testbed/world/call';

const { listSearch } = new Grid().methods;
let world: World;
let grid: GridPick;
let count = 0;

beforeAll(async () => {
	world = await World.start();
});

beforeEach(async () => {
	count += 1;
	grid = await newGrid(world, `Plans ${count}`, [{ name: 'Plan' }, { name: 'On', type: 'date' }]);
});

afterAll(async () => {
	await world.stop();
});

const sview = (operation: string, parameters: Call['parameters'] = {}): Call => ({
	node: 'grid',
	resource: 'statefulView',
	operation,
	parameters: { ...grid, ...parameters },
});
const kanban = { type: 'kanban', properties: '{"groupBy":"Plan"}', slotProperties: '{"title":"Plan"}' };
const make = async (parameters: Call['parameters'] = {}) =>
	await world.row(sview('create', { ...kanban, ...parameters }));
const chosen = (row: IDataObject) => ({ statefulView: picked(textOf(row.id)) });
const ofView = async () => {
	const made = await world.row({
		node: 'grid',
		resource: 'view',
		operation: 'create',
		parameters: { ...grid, name: `Cut ${count}`, columns: ['Plan'] },
	});
	return { view: picked(textOf(made.id)) };
};

test('Create and Get keep type, properties and slots', async () => {
	const made = await make();
	expect(made).toMatchObject({
		type: 'kanban',
		properties: { groupBy: 'Plan' },
		slotProperties: { title: 'Plan' },
	});
	expect(await world.row(sview('get', chosen(made)))).toMatchObject(made);
	expect(await world.row(sview('get', { ...chosen(made), simplify: false }))).toHaveProperty('_links.self');
});

test('a stateful view may belong to a view; nested lists include it with those of the grid', async () => {
	const own = await make();
	const view = await ofView();
	const below = await make({ ...view, type: 'calendar' });
	const list = async (parameters: Call['parameters']) =>
		(await world.rows(sview('getMany', { returnAll: true, ...parameters }))).map(({ id }) => id);
	expect(await list({})).toEqual([own.id]);
	expect(await list(view)).toEqual([below.id]);
	expect(await list({ nested: true })).toEqual([own.id, below.id]);
	expect(await list({ nested: true, returnAll: false, limit: 1 })).toEqual([own.id]);
	const schema = await world.row(sview('getSchema', { ...view, ...chosen(below) }));
	expect(Object.keys(rowIn(schema.properties))).toHaveLength(1);
});

test('the picker lists the stateful views of the chosen grid or view', async () => {
	const own = await make();
	const view = await ofView();
	const below = await make({ ...view, type: 'calendar' });
	const search = async (parameters: object, filter?: string) =>
		(
			await listSearch.searchStatefulViews.call(
				world.editor(sview('get', { ...grid, ...parameters })),
				filter,
			)
		).results;
	expect(await search({})).toEqual([{ name: `kanban (${textOf(own.id)})`, value: own.id }]);
	expect((await search(view)).map(({ value }) => value)).toEqual([below.id]);
	expect(await search({}, 'calendar')).toEqual([]);
});

test('Update changes only the given members', async () => {
	const made = await make();
	const changed = await world.row(
		sview('update', { ...chosen(made), updateFields: { properties: '{"groupBy":null}' } }),
	);
	expect(changed).toMatchObject({ id: made.id, properties: { groupBy: null } });
	expect(await world.row(sview('get', chosen(made)))).toMatchObject({
		type: 'kanban',
		properties: { groupBy: null },
		slotProperties: { title: 'Plan' },
	});
});

test('Share adds shares, which Get Shares lists', async () => {
	const made = await make();
	const shared = await world.row(
		sview('share', { ...chosen(made), email: 'ada@example.com', role: 'writer' }),
	);
	expect(shared).toMatchObject({ statefulViewId: made.id, email: 'ada@example.com', role: 'writer' });
	await world.row(sview('share', { ...chosen(made), email: 'bob@example.com' }));
	const shares = await world.rows(sview('getShares', { ...chosen(made), returnAll: true }));
	expect(shares).toMatchObject([
		{ emails: ['ada@example.com'], role: 'writer' },
		{ emails: ['bob@example.com'], role: 'reader' },
	]);
	expect(await world.rows(sview('getShares', { ...chosen(made), limit: 1 }))).toEqual(shares.slice(0, 1));
});

test('Delete removes the stateful view and outputs its ID', async () => {
	const made = await make();
	expect(await world.row(sview('delete', chosen(made)))).toMatchObject({ deleted: true, id: made.id });
	expect((await world.run(sview('get', chosen(made)))).error).toMatchObject({ httpCode: '404' });
});

const given = { ...kanban, email: 'ada@example.com', updateFields: { type: 'calendar' } };

test.each(['get', 'update', 'delete', 'getSchema', 'share', 'getShares'])(
	'%s of a missing stateful view is refused',
	async (operation) => {
		const { error } = await world.run(sview(operation, { ...given, statefulView: picked('nowhere') }));
		expect(error).toMatchObject({ httpCode: '404' });
	},
);

test.each([
	['create', { type: ' ' }, 'a type is needed'],
	['create', { properties: '{' }, 'it is not a JSON object'],
	['getMany', { limit: 0 }, '"Limit" cannot be used'],
	['update', { updateFields: {} }, 'There is nothing to change'],
	['share', { email: 'ada' }, 'it is not an email address'],
	['share', { role: '=owner' }, '"Role" cannot be used'],
])('%s with %j is refused before anything is sent', async (operation, parameters, message) => {
	const made = await make();
	const before = await world.rows(sview('getMany', { returnAll: true }));
	const { error } = await world.run(sview(operation, { ...given, ...chosen(made), ...parameters }));
	expect(error?.message).toContain(message);
	expect(await world.rows(sview('getMany', { returnAll: true }))).toEqual(before);
	expect(await world.rows(sview('getShares', chosen(made)))).toEqual([]);
});

test.each([
	['create', 'add stateful views to'],
	['update', 'change stateful views of'],
	['delete', 'delete stateful views of'],
	['share', 'share stateful views of'],
])('%s refuses a reader key and sends nothing', async (operation, what) => {
	const made = await make();
	const before = await world.rows(sview('getMany', { returnAll: true }));
	const { error } = await world.run(sview(operation, { ...given, ...chosen(made) }), { as: 'reader' });
	expect(error?.message).toContain(`No permission to ${what} the grid "Plans ${count}"`);
	expect(await world.rows(sview('getMany', { returnAll: true }))).toEqual(before);
});

test.each(['get', 'getMany', 'getSchema'])('a reader key may %s', async (operation) => {
	const made = await make();
	const { rows, error } = await world.run(sview(operation, chosen(made)), { as: 'reader' });
	expect(error).toBeUndefined();
	expect(rows).toHaveLength(1);
});

test('refuses the shares of a stateful view to a reader key, with the message of the service', async () => {
	const made = await make();
	const { error } = await world.run(sview('getShares', chosen(made)), { as: 'reader' });
	expect(error).toMatchObject({ httpCode: '403' });
});
