import { NodeHelpers } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { loadOptionsContext } from '../../../testbed/engine/engine';
import { byId } from '../../../testbed/world/parameters';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { GridRunOptions, WorldGrid } from '../../../testbed/world/worldGrid';

const bed = new ProxiedWorld();
let people: WorldGrid;
let ids: string[];

const columns = {
	Name: 'string',
	City: 'string',
	Age: 'integer',
	Paid: 'boolean',
	Since: 'date',
	Note: 'string',
};

beforeAll(async () => {
	people = await bed.grid(columns);
	ids = await people.fill(
		{ Name: 'Ada', City: 'London', Age: 36, Paid: true, Since: '2024-01-01' },
		{ Name: 'Bo', City: 'Oslo', Age: 0, Paid: false, Note: '' },
		{ Name: 'Cy', City: 'Oslo', Age: 51 },
	);
});

const entity = (id = '') => ({ entity: byId(id) });
const named = (rows: Array<Record<string, unknown>>) => rows.map(({ Name }) => Name);
const only = (...condition: Array<{ column: string; operator: string; value?: string }>) => ({
	returnAll: true,
	conditions: { condition: condition.map((one) => ({ ...one, column: people.id(one.column) })) },
});

describe('filter and sorting from columns', () => {
	test.each([
		['text', [{ column: 'City', operator: '$eq', value: 'Oslo' }], ['Bo', 'Cy']],
		['a number given as text', [{ column: 'Age', operator: '$eq', value: '0' }], ['Bo']],
		['a boolean given as text', [{ column: 'Paid', operator: '$eq', value: 'false' }], ['Bo']],
		['no value', [{ column: 'Note', operator: 'null' }], ['Ada', 'Cy']],
		['an empty text', [{ column: 'Note', operator: '$eq', value: '' }], ['Bo']],
		['a list', [{ column: 'Name', operator: '$in', value: 'Ada, Cy' }], ['Ada', 'Cy']],
		['a list as in CSV', [{ column: 'Name', operator: '$in', value: 'Ada, "Cy"' }], ['Ada', 'Cy']],
		['a quoted text', [{ column: 'Name', operator: '$in', value: '"Ada"' }], ['Ada']],
		[
			'a range',
			[
				{ column: 'Age', operator: '$gt', value: '0' },
				{ column: 'Age', operator: '$lt', value: '51' },
			],
			['Ada'],
		],
		['any value', [{ column: 'Note', operator: 'notNull' }], ['Bo']],
		[
			'a text that is not contained',
			[{ column: 'Name', operator: 'notContains', value: 'o' }],
			['Ada', 'Cy'],
		],
		[
			'two texts that are contained',
			[
				{ column: 'City', operator: '$contains', value: 'o' },
				{ column: 'City', operator: '$contains', value: 'd' },
			],
			['Ada'],
		],
		[
			'two texts that are not contained',
			[
				{ column: 'Name', operator: 'notContains', value: 'd' },
				{ column: 'City', operator: 'notContains', value: 'Lon' },
			],
			['Bo', 'Cy'],
		],
	])('filters by %s', async (_what, conditions, expected) => {
		const { rows, error } = await people.run('getMany', only(...conditions));
		expect(error).toBeUndefined();
		expect(named(rows)).toEqual(expected);
	});

	test('combines conditions with Any', async () => {
		const conditions = [
			{ column: 'City', operator: '$eq', value: 'London' },
			{ column: 'Age', operator: '$eq', value: '51' },
			{ column: 'Name', operator: 'notContains', value: 'y' },
		];
		const { rows, error } = await people.run('getMany', {
			...only(...conditions.slice(0, 2)),
			options: { combine: 'any' },
		});
		expect(error).toBeUndefined();
		expect(named(rows)).toEqual(['Ada', 'Cy']);
		expect(
			named((await people.run('getMany', { ...only(...conditions), options: { combine: 'any' } })).rows),
		).toHaveLength(3);
		expect(
			named((await people.run('getMany', { ...only(), options: { combine: 'any' } })).rows),
		).toHaveLength(3);
	});

	test('compares with an empty text only if the column can contain one', async () => {
		for (const [column, operator, value] of [
			['Age', '$eq', ''],
			['Since', '$gt', ' '],
			['Paid', '$ne', ''],
			['Age', '$in', '1,,2'],
		] as const) {
			const { error } = await people.run('getMany', only({ column, operator, value }));
			expect(error?.message).toContain(`The condition on "${column}" compares with an empty text`);
		}
	});

	test('names a column that occurs twice in the sorting or filter', async () => {
		const column = people.id('City');
		const by = [column, column].map((one) => ({ column: one, direction: 'ascending' }));
		expect((await people.run('getMany', { options: { sort: { by } } })).error?.message).toBe(
			'"Sort" contains a column twice',
		);
		const filter = JSON.stringify({ City: { $eq: 'Oslo' }, [column]: { $eq: 'London' } });
		const { error } = await people.run('getMany', { options: { filter } });
		expect(error?.message).toBe('"Filter (JSON)" contains the column "City" twice');
	});

	test('sorts by several columns in order', async () => {
		const by = [
			{ column: people.id('City'), direction: 'descending' },
			{ column: people.id('Name'), direction: 'ascending' },
		];
		const { rows } = await people.run('getMany', { returnAll: true, options: { sort: { by } } });
		expect(named(rows)).toEqual(['Bo', 'Cy', 'Ada']);
	});

	test('a view limits the rows; the conditions are combined with its filter or replace it', async () => {
		const view = { view: byId(await people.view(['Name', 'City'], { City: { $eq: 'Oslo' } })) };
		expect(named((await people.run('getMany', { ...view, returnAll: true })).rows)).toEqual(['Bo', 'Cy']);
		const adult = only({ column: 'Age', operator: '$eq', value: '36' });
		expect((await people.run('getMany', { ...view, ...adult })).rows).toEqual([]);
		const replacing = { ...view, ...adult, options: { combineWithView: false } };
		expect(named((await people.run('getMany', replacing)).rows)).toEqual(['Ada']);
	});
});

