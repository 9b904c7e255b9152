import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { Form } from '../../../nodes/Form/Form.node';
import { addUser } from '../../../service/cli/commands';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import type { RunOptions } from '../../../testbed/world/call';
import { makeGrid, makeSpace } from '../../../testbed/world/makeGrid';
import { byId } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';

const COLUMNS = { Order: 'string', Quantity: 'integer', Paid: 'boolean', Notes: 'string', Made: 'createdat' };

const world = World.forTests();
let grid: string;
let formId: string;
let fieldIds: Map<string, string>;

beforeAll(async () => {
	const client = world.client;
	const { spaceId } = world;
	const made = await makeGrid(client, spaceId, 'Orders', COLUMNS);
	fieldIds = new Map([...made.fields].map(([name, { id }]) => [name, id]));
	grid = `${spaceId}/${made.grid.id}`;
	formId = (await client.forms.many(made.grid)).items[0]?.id ?? '';
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
const idOf = (column: string) => fieldIds.get(column) ?? column;

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
async function stored(id: unknown) {
	const client = world.client;
	const [spaceId = '', gridId = ''] = grid.split('/');
	return await client.entities.get(await client.grids.open({ spaceId, gridId }), String(id), 'property');
}

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
		const unknown = await submitJson('{ "Colour": "red" }');
		expect(unknown?.message).toBe('The form has no field "Colour"');
		expect(unknown).toMatchObject({ description: expect.stringContaining('Quantity') as unknown });
	});
});

test('a creator key, which may submit but not read, submits JSON by field ID', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'datagrid-form-'));
	const data = join(folder, 'data.db');
	const shared = await World.start({ data });
	try {
		const client = shared.client;
		const spaceId = await makeSpace(client, 'Shared');
		const made = await makeGrid(client, spaceId, 'Intake', { Subject: 'string' });
		const intake = (await client.forms.many(made.grid)).items[0]?.id ?? '';
		const { email, key, secret } = addUser(data, 'Cleo', undefined);
		await client.shares.create(await client.spaces.get(spaceId), { email, role: 'creator' });
		const subject = made.fields.get('Subject')?.id ?? '';
		const parameters = {
			grid: { __rl: true, mode: 'list', value: `${spaceId}/${made.grid.id}` },
			form: byId(intake),
			valuesAs: 'json',
			valuesJson: JSON.stringify({ [subject]: 'Hello' }),
		};
		const credentials = { dataGridApi: { ...shared.owner, key, secret } };
		const form = { node: 'form', resource: 'form', parameters } as const;
		const { rows, error } = await shared.run({ ...form, operation: 'submit' }, { credentials });
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({ submitted: true, values: { [subject]: 'Hello' } });
		const read = await shared.run({ ...form, operation: 'get' }, { credentials });
		expect(read.error).toMatchObject({ httpCode: '403' });
	} finally {
		await shared.stop();
		rmSync(folder, { recursive: true });
	}
});
