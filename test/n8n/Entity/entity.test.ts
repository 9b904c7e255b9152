import type { INodeListSearchResult, ResourceMapperFields } from 'n8n-workflow';
import { Entity } from '../../../nodes/Entity/Entity.node';
import {
	loadOptionsContext,
	runNode,
	testCredential,
	type NodeSettings,
} from '../../../testbed/engine/engine';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const node = new Entity();
let world: World;
let grid: string;
let orders: WorldGrid;
let columns: ResourceMapperFields['fields'];

function settings(
	operation: string,
	parameters: NodeSettings['parameters'],
	extra: Partial<NodeSettings> = {},
): NodeSettings {
	return {
		type: 'n8n-nodes-datagrid.entity',
		parameters: {
			resource: 'entity',
			operation,
			grid: { __rl: true, mode: 'list', value: grid },
			...parameters,
		},
		credentials: { dataGridApi: credential() },
		...extra,
	};
}

function credential(overrides: Record<string, string> = {}) {
	return { ...world.owner, ...overrides };
}

/** Column mapping by field ID, as the editor stores it. */
function mapped(values: Record<string, string | number | boolean | null>) {
	const value = Object.fromEntries(Object.entries(values).map(([name, cell]) => [idOf(name), cell]));
	return { columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] } };
}

const idOf = (name: string) => orders.id(name);

async function lists(
	name: 'searchSpaces' | 'searchGrids' | 'searchEntities',
	parameters: NodeSettings['parameters'],
	filter?: string,
): Promise<INodeListSearchResult> {
	return await node.methods.listSearch[name].call(loadOptionsContext(settings('get', parameters)), filter);
}

beforeAll(async () => {
	world = await World.start({ seed: 'demo' });
	grid = '';
	const found = await lists('searchGrids', {}, 'orders');
	grid = String(found.results[0]?.value);
	orders = await world.demoGrid('Orders');
	const editor = loadOptionsContext(settings('create', {}));
	columns = (await node.methods.resourceMapping.getColumns.call(editor)).fields;
});

afterAll(async () => {
	await world.stop();
});

const anyId: unknown = expect.any(String);

function idIn(rows: Array<Record<string, unknown>>): string {
	const id = rows[0]?._id;
	if (typeof id !== 'string') throw new Error(`No _id in ${JSON.stringify(rows)}`);
	return id;
}

async function createOrder(values: Record<string, string | number | boolean | null>): Promise<string> {
	const { rows, error } = await runNode(settings('create', mapped(values)));
	if (error) throw error;
	return idIn(rows);
}

const entityOf = (id: string) => ({ entity: { __rl: true, mode: 'id', value: id } });

describe('pickers', () => {
	test('list spaces and grids by name, grids with their space', async () => {
		expect((await lists('searchSpaces', {})).results.map(({ name }) => name)).toContain('Operations');
		const grids = (await lists('searchGrids', {})).results.map(({ name }) => name);
		expect(grids).toEqual(expect.arrayContaining(['Orders (Operations)', 'Activity (Operations)']));
	});

	test('list only grids of the chosen space that match the search', async () => {
		const space = (await lists('searchSpaces', {}, 'operations')).results[0]?.value ?? '';
		const parameters = { space: { __rl: true, mode: 'list', value: String(space) } };
		expect((await lists('searchGrids', parameters)).results.map(({ name }) => name)).toContain('Orders');
		expect((await lists('searchGrids', parameters, 'activ')).results.map(({ name }) => name)).toEqual([
			'Activity',
		]);
	});

	test('list entities by the text of their first column', async () => {
		const id = await createOrder({ Order: 'Listed by its name' });
		const { results } = await lists(
			'searchEntities',
			{ grid: { __rl: true, mode: 'list', value: grid } },
			'listed by',
		);
		expect(results).toEqual([{ name: 'Listed by its name', value: id }]);
	});

	test.each(['url', 'id'])('a grid can be named by %s', async (mode) => {
		const [spaceId = '', gridId = ''] = grid.split('/');
		const value =
			mode === 'url'
				? `${world.service.url}/api/users/${world.service.userId}/spaces/${spaceId}/grids/${gridId}`
				: gridId;
		const { rows, error } = await runNode(
			settings('getMany', { grid: { __rl: true, mode, value }, limit: 1 }),
		);
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(1);
	});

	test('the column mapper has the types of the columns, without computed ones', () => {
		expect(columns.find(({ displayName }) => displayName === 'Status')).toMatchObject({ type: 'options' });
		expect(columns.find(({ displayName }) => displayName === 'Paid')).toMatchObject({ type: 'boolean' });
		expect(columns.find(({ displayName }) => displayName === 'Quantity')).toMatchObject({ type: 'number' });
	});
});

