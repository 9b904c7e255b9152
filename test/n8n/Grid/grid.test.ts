import type { INodeExecutionData } from 'n8n-workflow';
import { newGrid, picked, pickedGrid, rowIn, rowsIn, type GridPick } from './fixture';
import { z } from 'zod/v4';
import { World } from '../../../testbed/world/world';
import type { Call } from '../../../testbed/world/call';

const world = World.forTests();
let orders: GridPick;

beforeAll(async () => {
	orders = await newGrid(world, 'Parcels', [
		{ name: 'Parcel' },
		{ name: 'Weight', type: 'decimal' },
		{ name: 'State', type: 'enum', options: 'new, sent' },
	]);
});

const grid = (operation: string, parameters: Call['parameters'] = {}): Call => ({
	node: 'grid',
	resource: 'grid',
	operation,
	parameters,
});

const csvItem = (text: string): INodeExecutionData => ({
	json: {},
	binary: {
		data: { data: Buffer.from(text).toString('base64'), mimeType: 'text/csv', fileName: 'people.csv' },
	},
});

describe('create', () => {
	test('counts the characters of a name, not their UTF-16 units', async () => {
		const name = '🛠️'.repeat(40);
		const made = await world.row(grid('create', { space: picked(world.spaceId), name }));
		expect(made).toMatchObject({ name });
	});

	test('creates a grid with columns in order, with options, keys and descriptions', async () => {
		const made = await world.row(
			grid('create', {
				space: picked(world.spaceId),
				name: 'Machines',
				columns: {
					column: [
						{ name: 'Name', further: { description: 'As on its plate' } },
						{ name: 'State', type: 'enum', options: 'on, off', further: { key: 'machine_state' } },
						{ name: 'Hours', type: 'integer' },
					],
				},
				additionalFields: { key: 'machines', iconName: 'cog', iconColor: '#123456' },
			}),
		);
		expect(made).toMatchObject({
			name: 'Machines',
			key: 'machines',
			icon: { name: 'cog', color: '#123456' },
		});
		const read = await world.row(grid('get', pickedGrid(made)));
		expect(read).toMatchObject({ name: 'Machines', key: 'machines', spaceId: made.spaceId });
		expect(rowsIn(read.fields)).toMatchObject([
			{ name: 'Name', type: { name: 'string' }, description: 'As on its plate' },
			{
				name: 'State',
				key: 'machine_state',
				type: { name: 'enum', options: [{ value: 'on' }, { value: 'off' }] },
			},
			{ name: 'Hours', type: { name: 'integer' } },
		]);
		expect(rowsIn(made.fields).map(({ id }) => id)).toEqual(rowsIn(read.fields).map(({ id }) => id));
	});

	test('accepts columns as JSON, also types with additional properties, and creates a first view', async () => {
		const columnsJson =
			'[{"name":"Price","type":{"name":"currency","currency":"EUR"}},{"name":"Übung \\"1\\""}]';
		const made = await world.row(
			grid('create', {
				space: picked(world.spaceId),
				name: 'Preise',
				specifyColumns: 'json',
				columnsJson,
				additionalFields: { createView: true },
			}),
		);
		const read = await world.row(grid('get', pickedGrid(made)));
		expect(rowsIn(read.fields)).toMatchObject([
			{ name: 'Price', type: { name: 'currency', currency: 'EUR' } },
			{ name: 'Übung "1"' },
		]);
		const views = await world.rows({
			node: 'grid',
			resource: 'view',
			operation: 'getMany',
			parameters: pickedGrid(made),
		});
		expect(views).toHaveLength(1);
	});

	test('tells that a grid has no columns, and how to add them', async () => {
		const { hints } = await world.run(grid('create', { space: picked(world.spaceId), name: 'Bare' }));
		expect(hints).toEqual([expect.stringContaining('no columns yet')]);
	});

	test('takes types by their labels, and what few need from the additional fields', async () => {
		const columns = [
			{ name: 'Title', type: 'Text', further: { key: 'heading', description: 'On the label' } },
			{ name: 'Count', type: 'whole number' },
			{ name: 'State', type: 'enum', options: 'new, sent' },
		];
		const made = await world.row(
			grid('create', { space: picked(world.spaceId), name: 'Labelled', columns: { column: columns } }),
		);
		const asJson = columns.map(({ further, ...column }) => ({
			...{ ...column, ...further },
			type: column.type === 'enum' ? 'Choice' : column.type,
		}));
		const json = await world.row(
			grid('create', {
				...{ space: picked(world.spaceId), name: 'Labelled as JSON' },
				...{ specifyColumns: 'json', columnsJson: JSON.stringify(asJson) },
			}),
		);
		for (const one of [made, json])
			expect(rowsIn((await world.row(grid('get', pickedGrid(one)))).fields)).toMatchObject([
				{ name: 'Title', key: 'heading', description: 'On the label', type: { name: 'string' } },
				{ name: 'Count', type: { name: 'integer' } },
				{ name: 'State', type: { name: 'enum', options: [{ value: 'new' }, { value: 'sent' }] } },
			]);
	});

	test('refuses a type that the service does not have before it creates the grid', async () => {
		const columnsJson = '[{"name":"Title"},{"name":"Total","type":"Sum"}]';
		const { error } = await world.run(
			grid('create', {
				...{ space: picked(world.spaceId), name: 'Unmade' },
				...{ specifyColumns: 'json', columnsJson },
			}),
		);
		expect(error?.message).toBe(
			'The column "Total" has "Sum" as "Type" or "Type Name", which the service does not have; nothing was created',
		);
		expect(error?.description).toContain('Whole Number, Yes or No');
		const all = await world.rows(grid('getMany', { space: picked(world.spaceId), returnAll: true }));
		expect(all.map(({ name }) => name)).not.toContain('Unmade');
	});

	test('the example in the input of columns can be run once its linked grid exists', async () => {
		const made = await world.row({
			...grid('create', {
				...{ space: { __rl: true, mode: 'key', value: 'sales' }, name: 'Customers' },
				columns: { column: [{ name: 'Name' }] },
				additionalFields: { key: 'customers', makeSpace: true },
			}),
		});
		const example = await world.row(
			grid('create', {
				space: picked(z.string().parse(made.spaceId)),
				name: 'Orders',
				specifyColumns: 'json',
			}),
		);
		const fields = rowsIn((await world.row(grid('get', pickedGrid(example)))).fields);
		expect(fields).toMatchObject([
			{ name: 'Order', key: 'order', type: { name: 'string' } },
			{ name: 'Status', type: { name: 'enum' } },
			{
				name: 'Customer',
				type: {
					name: 'reference',
					grid: { uri: expect.stringContaining(`/grids/${z.string().parse(made.id)}`) as unknown },
				},
			},
		]);
	});

	test('makes the space of a key once, and refuses one that is not chosen by a key', async () => {
		const space = { __rl: true, mode: 'key', value: 'field-work' };
		const made = (name: string) =>
			grid('create', { space, name, additionalFields: { key: name.toLowerCase(), makeSpace: true } });
		const [first, second] = [await world.row(made('Tours')), await world.row(made('Sites'))];
		expect(first.spaceId).toBe(second.spaceId);
		const [one] = await world.rows({
			...{ node: 'space', resource: 'space', operation: 'get' },
			parameters: { space: picked(z.string().parse(first.spaceId)) },
		});
		expect(one).toMatchObject({ key: 'field-work', name: 'Field work' });
		const { error } = await world.run(
			grid('create', { space: picked('nowhere'), name: 'Lost', additionalFields: { makeSpace: true } }),
		);
		expect(error?.message).toContain('"Space" does not exist');
	});

	test('adds the columns that an existing grid lacks, or refuses other types before any change', async () => {
		const wanted = (columns: object[]) =>
			grid('create', {
				...{ space: picked(world.spaceId), name: 'Kept' },
				...{ specifyColumns: 'json', columnsJson: JSON.stringify(columns) },
				additionalFields: { key: 'kept', ifKeyExists: 'addMissing' },
			});
		const first = await world.row(wanted([{ name: 'Title', key: 'title' }]));
		expect(first._outcome).toBe('created');
		const second = await world.row(
			wanted([
				{ name: 'Title', key: 'title' },
				{ name: 'Size', key: 'size', type: 'Whole Number' },
			]),
		);
		expect(second).toMatchObject({
			...{ _outcome: 'existing', id: first.id },
			fields: [{ key: 'title' }, { key: 'size', type: 'integer' }],
		});
		const { error } = await world.run(
			wanted([
				{ name: 'More', key: 'more' },
				{ name: 'Size', key: 'size', type: 'Text' },
			]),
		);
		expect(error?.message).toBe(
			'The grid "Kept" exists, but has columns of other types: "Size" is Whole Number, not Text; nothing was changed',
		);
		const read = await world.row(grid('get', pickedGrid(first)));
		expect(rowsIn(read.fields).map(({ name }) => name)).toEqual(['Title', 'Size']);
	});

	test('reports what was created if a column is refused halfway', async () => {
		const { error } = await world.run(
			grid('create', {
				space: picked(world.spaceId),
				name: 'Half',
				columns: {
					column: [{ name: 'First' }, { name: 'Second', type: 'enum', options: '[7]' }, { name: 'Third' }],
				},
			}),
		);
		expect(error?.message).toMatch(
			/^The grid "Half" was created \(ID .+\), with the columns "First", but the column "Second" could not be added: ./,
		);
	});

	test.each([
		['an empty name', { name: ' ' }, 'a name is needed'],
		['a name that is too long', { name: 'x'.repeat(81) }, 'longer than 80 characters'],
		[
			'two columns with the same name',
			{ columns: { column: [{ name: 'A' }, { name: 'A' }] } },
			'Two columns have the name "A"',
		],
		[
			'an enum without options',
			{ columns: { column: [{ name: 'A', type: 'enum' }] } },
			'Several Choices, but no options',
		],
	])('%s is refused before anything is sent', async (_what, parameters, message) => {
		const before = await world.rows(grid('getMany', { returnAll: true }));
		const { error } = await world.run(
			grid('create', { space: picked(world.spaceId), name: 'Never', ...parameters }),
		);
		expect(error?.message).toContain(message);
		expect(await world.rows(grid('getMany', { returnAll: true }))).toEqual(before);
	});
});

