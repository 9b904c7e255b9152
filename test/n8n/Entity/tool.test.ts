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