describe('output', () => {
	test('a search outputs full rows, or only their first four columns if requested', async () => {
		const full = await people.run('getMany', { searchText: 'ada' });
		expect(full.rows).toEqual([expect.objectContaining({ Name: 'Ada', Since: '2024-01-01' })]);
		const options = { onlyFirstColumns: true };
		const { rows } = await people.run('getMany', { searchText: 'ada', options });
		expect(rows).toEqual([{ _id: ids[0], Name: 'Ada', City: 'London', Age: 36, Paid: true }]);
		const all = await people.run('getMany', { searchText: ' ', returnAll: true });
		expect(all.rows).toHaveLength(ids.length);
	});

	test('a search in a grid of at most four columns takes one request', async () => {
		const grid = await bed.grid({ Name: 'string' });
		await grid.fill({ Name: 'Eve' });
		const { rows } = await grid.run('getMany', { searchText: 'eve' });
		expect(rows).toMatchObject([{ Name: 'Eve' }]);
		expect(bed.proxy.requests.filter(({ path }) => path.includes('/entities'))).toEqual([]);
	});

	test('with a text to search for, the editor shows neither conditions nor sorting', () => {
		const { description } = new Entity();
		const { properties } = description;
		const values = { resource: 'entity', operation: 'getMany' };
		const shown = (searchText: string) =>
			properties
				.filter((one) => NodeHelpers.displayParameter({ ...values, searchText }, one, null, description))
				.map(({ name }) => name);
		expect(shown('')).toContain('conditions');
		expect(shown('ada')).not.toContain('conditions');
		const options = { ...values, options: { sort: {}, filter: '{}', combineWithView: true } };
		const kept = NodeHelpers.getNodeParameters(
			properties,
			{ ...options, searchText: 'ada' },
			false,
			false,
			null,
			description,
		);
		expect(kept?.['options']).toEqual({});
	});
});

test('omits a row that was deleted between search and reading, with a hint', async () => {
	const grid = await bed.grid(columns);
	const found = await grid.fill({ Name: 'Dee' }, { Name: 'Dee' }, { Name: 'Dee' });
	bed.proxy.setRules(({ path }) =>
		path.includes(`/entities/${found[1] ?? ''}`) ? { kind: 'response', status: 404 } : undefined,
	);
	const given = { searchText: 'dee', returnAll: true };
	const { rows, error, hints } = await grid.run('getMany', given);
	expect(error).toBeUndefined();
	expect(rows.map(({ _id }) => _id)).toEqual([found[0], found[2]]);
	expect(hints).toContain(
		'1 of 3 rows were deleted before they could be read in full. They are missing from the output.',
	);
});