describe('create from CSV', () => {
	const german = 'Artikel;Preis;Seit\r\nStuhl;1.234,50;31.12.2026\r\n"Tisch; rund";12,50;1.2.2026\r\n';
	const created = async (name: string, text: string, options = {}) => {
		const parameters = { space: picked(world.spaceId), name, options };
		const { rows, error, hints } = await world.run(grid('createFromCsv', parameters), {
			input: [csvItem(text)],
		});
		const id = typeof rows[0]?.['id'] === 'string' ? rows[0]['id'] : '';
		const opened =
			id === '' ? undefined : await world.client.grids.open({ spaceId: world.spaceId, gridId: id });
		const fields = opened ? await world.client.fields.of(opened) : [];
		const { items = [] } = opened ? await world.client.entities.many(opened) : {};
		const cells = items.map((row) => fields.map((field) => row[field.id]));
		return { error, hints, cells, types: fields.map(({ type }) => type.name) };
	};

	test('numbers and dates of a German file get their types', async () => {
		const { cells, types, hints } = await created('German', german);
		expect(types).toEqual(['string', 'decimal', 'date']);
		expect(cells).toEqual([
			['Stuhl', 1234.5, '2026-12-31'],
			['Tisch; rund', 12.5, '2026-02-01'],
		]);
		expect(hints.join()).toContain('such as 1.234,50');
	});

	test('what could mean two things is refused until a format is chosen', async () => {
		const text = 'Artikel;Menge\r\nStuhl;1.000\r\n';
		const { error } = await created('Ambiguous', text);
		expect(error?.message).toContain('"1.000" in the column "Menge" may be 1 or 1000');
		const comma = await created('Comma', text, { formats: { format: { number: 'comma' } } });
		expect(comma.cells).toEqual([['Stuhl', 1000]]);
		const point = await created('Point', text, { formats: { format: { number: 'point' } } });
		expect(point.cells.flat()).not.toContain(1000);
	});

	test('a file as programs write it is sent unchanged', async () => {
		const { cells, types, hints } = await created('Plain', 'Code,Price\n007,12.5\n"1,5 kg",2\n');
		expect(types).toEqual(['string', 'decimal']);
		expect(cells).toEqual([
			['007', 12.5],
			['1,5 kg', 2],
		]);
		expect(hints).toEqual([]);
	});

	test.each([
		['an item without a file', {}, 'The input item has no binary field "data"'],
		['an empty file', csvItem(''), 'is empty'],
	])('%s is refused before anything is sent', async (_what, item, message) => {
		const { error } = await world.run(grid('createFromCsv', { space: picked(world.spaceId), name: 'None' }), {
			input: [item],
		});
		expect(error?.message).toContain(message);
	});
});

