import { Grid } from '../../../nodes/Grid/Grid.node';
import { addEntity, newGrid, picked, rowsIn, type GridPick } from './fixture';
import { textOf } from '../../../testbed/world/parameters';
import { World } from '../../../testbed/world/world';
import type { Call } from '../../../testbed/world/call';

const { listSearch, loadOptions } = new Grid().methods;
const world = World.forTests();
let grid: GridPick;
let count = 0;

beforeEach(async () => {
	count += 1;
	grid = await newGrid(world, `Things ${count}`, [
		{ name: 'Title' },
		{ name: 'Size', type: 'integer', key: 'size' },
		{ name: 'State', type: 'enum', options: 'new, "old"' },
	]);
});

const field = (operation: string, parameters: Call['parameters'] = {}): Call => ({
	node: 'grid',
	resource: 'field',
	operation,
	parameters: { ...grid, ...parameters },
});

const columns = async () => rowsIn(await world.rows(field('getMany', { returnAll: true })));
const named = async (name: string) => (await columns()).find((column) => column.name === name);

describe('create', () => {
	test('adds a column of a type at the chosen position', async () => {
		const made = await world.row(
			field('create', {
				name: 'Fällig',
				type: 'date',
				additionalFields: { key: 'due', description: 'When', position: 0 },
			}),
		);
		expect((await columns())[0]).toMatchObject({
			id: made.id,
			name: 'Fällig',
			key: 'due',
			description: 'When',
			type: { name: 'date' },
			writable: true,
		});
	});

	test.each([
		['options between commas', 'a, b'],
		['options as a JSON list', '["a","b"]'],
		['options from an expression', '={{ ["a", "b"] }}'],
	])('an enum accepts %s', async (_what, options) => {
		await world.row(field('create', { name: 'Choice', type: 'enum', options }));
		expect(await named('Choice')).toMatchObject({ type: { options: [{ value: 'a' }, { value: 'b' }] } });
	});

	test('accepts a type with additional properties', async () => {
		await world.row(
			field('create', {
				name: 'Price',
				type: 'currency',
				additionalFields: { typeDetails: '{"currency":"EUR"}' },
			}),
		);
		expect(await named('Price')).toMatchObject({ type: { name: 'currency', currency: 'EUR' } });
	});

	test('accepts the name of a type that is not in the list', async () => {
		const other = { type: 'otherType', otherTypeName: 'integer' };
		await world.row(field('create', { name: 'Rank', ...other }));
		expect(await named('Rank')).toMatchObject({ type: { name: 'integer' } });
		const unknown = await world.run(field('create', { name: 'Stars', ...other, otherTypeName: 'rating' }));
		expect(unknown.error?.message).toContain('which the service does not have');
		const missing = await world.run(field('create', { name: 'Stars', ...other, otherTypeName: '' }));
		expect(missing.error?.message).toContain('"Type Name" cannot be used');
		const changes = { ...other, otherTypeName: 'decimal' };
		await world.row(field('update', { field: picked('Rank'), ...changes }));
		expect(await named('Rank')).toMatchObject({ type: { name: 'decimal' } });
	});
});

describe('read', () => {
	test('Get finds a column by ID, name or key', async () => {
		const size = await named('Size');
		for (const text of [String(size?.id), 'Size', 'size'])
			expect(await world.row(field('get', { field: picked(text) }))).toEqual(size);
		const raw = await world.row(field('get', { field: picked('Size'), simplify: false }));
		expect(raw).toHaveProperty('schema');
	});

	test('lists columns by name with a search, to choose one or several', async () => {
		const found = await listSearch.searchFields.call(world.editor(field('get')), 'siz');
		expect(found.results).toEqual([
			{ name: 'Size', value: (await named('Size'))?.id, description: 'Whole Number' },
		]);
		const several = await loadOptions.getFields.call(world.editor(field('get')));
		expect(several.map(({ name }) => name)).toEqual(['Title', 'Size', 'State']);
	});
});

