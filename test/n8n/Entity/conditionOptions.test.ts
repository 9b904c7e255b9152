import { Entity } from '../../../nodes/Entity/Entity.node';
import { VALUE_FROM } from '../../../nodes/shared/inputs/selection/valueFrom';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const { getConditionFields, getOptionsOfField } = new Entity().methods.loadOptions;
const ODD = '=1+1';
const world = World.forTests();
let grid: WorldGrid;

beforeAll(async () => {
	grid = await world.grid({
		Name: 'string',
		State: { name: 'enum', options: ['new', { value: 'done', label: 'Done' }, ODD] },
		Plain: { name: 'enum', options: [] },
		Tags: { name: 'enumcollection', options: ['a', 'b'] },
	});
	await grid.fill(
		{ Name: 'one', State: 'new' },
		{ Name: 'two', State: 'done' },
		{ Name: 'three', State: ODD },
	);
});

/** A condition as the editor stores it. */
const condition = (column: string, value: string, operator = '$eq') => ({
	conditions: { condition: [{ column, operator, valueFrom: VALUE_FROM, value }] },
});
const marked = () => 'state|key|options';
const namesIn = (rows: ReadonlyArray<Record<string, unknown>>) => rows.map(({ Name }) => Name);

test('columns with options are marked, and their options are offered', async () => {
	const offered = await getConditionFields.call(loadOptionsContext(grid.settings('getMany', {})));
	expect(offered.map(({ name, value }) => [name, value])).toEqual([
		['Name', 'name|key'],
		['State', marked()],
		['Plain', 'plain|key'],
		['Tags', 'tags|key'],
	]);
	const optionsFor = async (column: string) => {
		const settings = grid.settings('getMany', condition(column, ''));
		const context = loadOptionsContext(settings, 'parameters.conditions.condition[0].value');
		return (await getOptionsOfField.call(context)).map(({ name, value }) => [name, value]);
	};
	expect(await optionsFor(marked())).toEqual([
		['new', 'new'],
		['Done', 'done'],
		["'=1+1", '\\=1+1'],
	]);
	expect(await optionsFor('name|key')).toEqual([]);
	expect(await optionsFor('')).toEqual([]);
});

test.each([
	['an option', 'done', '$eq', ['two']],
	['another option than one', 'done', '$ne', ['one', 'three']],
	['an option that looks like an expression', '\\=1+1', '$eq', ['three']],
	['an expression', '={{ $json.state }}', '$eq', ['one']],
	['several options as a text', 'new, done', '$in', ['one', 'two']],
])('finds rows with %s', async (_what, value, operator, names) => {
	const { rows, error } = await grid.run('getMany', condition(marked(), value, operator), [{ state: 'new' }]);
	expect(error).toBeUndefined();
	expect(namesIn(rows)).toEqual(names);
});

test('takes a condition without the mark, and names the column of a wrong option', async () => {
	const { rows } = await grid.run('getMany', condition(grid.id('State'), 'new'));
	expect(namesIn(rows)).toEqual(['one']);
	const { error } = await grid.run('getMany', condition('Gone|options', 'new'));
	expect(error?.message).toContain('refers to the column "Gone"');
});

test('a column chosen from a list is found by its key in another account, and never by its name', async () => {
	// Its column "state" is another one.
	const moved = await world.grid({ State: 'string', Name: 'string' });
	const [state] = await world.client.fields.of(moved.grid);
	if (!state) throw new Error('The grid has no column');
	await world.client.fields.update(moved.grid, state, { name: 'Progress' });
	await world.client.fields.add(moved.grid, { name: 'state', key: 'other', type: { name: 'string' } });
	await world.client.entities.create(moved.grid, { Progress: 'new', Name: 'one', state: 'done' }, 'property');
	await world.client.entities.create(moved.grid, { Progress: 'done', Name: 'two', state: 'new' }, 'property');
	const { rows, error } = await moved.run('getMany', {
		...condition(marked(), 'new'),
		options: { outputColumns: ['name|key', 'state|key'] },
	});
	expect(error).toBeUndefined();
	expect(rows).toMatchObject([{ Name: 'one', Progress: 'new' }]);
	expect(rows[0]).not.toHaveProperty('state');
	const { error: unknown } = await moved.run('getMany', condition('gone|key', 'new'));
	expect(unknown?.message).toContain('refers to the column "gone"');
});
