import { readFileSync } from 'node:fs';
import type { IConnections, IExecuteFunctions, INode, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { z } from 'zod/v4';
import { runWorkflow } from '../../../testbed/engine/engine';
import { addNodeType } from '../../../testbed/engine/nodeTypes';
import { newId } from '../../../testbed/world/makeGrid';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import { OWN_CLOCK, passTime } from '../../fixtures/passingTime';
import { readList } from '../../../client';

/** The example "Invoices of what changed since the last run", in n8n's engine. */
const example = z
	.object({
		nodes: z.array(z.custom<INode>((node) => z.looseObject({ id: z.string() }).safeParse(node).success)),
		connections: z.custom<IConnections>((value) => typeof value === 'object' && value !== null),
	})
	.parse(JSON.parse(readFileSync('examples/invoices-of-changes.json', 'utf8')));
const nodes = example.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');

const describe = (name: string, group: 'trigger' | 'transform'): INodeTypeDescription => ({
	...{ displayName: name, name, group: [group], version: 1, description: name, defaults: { name } },
	...{ inputs: group === 'trigger' ? [] : ['main'], outputs: ['main'], properties: [] },
});
const schedule: INodeType = {
	description: describe('scheduleTrigger', 'trigger'),
	execute: () => Promise.resolve([[{ json: {} }]]),
};
/** Keeps the items of which a condition holds that two texts are equal. */
const filter: INodeType = {
	description: {
		...describe('filter', 'transform'),
		properties: [{ displayName: 'Conditions', name: 'conditions', type: 'json', default: '{}' }],
	},
	execute(this: IExecuteFunctions) {
		const condition = z.object({ leftValue: z.string(), rightValue: z.string() });
		const schema = z.object({ conditions: z.tuple([condition]) });
		const items = this.getInputData().filter((_item, index) => {
			const [{ leftValue, rightValue }] = schema.parse(this.getNodeParameter('conditions', index)).conditions;
			return leftValue === rightValue;
		});
		return Promise.resolve([items]);
	},
};
addNodeType('n8n-nodes-base.scheduleTrigger', schedule);
addNodeType('n8n-nodes-base.filter', filter);

const world = new ProxiedWorld({ now: () => Date.now() });
beforeEach(() => {
	world.proxy.setRules(() => OWN_CLOCK);
});

const run = async () => await runWorkflow({ ...example, nodes }, 'Every hour', world.credentials());

/** The grid of the example with a key, opened as it is now. */
async function gridWithKey(key: string) {
	const client = world.newClient();
	const space = (await readList(client.spaces.list())).items.find((one) => one.key === 'operations');
	if (!space) throw new Error('There is no space "operations"');
	const grid = (await readList(client.grids.list(space))).items.find((one) => one.key === key);
	if (!grid) throw new Error(`There is no grid "${key}"`);
	return { client, grid: await client.grids.open(grid.address) };
}

async function rowsOf(key: string) {
	const { client, grid } = await gridWithKey(key);
	return (await client.entities.many(grid, { layout: 'property' })).items;
}
const invoices = async () => (await rowsOf('invoices')).map(({ Order }) => String(Order)).sort();
const positions = async () => (await rowsOf('positions')).map(({ Position }) => Position);

async function ship(...orders: string[]): Promise<void> {
	const { client, grid } = await gridWithKey('orders');
	for (const Order of orders)
		newId(await client.entities.create(grid, { Order, Status: 'shipped', Amount: 5 }, 'property'));
}

/** Fails requests that write to a grid, from one on. */
async function failWrites(key: string, method: string, from: number): Promise<void> {
	const { grid } = await gridWithKey(key);
	let writes = 0;
	world.proxy.setRules((request) => {
		const isWrite = request.method === method && request.path.includes(`/${grid.id}/entities`);
		return isWrite && ++writes >= from ? { kind: 'response', status: 403, body: '{}' } : OWN_CLOCK;
	});
}

test('the first run makes the grids and notes from when on', async () => {
	expect(await run()).toBeUndefined();
	expect(await invoices()).toEqual([]);
	expect(await positions()).toHaveLength(1);
});

test('a run that fails half-way loses nothing, and the next one writes no invoice twice', async () => {
	passTime(180);
	await ship('A-1', 'A-2', 'A-3');
	passTime(180);
	const before = await positions();
	await failWrites('invoices', 'POST', 2);
	expect((await run())?.message).toContain('Permission');
	expect(await invoices()).toHaveLength(1);
	expect(await positions()).toEqual(before);
	world.proxy.setRules(() => OWN_CLOCK);
	expect(await run()).toBeUndefined();
	expect(await invoices()).toEqual(['A-1', 'A-2', 'A-3']);
	expect(await positions()).not.toEqual(before);
});

test('a run that fails in Confirm Changes is repeated', async () => {
	passTime(180);
	await ship('A-4');
	passTime(180);
	const before = await positions();
	await failWrites('positions', 'PUT', 1);
	expect((await run())?.message).toContain('Permission');
	expect(await positions()).toEqual(before);
	world.proxy.setRules(() => OWN_CLOCK);
	expect(await run()).toBeUndefined();
	expect(await invoices()).toEqual(['A-1', 'A-2', 'A-3', 'A-4']);
	const confirmed = await positions();
	expect(confirmed).not.toEqual(before);
	passTime(180);
	expect(await run()).toBeUndefined();
	expect(await invoices()).toHaveLength(4);
	expect(await positions()).toEqual(confirmed);
});