describe('change', () => {
	test('Update changes only the given members', async () => {
		const before = await named('State');
		const changes = {
			newName: 'Condition',
			options: 'old, lost',
			additionalFields: { description: 'How it is' },
		};
		const output = await world.row(field('update', { field: picked('State'), ...changes }));
		expect(output).toMatchObject({
			name: 'Condition',
			key: before?.key,
			before: { name: 'State', description: null, type: { name: 'enum' } },
		});
		expect(await named('Condition')).toMatchObject({
			id: before?.id,
			key: before?.key,
			description: 'How it is',
			type: {
				name: 'enum',
				options: [{ value: 'new' }, { value: '"old"' }, { value: 'old' }, { value: 'lost' }],
			},
		});
		await world.row(field('update', { field: picked('Condition'), additionalFields: { description: '' } }));
		expect(await named('Condition')).toMatchObject({ description: null, type: { options: { length: 4 } } });
	});

	test('removes options that rows use only if this is allowed, and counts the rows first', async () => {
		await addEntity(world, grid, { State: 'new' });
		await addEntity(world, grid, { State: 'new' });
		const replacing = ({ options = 'lost', ...more }: { options?: string; dropUsedOptions?: boolean }) =>
			field('update', {
				field: picked('State'),
				options,
				additionalFields: { replaceOptions: true, ...more },
			});
		const { error } = await world.run(replacing({}));
		expect(error?.message).toContain(
			'Options of "State" that would be dropped are in use in 2 rows: "new" (2); nothing was changed',
		);
		expect(await named('State')).toMatchObject({ type: { options: { length: 2 } } });
		await world.row(replacing({ options: 'new' }));
		expect(await named('State')).toMatchObject({ type: { options: [{ value: 'new' }] } });
		await world.row(replacing({ dropUsedOptions: true }));
		expect(await named('State')).toMatchObject({ type: { options: [{ value: 'lost' }] } });
	});

	test('a new type and a new key change the column', async () => {
		const type = { type: 'enum', options: 'S, M' };
		await world.row(field('update', { field: picked('Size'), ...type }));
		await world.row(field('update', { field: picked('Size'), newKey: 'dress_size' }));
		expect(await named('Size')).toMatchObject({
			key: 'dress_size',
			type: { name: 'enum', options: [{ value: 'S' }, { value: 'M' }] },
		});
	});
});

describe('bad input and refusals', () => {
	const given = {
		name: 'Size',
		newName: 'Size 2',
		type: 'integer',
	};

	test.each(['get', 'update', 'delete'])(
		'%s of a missing column lists the existing ones',
		async (operation) => {
			const { error } = await world.run(field(operation, { ...given, field: picked('Colour') }));
			expect(error?.message).toBe(`"Column" refers to the column "Colour", which the grid does not have`);
			expect(error?.description).toContain('Title, Size, State');
		},
	);

	test.each([
		['update', { type: 'enumcollection' }, 'Several Choices, but no options'],
		['update', { options: 'a' }, 'has the type Whole Number, which has no options'],
		['update', { newName: ' ', newKey: '' }, 'There is nothing to change'],
		['ensure', {}, 'There are no columns to add'],
		['ensure', { specifyColumns: 'input' }, 'There are no columns to add'],
		['create', { name: ' ' }, 'a name is required'],
		['ensure', { specifyColumns: 'json', columnsJson: '{}' }, 'it is not a JSON list'],
	])('%s with %j is refused before anything is sent', async (operation, parameters, message) => {
		const before = await columns();
		const { error } = await world.run(field(operation, { field: picked('Size'), ...parameters }));
		expect(error?.message).toContain(message);
		expect(await columns()).toEqual(before);
	});

	test.each([
		['update', { type: 'unchanged' }, 'rename columns of'],
		['update', { newName: '' }, 'change columns of'],
		['update', { newName: '', type: 'unchanged', newKey: 'size_2' }, 'change columns of'],
	])('%s refuses a reader key and sends nothing', async (operation, parameters, what) => {
		const before = await columns();
		const call = field(operation, { ...given, field: picked('Size'), ...parameters });
		const { error } = await world.run(call, { as: 'reader' });
		expect(error?.message).toContain(`No permission to ${what} the grid "Things ${count}"`);
		expect(await columns()).toEqual(before);
	});
});

