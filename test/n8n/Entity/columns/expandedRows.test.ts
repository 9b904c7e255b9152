import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { Entity } from '../../../../nodes/Entity/Entity.node';
import { loadOptionsContext } from '../../../../testbed/engine/engine';
import { startTestServer, type TestServer } from '../../../../testbed/testServer';
import { ProxiedWorld } from '../../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../../testbed/world/worldGrid';

const world = new ProxiedWorld();
let elsewhere: TestServer;
let customers: WorldGrid;
let orders: WorldGrid;
let ids: string[];

beforeAll(async () => {
	elsewhere = await startTestServer((_request, response) => response.end('{"_id":"stolen"}'));
});
afterAll(async () => {
	await elsewhere.stop();
});
beforeEach(async () => {
	customers = await world.grid({ Name: 'string', City: 'string' });
	ids = await customers.fill({ Name: 'Alder & Finch', City: 'Basel' }, { Name: 'Birch', City: 'Bern' });
	orders = await world.grid({ Order: 'string', Customer: 'reference', Partners: 'references' });
});

const path = (id: string | undefined) => {
	const { userId, spaceId, gridId } = customers.grid.address;
	return `/api/users/${userId}/spaces/${spaceId}/grids/${gridId}/entities/${String(id)}`;
};
const link = (id: string | undefined) => ({ uri: path(id) });
const expanding = (...rule: INodeParameters[]) => ({ options: { expandLinkedRows: { rule } } });
const customer = { column: 'Customer', linkedColumns: 'Name' };
const run = async (operation: string, parameters: INodeParameters) => await orders.run(operation, parameters);
const readsOf = (gridId: string) =>
	world.proxy.requests.filter(({ path: of }) => of.includes(`/grids/${gridId}/entities/`)).length;

test.each([
	['getMany', () => ({ returnAll: true })],
	['getMany', () => ({ searchText: 'A' })],
	['get', (id: string | undefined) => ({ entity: { __rl: true, mode: 'id', value: String(id) } })],
] as Array<[string, (id: string | undefined) => INodeParameters]>)(
	'%s puts columns of the linked rows in place of their addresses',
	async (operation, parameters) => {
		const [id] = await orders.fill({
			Order: 'A',
			Customer: link(ids[0]),
			Partners: [link(ids[1]), link(ids[0])],
		});
		const given = { ...parameters(id), ...expanding(customer, { column: 'Partners', linkedColumns: '' }) };
		const { rows, error } = await run(operation, given);
		expect(error).toBeUndefined();
		expect(rows).toEqual([
			{
				_id: id,
				Order: 'A',
				Customer: { _id: ids[0], Name: 'Alder & Finch' },
				Partners: [
					{ _id: ids[1], Name: 'Birch', City: 'Bern' },
					{ _id: ids[0], Name: 'Alder & Finch', City: 'Basel' },
				],
			},
		]);
	},
);

test('rows that link the same row share no objects that a later node could change', async () => {
	const tagged = await world.grid({ Name: 'string', Tags: 'stringcollection' });
	const [id = ''] = await tagged.fill({ Name: 'Alder', Tags: ['a'] });
	const { userId, spaceId, gridId } = tagged.grid.address;
	const Customer = { uri: `/api/users/${userId}/spaces/${spaceId}/grids/${gridId}/entities/${id}` };
	await orders.fill({ Order: 'A', Customer }, { Order: 'B', Customer });
	const { rows } = await run('getMany', {
		returnAll: true,
		...expanding({ column: 'Customer', linkedColumns: '' }),
	});
	const [one, other] = rows.map(
		(row) => z.object({ Customer: z.object({ Tags: z.custom(Array.isArray) }) }).parse(row).Customer.Tags,
	);
	expect(other).toEqual(['a']);
	expect(other).not.toBe(one);
});