describe('items and errors', () => {
	const getEach = (of: Array<string | undefined>, extra: GridRunOptions = {}) =>
		people.run(
			'get',
			entity('={{ $json.id }}'),
			of.map((id) => ({ id })),
			extra,
		);

	test('without continue on fail, the first failing item ends the run and is named', async () => {
		const { error } = await getEach([ids[0], 'gone']);
		expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 1 } });
	});

	test('each item has its own values and goes to its own branch, paired with its input', async () => {
		const { outputs } = await getEach(['gone', ids[1], 'also gone', ids[0]], {
			onError: 'continueErrorOutput',
		});
		const paired = outputs.map((items) =>
			items.map(({ json, pairedItem }) => [json['Name'] ?? json['id'], pairedItem]),
		);
		expect(paired).toEqual([
			[['Bo', { item: 1 }], ['Ada', { item: 3 }]],
			[['gone', { item: 0 }], ['also gone', { item: 2 }]],
		]); // prettier-ignore
	});

	test('columns are named by key or ID if requested', async () => {
		const named = async (columnNaming: string) =>
			(await people.run('getMany', { limit: 1, options: { columnNaming } })).rows;
		expect(await named('key')).toMatchObject([{ name: 'Ada' }]);
		expect(await named('id')).toMatchObject([{ [people.id('Name')]: 'Ada' }]);
	});

	test('Retry On Fail with a failed item that continues does not write the others again', async () => {
		const grid = await bed.grid({ Count: 'integer' });
		const { rows } = await grid.run('create', grid.auto(), [{ Count: 'not a number' }, { Count: 5 }], {
			onError: 'continueRegularOutput',
			retryOnFail: true,
		});
		expect(rows[0]).toHaveProperty('error');
		expect(await grid.rows()).toEqual([{ Count: 5 }]);
	});
});

describe('writes', () => {
	test('refuses an item without a matching column', async () => {
		const grid = await bed.grid({ Name: 'string' });
		const [id] = await grid.fill({ Name: 'x' });
		const created = await grid.run('create', grid.auto(), [{ Nmae: 'y' }]);
		expect(created.error?.message).toContain('no value for any column of the grid');
		expect(created.error?.message).toContain('which has no column for "Nmae"');
		const updated = await grid.run('update', { ...grid.auto(), ...entity(id) }, [{ Nmae: 'y' }]);
		expect(updated.error?.message).toContain('which has no column for "Nmae"');
		expect(await grid.rows()).toEqual([{ Name: 'x' }]);
		const allowed = { ...grid.auto(), options: { allowEmptyRow: true } };
		expect((await grid.run('create', allowed, [{ Nmae: 'y' }])).rows).toHaveLength(1);
	});

	test('counts switches that nobody touched as no value', async () => {
		const grid = await bed.grid({ Name: 'string', Done: 'boolean' });
		const preset = await grid.run('create', grid.mapped({ Name: null, Done: false }), [{ Name: 'y' }]);
		expect(preset.error?.message).toContain('"Columns" has no value for any column of the grid');
		expect(await grid.rows()).toEqual([]);
		const mapped = await grid.run('create', grid.mapped({ Done: '={{ $json.Done }}' }), [{ Done: false }]);
		expect(mapped.rows).toMatchObject([{ Done: false }]);
		expect((await grid.run('create', grid.auto(), [{ Done: false }])).rows).toMatchObject([{ Done: false }]);
	});

	test('says that an update without values changes nothing', async () => {
		const grid = await bed.grid({ Name: 'string' });
		const [id] = await grid.fill({ Name: 'x' });
		const none = await grid.run('update', { ...grid.mapped({}), ...entity(id) });
		expect(none.error).toBeUndefined();
		expect(none.hints).toEqual([
			'1 unchanged',
			'Items without a value for any column: 1 of 1. Their rows stay as they are.',
		]);
		const given = { ...grid.auto(), ...entity(id) };
		const some = await grid.run('update', given, [{}, { Name: 'y' }, {}]);
		expect(some.hints.join()).toContain('Items without a value for any column: 2 of 3.');
		expect((await grid.run('update', given, [{ Name: null }])).hints).toEqual(['1 updated']);
	});

	test('clears columns; refuses a column that also has a value', async () => {
		const grid = await bed.grid({ Name: 'string', Count: 'integer' });
		const [id] = await grid.fill({ Name: 'x', Count: 0 });
		const clear = { ...entity(id), options: { columnsToClear: [grid.id('Count')] } };
		const { rows } = await grid.run('update', { ...clear, ...grid.mapped({}) });
		expect(rows[0]).toMatchObject({ Name: 'x', Count: null });
		const { error } = await grid.run('update', { ...clear, ...grid.mapped({ Count: 1 }) });
		expect(error?.message).toBe('"Count" both has a value and is cleared');
	});

	test('writes many items in order; an invalid item prevents all writes', async () => {
		const grid = await bed.grid({ Count: 'integer' });
		const input = Array.from({ length: 60 }, (_, Count) => ({ Count }));
		const summary: unknown = expect.stringContaining('60 not tried (0 to 59)');
		const bad = await grid.run('create', grid.auto(), [...input, { Count: 'many' }]);
		expect(bad.error).toMatchObject({ context: { itemIndex: 60 } });
		expect(bad.error).toMatchObject({ description: summary });
		expect(await grid.rows()).toEqual([]);
		const { rows, items } = await grid.run('create', grid.auto(), input, { requestsAtATime: 8 });
		expect(rows.map(({ Count }) => Count)).toEqual(input.map(({ Count }) => Count));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
	});

	test('after a 401, the remaining items are reported as not tried', async () => {
		bed.proxy.setRules(({ method }) => (method === 'POST' ? { kind: 'response', status: 401 } : undefined));
		const input = Array.from({ length: 50 }, (_, index) => ({ Name: `n${index}` }));
		const extra = { onError: 'continueRegularOutput' } as const;
		const { rows } = await people.run('create', people.auto(), input, extra);
		expect(rows).toHaveLength(50);
		expect(rows[0]?.error).toContain('rejected the credentials');
		expect(rows.at(-1)?.error).toContain('Not tried, because item 0');
	});
});