describe('create', () => {
	test('writes the mapped columns and outputs ID and values by column name', async () => {
		const { rows, items } = await runNode(
			settings('create', mapped({ Order: 'A-1', Quantity: 0, Paid: false })),
		);
		expect(rows).toEqual([{ _id: anyId, Order: 'A-1', Quantity: 0, Paid: false }]);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		const { rows: read } = await runNode(settings('get', entityOf(idIn(rows))));
		expect(read[0]).toMatchObject({ Order: 'A-1', Quantity: 0, Paid: false });
	});

	test('maps the input automatically by name, key or ID, and reports unmatched members', async () => {
		const auto = {
			columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
		};
		const input = [{ Order: 'by name', Unplaced: 1 }, { order: 'by key' }, { [idOf('Order')]: 'by id' }];
		const { rows, hints, error } = await runNode(settings('create', auto), input);
		expect(error).toBeUndefined();
		expect(rows.map(({ Order }) => Order)).toEqual(['by name', 'by key', 'by id']);
		expect(hints).toEqual(['Not written, because "Orders" has no such column: Unplaced']);
	});

	test('an empty mapping creates an entity only if Allow Empty Row is on', async () => {
		const refused = await runNode(settings('create', mapped({ Order: null })));
		expect(refused.error?.message).toBe('"Columns" has no value for any column of the grid "Orders"');
		const allowed = { ...mapped({}), options: { allowEmptyRow: true } };
		const { rows, error } = await runNode(settings('create', allowed));
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ _id: anyId }]);
	});

	test('Read Rows Back outputs computed values, too', async () => {
		const { rows } = await runNode(
			settings('create', { ...mapped({ Order: 'A-2' }), options: { readRowsBack: true } }),
		);
		expect(rows[0]).toMatchObject({ Order: 'A-2', Customer: null });
	});

	test('an invalid value is reported with column, type and value, and nothing is sent', async () => {
		const { error } = await runNode(settings('create', mapped({ Order: 'A-3', Quantity: 'many' })));
		expect(error?.message).toBe(
			'Column "Quantity" requires a value of the type Whole Number, but got "many"',
		);
	});
});

describe('update', () => {
	test('writes only the mapped columns; null clears a column; 0, false and "" are values', async () => {
		const id = await createOrder({ Order: 'U-1', Customer: 'Ada', Quantity: 3, Paid: true, Notes: 'x' });
		const { rows, error } = await runNode(
			settings('update', {
				...entityOf(id),
				...mapped({ Customer: null, Quantity: 0, Paid: false, Notes: '' }),
			}),
		);
		expect(error).toBeUndefined();
		expect(rows[0]).toMatchObject({
			_id: id,
			Order: 'U-1',
			Customer: null,
			Quantity: 0,
			Paid: false,
			Notes: '',
		});
	});

	test('a missing entity is reported', async () => {
		const { error } = await runNode(
			settings('update', { ...entityOf('nowhere'), ...mapped({ Order: 'x' }) }),
		);
		expect(error).toMatchObject({ httpCode: '404' });
	});
});

describe('get many', () => {
	test('applies the limit, and Return All reads every page', async () => {
		const all = await runNode(settings('getMany', { returnAll: true }));
		const few = await runNode(settings('getMany', { limit: 7 }));
		expect(few.rows).toEqual(all.rows.slice(0, 7));
		expect(new Set(all.rows.map(({ _id }) => _id)).size).toBe(all.rows.length);
	});

	test('filters by $eq and sorts', async () => {
		await createOrder({ Order: 'S-1', Customer: 'Sorted', Quantity: 1 });
		await createOrder({ Order: 'S-2', Customer: 'Sorted', Quantity: 2 });
		const filter = JSON.stringify({ [idOf('Customer')]: { $eq: 'Sorted' } });
		const sorting = JSON.stringify({ [idOf('Quantity')]: { $order: 'descending' } });
		const { rows } = await runNode(settings('getMany', { returnAll: true, options: { filter, sorting } }));
		expect(rows.map(({ Order }) => Order)).toEqual(['S-2', 'S-1']);
	});

	test('names columns by key or ID if requested', async () => {
		const byKey = await runNode(settings('getMany', { limit: 1, options: { columnNaming: 'key' } }));
		expect(Object.keys(byKey.rows[0] ?? {})).toContain('order');
		const byId = await runNode(settings('getMany', { limit: 1, options: { columnNaming: 'id' } }));
		expect(Object.keys(byId.rows[0] ?? {})).toContain(idOf('Order'));
	});

	test('reports a filter that is not JSON', async () => {
		const { error } = await runNode(settings('getMany', { options: { filter: '{ nonsense' } }));
		expect(error?.message).toContain('"Filter (JSON)" cannot be used');
	});
});

