import { runInNewContext } from 'node:vm';
import { type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { z } from 'zod/v4';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { VALUE_FROM } from '../../../nodes/shared/inputs/selection/valueFrom';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const { getConditionFields, getOptionsOfField } = new Entity().methods.loadOptions;
const ODD = '=1+1';
/** The example where the type of a column is not known. */
const ANY = 'e.g. shipped, 12.5, 2026-12-31 or true';
const world = World.forTests();
let grid: WorldGrid;

beforeAll(async () => {
	grid = await world.grid({
		Name: 'string',
		State: { name: 'enum', options: ['new', { value: 'done', label: 'Done' }, ODD] },
		Plain: { name: 'enum', options: [] },
		Tags: { name: 'enumcollection', options: ['a', 'b'] },
		Ready: 'boolean',
		Due: 'date',
		Seen: 'date-time',
		Weight: 'decimal',
	});
	await grid.fill(
		{ Name: 'one', State: 'new', Ready: true },
		{ Name: 'two', State: 'done', Ready: false, Due: '2026-12-31' },
		{ Name: 'three', State: ODD, Weight: 12.5 },
	);
});

/** A condition as the editor stores it. */
const condition = (column: string, value: string, operator = '$eq') => ({
	conditions: { condition: [{ column, operator, valueFrom: VALUE_FROM, value }] },
});
const marked = () => 'state|key|options';
const namesIn = (rows: ReadonlyArray<Record<string, unknown>>) => rows.map(({ Name }) => Name);

test('columns are marked by the input of their values, and options are offered', async () => {
	const offered = await getConditionFields.call(loadOptionsContext(grid.settings('getMany', {})));
	expect(offered.map(({ name, value }) => [name, value])).toEqual([
		['Name', 'name|key'],
		['State', marked()],
		['Plain', 'plain|key'],
		['Tags', 'tags|key'],
		['Ready', 'ready|key|options'],
		['Due', 'due|key|date'],
		['Seen', 'seen|key|date'],
		['Weight', 'weight|key|number'],
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
	expect(await optionsFor('ready|key|options')).toEqual([
		['Yes', 'true'],
		['No', 'false'],
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

test.each([
	['a box', 'ready|key|options', 'true', ['one']],
	['a box that is not ticked', 'ready|key|options', 'false', ['two']],
	['a date', 'due|key|date', '2026-12-31', ['two']],
	['a number', 'weight|key|number', '12.5', ['three']],
])('finds rows with %s', async (_what, column, value, names) => {
	const { rows, error } = await grid.run('getMany', condition(column, value));
	expect(error).toBeUndefined();
	expect(namesIn(rows)).toEqual(names);
});

const { properties } = new Entity().description;

/** The inputs that the editor shows for the value of a condition: type and example. */
function valuesShown(column: string, operator: string) {
	const row = z.object({ values: z.custom<INodeProperties[]>(Array.isArray) });
	const { values } = row.parse(properties.find(({ name }) => name === 'conditions')?.options?.[0]);
	const formula = VALUE_FROM.slice(3, -2).replaceAll('$parameter["&', 'row["');
	const valueFrom: unknown = runInNewContext(formula, { row: { column, operator } });
	const shown = { column, operator, valueFrom: String(valueFrom) };
	const isShown = (property: INodeProperties) => NodeHelpers.displayParameter(shown, property, null, null);
	return values
		.filter((property) => property.name === 'value' && isShown(property))
		.map(({ type, placeholder }) => [type, placeholder]);
}

test.each([
	['a column of dates', 'due|key|date', '$gt', [['string', 'e.g. 2026-12-31']]],
	['a column of numbers', 'f1|number', '$eq', [['string', 'e.g. 12.5']]],
	['a choice', 'state|key|options', '$ne', [['options', undefined]]],
	['one of several choices', 'state|key|options', '$in', [['string', ANY]]],
	['a text', 'name|key', '$eq', [['string', ANY]]],
	['a column named by an expression', 'options', '$eq', [['string', ANY]]],
	['a number of days', 'due|key|date', 'beforeAgo', [['string', 'e.g. 30']]],
	['no value', 'weight|key|number', 'null', []],
])('the example of a value fits %s', (_what, column, operator, inputs) => {
	expect(valuesShown(column, operator)).toEqual(inputs);
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
