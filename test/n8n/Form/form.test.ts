import type { INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { Form } from '../../../nodes/Form/Form.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import type { RunOptions } from '../../../testbed/world/call';
import { byId } from '../../../testbed/world/parameters';
import { PeopledWorld } from '../../../testbed/world/peopledWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';
import { readList } from '../../../client';

const COLUMNS = { Order: 'string', Quantity: 'integer', Paid: 'boolean', Notes: 'string', Made: 'createdat' };

const world = new PeopledWorld();
let orders: WorldGrid;
let grid: string;
let formId: string;

beforeAll(async () => {
	orders = await world.grid(COLUMNS, 'Orders');
	grid = `${world.spaceId}/${orders.grid.id}`;
	formId = (await readList(world.client.forms.list(orders.grid))).items[0]?.id ?? '';
});

const run = async (operation: string, parameters: INodeParameters = {}, extra: RunOptions = {}) =>
	await world.run(
		{
			node: 'form',
			resource: 'form',
			operation,
			parameters: { grid: { __rl: true, mode: 'list', value: grid }, ...parameters },
		},
		extra,
	);
const inForm = () => ({ form: byId(formId) });
const idOf = (column: string) => orders.id(column);

/** Form inputs by field ID, as the editor stores them. */
const filled = (values: Record<string, string | number | boolean | null>, mode = 'defineBelow') => ({
	formFields: {
		mappingMode: mode,
		value: Object.fromEntries(Object.entries(values).map(([name, value]) => [idOf(name), value])),
		matchingColumns: [],
		schema: [],
	},
});

/** Reads an entity by column name. */
const stored = async (id: unknown) => await world.client.entities.get(orders.grid, String(id), 'property');

const editor = (parameters: INodeParameters = {}) =>
	loadOptionsContext({
		type: 'n8n-nodes-datagrid.form',
		parameters: {
			resource: 'form',
			operation: 'submit',
			grid: { __rl: true, mode: 'list', value: grid },
			...parameters,
		},
		credentials: { dataGridApi: world.owner },
	});

describe('get', () => {
	test('outputs the fields with label, type and whether they can be filled in', async () => {
		const { rows, error } = await run('get', inForm());
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ id: formId });
		expect(rows[0]?.fields).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					label: 'Quantity',
					fieldId: idOf('Quantity'),
					type: 'integer',
					writable: true,
				}),
				expect.objectContaining({ label: 'Made', writable: false }),
			]),
		);
	});
});

describe('the editor', () => {
	test('offers the forms of the grid by name', async () => {
		const { results } = await new Form().methods.listSearch.searchForms.call(editor());
		expect(results.map(({ value }) => value)).toEqual([formId]);
	});

	test('lists the fields by label and stores their IDs; computed fields are not listed', async () => {
		const { fields, emptyFieldsNotice }: ResourceMapperFields =
			await new Form().methods.resourceMapping.getFormFields.call(editor(inForm()));
		expect(emptyFieldsNotice).toBe('Fields of this form: Order, Quantity, Paid, Notes');
		expect(fields.map(({ displayName, type }) => [displayName, type])).toEqual([
			['Order', 'string'],
			['Quantity', 'number'],
			['Paid', 'boolean'],
			['Notes', 'string'],
		]);
		expect(fields.map(({ id }) => id)).toContain(idOf('Order'));
	});
});