test('each linked row is read once', async () => {
	await orders.fill(
		...Array.from({ length: 30 }, (_, index) => ({ Order: `O-${index}`, Customer: link(ids[index % 2]) })),
	);
	const { rows } = await run('getMany', { returnAll: true, ...expanding(customer) });
	expect(rows).toHaveLength(30);
	expect(rows.every(({ Customer }) => JSON.stringify(Customer).includes('Name'))).toBe(true);
	expect(readsOf(customers.grid.id)).toBe(2);
});

test('sends nothing to the address of another server, absolute or scheme-relative', async () => {
	const foreign = [`${elsewhere.url}${path(ids[0])}`, `//127.0.0.1:${elsewhere.port}${path(ids[0])}`];
	await orders.fill(...foreign.map((uri, index) => ({ Order: `O-${index}`, Customer: { uri } })));
	const { rows, hints, error } = await run('getMany', { returnAll: true, ...expanding(customer) });
	expect(error).toBeUndefined();
	expect(rows.map(({ Customer }) => Customer)).toEqual(foreign.map((uri) => ({ uri })));
	expect(elsewhere.requests).toEqual([]);
	expect(hints.join()).toContain('"Customer": 2 links lead outside the base URL, so nothing was sent');
});

test('sends nothing to another path of the server', async () => {
	const foreign = [
		`/other${path(ids[0])}`,
		`/own/../other${path(ids[0])}`,
		`../other${path(ids[0])}`,
		`/own/..%2F2${path(ids[0])}`,
		`/own/%2e%2e/other${path(ids[0])}`,
		`${world.proxy.url}/other${path(ids[0])}`,
	];
	await orders.fill(
		...[...foreign, path(ids[0])].map((uri, at) => ({ Order: `O-${at}`, Customer: { uri } })),
	);
	world.proxy.setRules(({ path: of }) =>
		of.startsWith('/own/api/')
			? { kind: 'change', request: { path: of.slice('/own'.length) } }
			: { kind: 'response', status: 200, body: '{"_id":"stolen"}' },
	);
	const given = { returnAll: true, ...expanding(customer) };
	const { rows, hints, error } = await orders.run('getMany', given, [{}], {
		baseUrl: `${world.proxy.url}/own/api`,
	});
	expect(error).toBeUndefined();
	expect(world.proxy.requests.map(({ path: of }) => of).filter((of) => !of.startsWith('/own/api/'))).toEqual(
		[],
	);
	expect(rows.map(({ Customer }) => Customer)).toEqual([
		...foreign.map((uri) => ({ uri })),
		{ _id: ids[0], Name: 'Alder & Finch' },
	]);
	expect(hints.join()).toContain('"Customer": 6 links lead outside the base URL, so nothing was sent');
});

test('outputs the address of a deleted linked row, with a hint', async () => {
	await orders.fill(
		{ Order: 'A', Customer: link('gone') },
		{ Order: 'B', Customer: { uri: 'urn:other' }, Partners: [] },
		{ Order: 'C', Customer: null, Partners: [link(ids[1]), link('gone')] },
	);
	const rules = expanding(customer, { column: 'Partners', linkedColumns: 'City' });
	const { rows, hints } = await run('getMany', { returnAll: true, ...rules });
	expect(rows.map(({ Customer }) => Customer)).toEqual([link('gone'), { uri: 'urn:other' }, null]);
	expect(rows[2]).toMatchObject({ Partners: [{ _id: ids[1], City: 'Bern' }, link('gone')] });
	expect(hints.join()).toContain('"Partners": 1 linked row does not exist or may not be read');
});

test('reports an address without a grid as unknown, not as missing', async () => {
	const uris = ['/api/users/o/8b939460d520c4', '/api/users/o/spaces/%20/grids/%20/entities/e1'];
	await orders.fill(...uris.map((uri, at) => ({ Order: `O-${at}`, Customer: { uri } })));
	const { rows, hints } = await run('getMany', { returnAll: true, ...expanding(customer) });
	expect(rows.map(({ Customer }) => Customer)).toEqual(uris.map((uri) => ({ uri })));
	expect(hints).toEqual([
		'"Customer": 2 links do not contain the grid of the row, so its columns are unknown; the address is output instead.',
	]);
});

