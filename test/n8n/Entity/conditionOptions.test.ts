import { Entity } from '../../../nodes/Entity/Entity.node';
import { VALUE_FROM } from '../../../nodes/shared/inputs/selection/valueFrom';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const { getConditionFields, getOptionsOfField } = new Entity().methods.loadOptions;
const ODD = '=1+1';
let world: World;
let grid: WorldGrid;

beforeAll(async () => {
	world = await World.start();
	grid = await world.grid({
		Name: 'string',
		State: { name: 'enum', options: ['new', { value: 'done', label: 'Done' }, ODD] },
		Plain: { name: 'enum', options: [] },
		Tags: { name: 'enumcollection', options: ['a', 'b'] },
	});
	await grid.fill([
		{ Name: 'one', State: 'new' },
		{ Name: 'two', State: 'done' },
		{ Name: 'three', State: ODD },
	]);
});
afterAll(() => world.stop());

/** A condition as the editor stores it. */
const condition = (column: string, value: string, operator = '$eq') => ({
	conditions: { condition: [{ column, operator, valueFrom: VALUE_FROM, value }] },
});
const marked = () => `${grid.id('State')}|options`;
const namesIn = (rows: ReadonlyArray<Record<string, unknown>>) => rows.map(({ Name }) => Name);

test('columns with options are marked, and their options are offered', async () => {
	const offered = await getConditionFields.call(loadOptionsContext(grid.settings('getMany', {})));
	expect(offered.map(({ name, value }) => [name, value])).toEqual([
		['Name', grid.id('Name')],
		['State', marked()],
		['Plain', grid.id('Plain')],
		['Tags', grid.id('Tags')],
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
	expect(await optionsFor(grid.id('Name'))).toEqual([]);
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