describe('delete', () => {
	test('deletes the entity and outputs its ID', async () => {
		const id = await createOrder({ Order: 'D-1' });
		expect((await runNode(settings('delete', entityOf(id)))).rows).toEqual([{ deleted: true, _id: id }]);
		expect((await runNode(settings('get', entityOf(id)))).error).toMatchObject({ httpCode: '404' });
	});
});

describe('items and errors', () => {
	const perItem = { grid: { __rl: true, mode: 'list', value: '' }, ...entityOf('={{ $json.id }}') };

	test('each item runs with its own values, and its output is paired with it', async () => {
		const ids = [await createOrder({ Order: 'P-1' }), await createOrder({ Order: 'P-2' })];
		const { items } = await runNode(
			settings('get', { ...perItem, grid: { __rl: true, mode: 'list', value: grid } }),
			ids.map((id) => ({ id })),
		);
		expect(items.map(({ json, pairedItem }) => [json.Order, pairedItem])).toEqual([
			['P-1', { item: 0 }],
			['P-2', { item: 1 }],
		]);
	});

	test('without continue on fail, the first failing item ends the run and is named', async () => {
		const { error } = await runNode(settings('get', entityOf('={{ $json.id }}')), [
			{ id: await createOrder({ Order: 'First' }) },
			{ id: 'gone' },
		]);
		expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 1 } });
	});

	test('the error output has one paired item per failed item', async () => {
		const good = await createOrder({ Order: 'E-1' });
		const { outputs } = await runNode(
			settings('get', entityOf('={{ $json.id }}'), { onError: 'continueErrorOutput' }),
			[{ id: 'gone' }, { id: good }, { id: 'also gone' }],
		);
		expect(outputs[0]?.map(({ json }) => json._id)).toEqual([good]);
		expect(outputs[1]?.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			['gone', { item: 0 }],
			['also gone', { item: 2 }],
		]);
	});

	test('Retry On Fail with continue on fail does not write successful rows again', async () => {
		const before = (await runNode(settings('getMany', { returnAll: true }))).rows.length;
		const columns = {
			mappingMode: 'defineBelow',
			value: { [idOf('Quantity')]: '={{ $json.quantity }}' },
			matchingColumns: [],
			schema: [],
		};
		const run = await runNode(
			settings('create', { columns }, { onError: 'continueRegularOutput', retryOnFail: true }),
			[{ quantity: 'not a number' }, { quantity: 5 }],
		);
		expect(run.rows[0]).toHaveProperty('error');
		const after = (await runNode(settings('getMany', { returnAll: true }))).rows.length;
		expect(after - before).toBe(1);
	});

	test('the error for an empty picker names its expression', async () => {
		const { error } = await runNode(
			settings('getMany', { grid: { __rl: true, mode: 'id', value: '={{ $json.nothing }}' } }),
		);
		expect(error?.message).toBe('The expression of "Grid" returns nothing (undefined)');
	});
});

describe('credential', () => {
	const check = async (overrides: Record<string, string> = {}) =>
		await testCredential('n8n-nodes-datagrid.entity', 'testConnection', credential(overrides));

	test('accepts a valid key and secret, also with a trailing slash or /api in the base URL', async () => {
		expect(await check()).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(await check({ baseUrl: `${world.service.url}/` })).toMatchObject({ status: 'OK' });
		expect(await check({ baseUrl: `${world.service.url}/api` })).toMatchObject({ status: 'OK' });
	});

	test('the message for a wrong secret says what to check and does not contain the secret', async () => {
		const { status, message } = await check({ secret: 'wrong-secret' });
		expect(status).toBe('Error');
		expect(message).toContain('rejected the credentials');
		expect(message).not.toContain('wrong-secret');
	});

	test('distinguishes an unreachable server from an invalid address', async () => {
		expect((await check({ baseUrl: 'http://127.0.0.1:1' })).message).toContain('connection refused');
		expect((await check({ baseUrl: 'grids' })).message).toContain('not a web address');
	});
});