test('names columns as the operation does; by ID in raw data', async () => {
	await orders.fill({ Order: 'A', Customer: link(ids[0]) });
	const named = await run('getMany', {
		returnAll: true,
		options: { columnNaming: 'id', ...expanding(customer).options },
	});
	const expanded = { _id: ids[0], [customers.id('Name')]: 'Alder & Finch' };
	expect(named.rows[0]).toMatchObject({ [orders.id('Customer')]: expanded });
	const raw = await run('getMany', {
		returnAll: true,
		options: { simplify: false, ...expanding(customer).options },
	});
	expect(raw.rows[0]).toMatchObject({ [orders.id('Customer')]: expanded, _links: {} });
});

test.each([
	[
		{ column: 'Order' },
		'"Expand Linked Rows" refers to the column "Order", whose type Text does not link rows',
	],
	[
		{ column: 'Nothing' },
		'"Expand Linked Rows" refers to the column "Nothing", which the grid does not have',
	],
	[
		{ column: 'Customer', linkedColumns: 'Nothing' },
		'"Linked Columns" refers to the column "Nothing", which the grid does not have',
	],
])('%j is refused', async (rule, message) => {
	await orders.fill({ Order: 'A', Customer: link(ids[0]) });
	const { error } = await run('getMany', { returnAll: true, ...expanding(rule) });
	expect(error?.message).toContain(message);
});

test('a server error for a linked row fails the run', async () => {
	await orders.fill({ Order: 'A', Customer: link(ids[0]) });
	world.proxy.setRules(({ path: of }) =>
		of.includes(`/entities/${String(ids[0])}`) ? { kind: 'response', status: 401, body: '{}' } : undefined,
	);
	const { error } = await run('getMany', { returnAll: true, ...expanding(customer) });
	expect(error).toMatchObject({ httpCode: '401' });
});

test('a linked row that could not be read is read again for the next item', async () => {
	const [id] = await orders.fill({ Order: 'A', Customer: link(ids[0]) });
	const given = { entity: { __rl: true, mode: 'id', value: String(id) }, ...expanding(customer) };
	let failed = false;
	world.proxy.setRules(({ path: of }) => {
		if (failed || !of.includes(String(ids[0]))) return undefined;
		failed = true;
		return { kind: 'response', status: 500 };
	});
	const { rows } = await orders.run('get', given, [{}, {}], {
		credentials: {
			dataGridApi: { ...world.owner, baseUrl: world.proxy.url, waitForService: 0, requestsAtATime: 1 },
		},
		onError: 'continueRegularOutput',
	});
	expect(rows[0]).toMatchObject({ error: expect.stringContaining('500') as unknown });
	expect(rows[1]).toMatchObject({ Customer: { Name: 'Alder & Finch' } });
});

test('Expand Linked Rows and Find Linked Rows By only list columns that link rows', async () => {
	const node = new Entity();
	const columns = node.description.properties
		.flatMap(({ name, options }) => (name === 'options' ? (options ?? []) : []))
		.filter(({ name }) => ['expandLinkedRows', 'findLinkedRowsBy'].includes(name))
		.flatMap((option) => ('options' in option ? (option.options ?? []) : []))
		.flatMap((rule) => ('values' in rule ? rule.values : []))
		.filter(({ name }) => name === 'column');
	expect(new Set(columns.map(({ typeOptions }) => typeOptions?.loadOptionsMethod))).toEqual(
		new Set(['getLinkFields']),
	);
	const { getLinkFields } = node.methods.loadOptions;
	const offered = await getLinkFields.call(loadOptionsContext(orders.settings('getMany', {})));
	expect(offered.map(({ name }) => name)).toEqual(['Customer', 'Partners']);
});