test('null for a new name or key leaves it unchanged, like an empty text', async () => {
	const nothing = { newName: '={{ null }}', newKey: '={{ null }}', type: 'unchanged' };
	const additionalFields = { description: 'In cm' };
	await world.row(field('update', { field: picked('Size'), ...nothing, additionalFields }));
	expect(await named('Size')).toMatchObject({ name: 'Size', description: 'In cm' });
});

describe('ensure', () => {
	const list = {
		columns: {
			column: [{ name: 'Title' }, { name: 'size', type: 'integer' }, { name: 'Due', type: 'date' }],
		},
	};

	test('adds missing columns, and nothing in a second run', async () => {
		const first = await world.row(field('ensure', list));
		expect(first).toMatchObject({ dryRun: false, existing: ['Title', 'Size'], different: [], skipped: [] });
		expect(first.added).toEqual([{ id: (await named('Due'))?.id, name: 'Due', type: 'date' }]);
		expect(await world.row(field('ensure', list))).toMatchObject({
			added: [],
			existing: ['Title', 'Size', 'Due'],
		});
	});

	test('takes a member with spaces around its name for the column that a write would take it for', async () => {
		const input = [
			{ 'Title ': 'a', ' Due ': '2026-03-01' },
			{ Due: '2026-03-02', ' ': 1 },
		];
		const run = async () =>
			(await world.run(field('ensure', { specifyColumns: 'input' }), { input })).rows[0];
		expect(await run()).toMatchObject({ added: [{ name: 'Due', type: 'date' }], existing: ['Title'] });
		expect(await run()).toMatchObject({ added: [], existing: ['Title', 'Due'], skipped: [] });
	});

	test('a dry run has the same output and adds nothing', async () => {
		const before = await columns();
		const plan = await world.row(field('ensure', { ...list, dryRun: true }));
		expect(plan).toMatchObject({ dryRun: true, added: [{ name: 'Due', type: 'date' }] });
		expect(await columns()).toEqual(before);
	});

	test('names an existing column with another type, and does not change it', async () => {
		const wanted = { columns: { column: [{ name: 'Size', type: 'decimal' }] } };
		expect(await world.row(field('ensure', wanted))).toMatchObject({
			added: [],
			different: [{ name: 'Size', type: 'integer', wanted: 'decimal' }],
		});
	});

	test('derives types from the values of all input items, and skips columns whose type is unclear', async () => {
		const { items } = await world.run(field('ensure', { specifyColumns: 'input' }), {
			input: [
				{ Title: 'a', size: 'large', Done: false, Amount: 0, Zip: '01234', Never: null, Mixed: 1 },
				{
					_id: 'x',
					_outcome: 'updated',
					_cursor: 'c',
					Done: true,
					Amount: 1.5,
					When: '2026-03-01',
					Mail: 'a@example.com',
					Mixed: 'one',
					Tags: ['a'],
				},
			],
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(items[0]?.json).toMatchObject({ existing: ['Title', 'Size'], different: [] });
		const added = rowsIn(items[0]?.json.added).map(({ name, type }) => [name, type]);
		expect(added).toEqual([
			['Done', 'boolean'],
			['Amount', 'decimal'],
			['Zip', 'string'],
			['When', 'date'],
			['Mail', 'email'],
			['Tags', 'stringcollection'],
		]);
		expect(rowsIn(items[0]?.json.skipped).map(({ name }) => name)).toEqual(['Never', 'Mixed']);
	});

	test('outputs one item per grid, and one per input item of a grid that failed', async () => {
		const other = await newGrid(world, `Others ${count}`, []);
		const call: Call = {
			node: 'grid',
			resource: 'field',
			operation: 'ensure',
			parameters: { grid: picked('={{ $json.grid }}', 'list'), columns: { column: [{ name: 'Due' }] } },
		};
		const [here, there] = [textOf(grid.grid.value), textOf(other.grid.value)];
		const items = [{ grid: here }, { grid: 'nowhere' }, { grid: there }, { grid: here }, { grid: 'nowhere' }];
		const { outputs } = await world.run(call, { input: items, onError: 'continueErrorOutput' });
		expect(outputs[0]?.map(({ json, pairedItem }) => [json.gridName, pairedItem])).toEqual([
			[`Things ${count}`, { item: 0 }],
			[`Others ${count}`, { item: 2 }],
		]);
		expect(outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 4 }]);
	});
});
