import { NodeHelpers, type INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { Entity } from '../../../nodes/Entity/Entity.node';
import { runNode } from '../../../testbed/engine/engine';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** The node as a tool of an AI agent; n8n appends "Tool" to its type. */
const world = World.forTests();
let orders: WorldGrid;
let id: string;

beforeAll(async () => {
	orders = await world.grid({ Order: 'string', Amount: 'integer' });
	[id = ''] = await orders.fill({ Order: 'A', Amount: 3 });
});

const asTool = async (operation: string, parameters: INodeParameters) =>
	await runNode({ ...orders.settings(operation, parameters), type: 'n8n-nodes-datagrid.entityTool' });

const inputs: Array<[string, INodeParameters]> = [
	['get', {}],
	['getMany', {}],
];
const chosen = (operation: string) =>
	operation === 'get' ? { entity: { __rl: true, mode: 'id', value: id } } : {};

describe.each(inputs)('%s', (operation, parameters) => {
	const read = async (more: INodeParameters) => {
		const { rows, error } = await asTool(operation, { ...parameters, ...chosen(operation), ...more });
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(1);
		return rows[0] ?? {};
	};

	test('returns simplified rows by default', async () => {
		const row = await read({});
		expect(row).toMatchObject({ _id: id, Order: 'A', Amount: 3 });
		expect(row).not.toHaveProperty('_links');
	});

	test('returns the row as the service sends it', async () => {
		const row = await read({ output: 'raw' });
		expect(row).toHaveProperty([orders.id('Order')], 'A');
		expect(row).toHaveProperty('_links');
	});

	test('returns the chosen columns', async () => {
		expect(await read({ output: 'selected', outputFields: [orders.id('Amount')] })).toEqual({
			_id: id,
			Amount: 3,
		});
	});

	test('applies saved settings that have no input Output', async () => {
		expect(await read({ options: { simplify: false } })).toHaveProperty('_links');
		const options = { outputColumns: [orders.id('Order')] };
		expect(await read({ options })).toEqual({ _id: id, Order: 'A' });
	});

	test('Output has no effect outside of agents', async () => {
		const { rows } = await orders.run(operation, { ...parameters, ...chosen(operation), output: 'raw' });
		expect(rows[0]).not.toHaveProperty('_links');
	});
});

/** Returns the initial mapping mode of a new node in the editor. */
function firstMode(operation: string, name: string): unknown {
	const description = { ...new Entity().description, name };
	const given = { resource: 'entity', operation };
	const shown = NodeHelpers.getNodeParameters(description.properties, given, true, false, null, description);
	return z.object({ columns: z.object({ mappingMode: z.string() }) }).parse(shown).columns.mappingMode;
}

test.each(['upsert', 'sync'])(
	'as a tool, %s initially has columns that a model can fill',
	async (operation) => {
		expect(firstMode(operation, 'entity')).toBe('autoMapInputData');
		expect(firstMode(operation, 'entityTool')).toBe('defineBelow');
		const values = orders.mapped({ Order: operation, Amount: 4 }, ['Order']);
		const { error } = await runNode({
			...orders.settings(operation, values),
			type: 'n8n-nodes-datagrid.entityTool',
		});
		expect(error).toBeUndefined();
		expect(await orders.rows()).toContainEqual({ Order: operation, Amount: 4 });
	},
);

test('as a tool, the node starts with a reading operation', () => {
	const description = { ...new Entity().description, name: 'entityTool' };
	const shown = NodeHelpers.getNodeParameters(description.properties, {}, true, false, null, description);
	expect(shown).toMatchObject({ resource: 'entity', operation: 'getMany' });
});

test('n8n 2.41 loads new and changed columns when a node that writes is opened', () => {
	const mappers = new Entity().description.properties.filter(({ name }) => name === 'columns');
	const refresh = { refreshIncompleteSchemaOnOpen: true, refreshStaleSchemaOnOpen: true };
	expect(mappers.length).toBeGreaterThan(0);
	for (const { typeOptions } of mappers) expect(typeOptions).toMatchObject({ resourceMapper: refresh });
});

describe('Rows per Run', () => {
	test('is offered by each operation that writes rows', () => {
		const { properties } = new Entity().description;
		const shownFor = (name: string, resource: string) =>
			properties
				.filter((one) => one.name === name && one.displayOptions?.show?.['resource']?.includes(resource))
				.flatMap(({ displayOptions }) => displayOptions?.show?.['operation'] ?? []);
		// A tool gets no file.
		for (const resource of ['entity', 'history'])
			expect(shownFor('rowsPerRun', resource).sort()).toEqual(
				shownFor('dryRun', resource)
					.filter((operation) => operation !== 'importFile')
					.sort(),
			);
	});

	const limited = async (executionId: string, operation: string, parameters: INodeParameters) =>
		await runNode({
			...stock.settings(operation, { rowsPerRun: 3, ...parameters }),
			type: 'n8n-nodes-datagrid.entityTool',
			executionId,
		});
	let stock: WorldGrid;

	beforeEach(async () => {
		stock = await world.grid({ Article: 'string', Count: 'integer' });
		await stock.fill(...['A', 'B', 'C', 'D', 'E'].map((Article) => ({ Article, Count: 1 })));
	});

	const whereCount = (value: string) => ({
		conditions: { condition: [{ column: stock.id('Count'), operator: '$eq', value }] },
	});
	const message = /would change 5 rows after 0 .*"Rows per Run" allows 3; nothing was written/;

	test.each(['updateMany', 'deleteMany'])('%s is refused before its first write', async (operation) => {
		const columns = operation === 'updateMany' ? stock.mapped({ Count: 2 }) : {};
		const options = { limitPercent: 100 };
		const { error } = await limited('many', operation, { ...columns, ...whereCount('1'), options });
		expect(error?.message).toMatch(message);
		expect(error).toHaveProperty('description', expect.stringMatching(/ask a person/));
		expect(await stock.rows()).toHaveLength(5);
		expect(await stock.rows()).toContainEqual({ Article: 'E', Count: 1 });
	});

	test('a sync is refused before its first write', async () => {
		const values = stock.mapped({ Article: 'F', Count: 2 }, ['Article']);
		const options = { deletionLimit: 100 };
		const { error } = await limited('sync', 'sync', { ...values, rowsNotInInput: 'delete', options });
		expect(error?.message).toMatch(/would change 6 rows/);
		expect(await stock.rows()).toHaveLength(5);
	});

	test('a dry run is not limited, and does not count', async () => {
		const dry = { ...stock.mapped({ Count: 2 }), ...whereCount('1'), dryRun: true };
		expect((await limited('dry', 'updateMany', dry)).rows).toHaveLength(5);
		expect((await limited('dry', 'create', stock.mapped({ Article: 'F' }))).error).toBeUndefined();
	});

	test('the calls of one execution count together, those of another anew', async () => {
		const create = async (executionId: string) =>
			(await limited(executionId, 'create', stock.mapped({ Article: 'F' }))).error?.message;
		for (let calls = 0; calls < 3; calls++) expect(await create('loop')).toBeUndefined();
		expect(await create('loop')).toMatch(/would change 1 row after 3 /);
		expect(await create('other')).toBeUndefined();
		expect(await stock.rows()).toHaveLength(9);
	});

	test('a sync that adds a column counts its rows once', async () => {
		const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Article'] };
		const run = async (items: Array<Record<string, string>>) => {
			const options = { missing: { values: { missingColumns: 'add' } } };
			const parameters = { columns, rowsPerRun: 3, options };
			const type = 'n8n-nodes-datagrid.entityTool';
			return await runNode({ ...stock.settings('sync', parameters), type, executionId: 'added' }, items);
		};
		const shelves = ['A', 'B'].map((Article) => ({ Article, Shelf: '1' }));
		expect((await run(shelves)).error).toBeUndefined();
		expect((await run([{ Article: 'C', Shelf: '1' }])).error).toBeUndefined();
		expect((await run([{ Article: 'D', Shelf: '1' }])).error?.message).toMatch(/1 row after 3 /);
	});

	test('rows that already have the values do not count', async () => {
		const same = { ...stock.mapped({ Article: 'A', Count: 1 }, ['Article']) };
		for (let calls = 0; calls < 5; calls++)
			expect((await limited('same', 'upsert', same)).error).toBeUndefined();
	});

	test('outside of agents there is no limit', async () => {
		const { error } = await stock.run('updateMany', {
			...stock.mapped({ Count: 2 }),
			...whereCount('1'),
			rowsPerRun: 3,
		});
		expect(error).toBeUndefined();
		expect(await stock.rows()).toContainEqual({ Article: 'E', Count: 2 });
	});
});