describe('read', () => {
	test('Get Many lists the grids of all spaces with the names of the spaces, respects Limit, and distinguishes views', async () => {
		const all = await world.rows(grid('getMany', { returnAll: true }));
		expect(all.map(({ name, spaceName }) => [name, spaceName])).toContainEqual(['Parcels', 'Work']);
		expect(await world.rows(grid('getMany', { limit: 2 }))).toEqual(all.slice(0, 2));
		const views = await world.rows(grid('getMany', { kind: 'virtual', returnAll: true }));
		expect(views.every(({ type }) => type === 'virtual')).toBe(true);
		const both = await world.rows(
			grid('getMany', { kind: 'all', returnAll: true, space: picked(world.spaceId) }),
		);
		expect(both).toHaveLength(all.filter(({ spaceName }) => spaceName === 'Work').length + views.length);
	});

	test('the schema uses field IDs as names', async () => {
		const read = await world.row(grid('get', { ...orders, includeSchema: true }));
		const schema = rowIn(read.schema);
		expect(Object.keys(schema.properties ?? {})).toEqual(rowsIn(read.fields).map(({ id }) => id));
		expect(schema).not.toHaveProperty('_links');
	});
});

describe('update and delete', () => {
	test('Update changes only the given members, also of an icon', async () => {
		const own = await newGrid(world, 'Before', [{ name: 'Name' }]);
		const first = await world.row(grid('get', own));
		const changed = await world.row(
			grid('update', {
				...own,
				updateFields: { name: 'After', iconColor: '#ff0000', properties: '{"a":0}' },
			}),
		);
		expect(changed).toMatchObject({ name: 'After', properties: { a: 0 } });
		expect(await world.row(grid('get', own))).toMatchObject({
			name: 'After',
			key: first.key,
			icon: { ...rowIn(first.icon), color: '#ff0000' },
			properties: { a: 0 },
		});
	});
});