describe('submit', () => {
	test.each([
		[{ Tags: [] }, '"Tags"'],
		[{ Tags: null }, '"Tags"'],
		[{ Tags: ['x'] }, undefined],
	])('asks for what the form requires before it sends anything: %j', async (values, missing) => {
		const tagged = await world.grid({ Tags: 'stringcollection' });
		const form = { inputs: [{ field: tagged.id('Tags'), required: true }] };
		await world.client.grids.update(tagged.grid, { properties: { form } });
		const [design] = (await readList(world.client.forms.list(tagged.grid))).items;
		const mapping = { mappingMode: 'defineBelow', matchingColumns: [], schema: [] };
		const formFields = { ...mapping, value: { [tagged.id('Tags')]: values.Tags } };
		const parameters = { ...tagged.chosen, form: byId(design?.id ?? ''), formFields };
		const call = { node: 'form', resource: 'form', operation: 'submit', parameters } as const;
		const { error, rows } = await world.run(call);
		if (missing === undefined) expect(rows).toMatchObject([{ submitted: true }]);
		else expect(error?.message).toContain(`The form requires a value for ${missing}`);
	});

	test('creates an entity with the values by field ID; 0, false, "" and null stay distinct', async () => {
		const { rows, items, error } = await run('submit', {
			...inForm(),
			...filled({ Order: '', Quantity: 0, Paid: false, Notes: null }),
		});
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({
			submitted: true,
			values: { Order: '', Quantity: 0, Paid: false, Notes: null },
		});
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(await stored(rows[0]?._id)).toMatchObject({ Order: '', Quantity: 0, Paid: false, Notes: null });
	});

	test('maps the input by label, and names input members that match no field', async () => {
		const input = [{ Order: 'A-1', Quantity: '3', Unplaced: 1 }];
		const { rows, hints, error } = await run(
			'submit',
			{ ...inForm(), ...filled({}, 'autoMapInputData') },
			{ input },
		);
		expect(error).toBeUndefined();
		expect(rows[0]?.values).toEqual({ Order: 'A-1', Quantity: 3 });
		expect(hints).toEqual(['Not submitted, because the form has no such field: Unplaced']);
	});

	test('refuses an item without values unless an empty row is allowed', async () => {
		const automatic = { ...inForm(), ...filled({}, 'autoMapInputData') };
		const nothing = await run('submit', automatic, { input: [{ Ordr: 'A-1' }] });
		expect(nothing.error?.message).toContain(
			'no value for any field of the form, which has no field for "Ordr"',
		);
		const json = { ...inForm(), valuesAs: 'json', valuesJson: '{}' };
		expect((await run('submit', json)).error?.message).toContain('"Values (JSON)" has no value');
		const preset = await run('submit', { ...inForm(), ...filled({ Order: null, Paid: false }) });
		expect(preset.error?.message).toContain('"Form Fields" has no value for any field of the form');
		const allowed = await run('submit', { ...json, options: { allowEmptyRow: true } });
		expect(allowed.rows).toMatchObject([{ submitted: true }]);
	});

	test('refuses two members for one field, and ignores columns removed from the mapper', async () => {
		const twice = { Order: 'A', [idOf('Order')]: 'B' };
		const automatic = { ...inForm(), ...filled({}, 'autoMapInputData') };
		expect((await run('submit', automatic, { input: [twice] })).error?.message).toContain(
			'have different values',
		);
		const { formFields } = filled({ Order: 'A', Notes: 'old' });
		const schema = [{ id: idOf('Notes'), displayName: 'Notes', removed: true }];
		const { rows } = await run('submit', { ...inForm(), formFields: { ...formFields, schema } });
		expect(rows[0]?.values).toEqual({ Order: 'A' });
	});

	test('accepts JSON with labels or field IDs as names', async () => {
		const valuesJson = JSON.stringify({ Order: 'J-1', [idOf('Quantity')]: 2 });
		const { rows, error } = await run('submit', { ...inForm(), valuesAs: 'json', valuesJson });
		expect(error).toBeUndefined();
		expect(await stored(rows[0]?._id)).toMatchObject({ Order: 'J-1', Quantity: 2 });
	});

	test('refuses invalid JSON, and names that are no fields of the form', async () => {
		const submitJson = async (valuesJson: string) =>
			(await run('submit', { ...inForm(), valuesAs: 'json', valuesJson })).error;
		expect((await submitJson('={{ "[1" }}'))?.message).toContain('it is not a JSON object');
		const proto = await submitJson('{ "Order": "A", "__proto__": "B" }');
		expect(proto?.message).toContain('a member named "__proto__", which n8n cannot keep');
		const unknown = await submitJson('{ "Colour": "red" }');
		expect(unknown?.message).toBe('The form has no field "Colour"');
		expect(unknown).toMatchObject({ description: expect.stringContaining('Quantity') as unknown });
	});
});

test('a creator key, which may submit but not read, submits JSON by field ID', async () => {
	const credentials = await world.person('creator');
	const valuesJson = JSON.stringify({ [idOf('Order')]: 'Hello' });
	const parameters = { ...inForm(), valuesAs: 'json', valuesJson };
	const { rows, error } = await run('submit', parameters, { credentials });
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject({ submitted: true, values: { [idOf('Order')]: 'Hello' } });
	expect((await run('get', inForm(), { credentials })).error).toMatchObject({ httpCode: '403' });
});