describe('unusual grids', () => {
	const options = async (grid: WorldGrid) =>
		await new Entity().methods.resourceMapping.getColumns.call(
			loadOptionsContext(grid.settings('create', {})),
		);

	test('handles a grid without columns and rows', async () => {
		const grid = await bed.grid({});
		expect((await options(grid)).fields).toEqual([]);
		const read = await grid.run('getMany', { returnAll: true });
		expect([read.error, read.rows]).toEqual([undefined, []]);
		expect((await grid.run('create', grid.auto(), [{}])).rows).toHaveLength(1);
	});

	test('reads the columns of a grid again for the next item after a failed reading', async () => {
		const grid = await bed.grid({ Name: 'string' });
		bed.proxy.setRules(
			({ headers }) => ({
				kind: 'change',
				request: { headers: { ...headers, accept: 'application/vnd.service.hal' } },
			}),
			({ path }) =>
				path.endsWith('/schema') && bed.proxy.requests.filter((sent) => sent.path === path).length === 1
					? { kind: 'response', status: 500 }
					: undefined,
		);
		const { rows } = await grid.run('create', grid.auto(), [{ Name: 'a' }, { Name: 'b' }], {
			credentials: { dataGridApi: { ...bed.owner, baseUrl: bed.proxy.url, waitForService: 0 } },
			onError: 'continueRegularOutput',
		});
		expect(rows).toMatchObject([{ error: expect.stringContaining('500') as unknown }, { Name: 'b' }]);
	});

	test('handles names in other scripts and with quotes', async () => {
		const names = ['Größe', '名前', 'Имя "в кавычках"', "it's", 'a.b [c]', '_outcome'];
		const grid = await bed.grid(Object.fromEntries(names.map((name) => [name, 'string'])));
		const { rows, error } = await grid.run('create', grid.auto(), [
			Object.fromEntries(names.map((name) => [name, `${name}!`])),
		]);
		expect(error).toBeUndefined();
		expect(await grid.rows()).toEqual([Object.fromEntries(names.map((name) => [name, `${name}!`]))]);
		expect(rows[0]).toMatchObject({ 名前: '名前!', "it's": "it's!" });
		expect(Object.keys(rows[0] ?? {})).not.toContain('_outcome');
	});
});
