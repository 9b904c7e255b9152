import type { INodeParameters } from 'n8n-workflow';
import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

const anyText: unknown = expect.any(String);
const world = World.forTests();
let orders: WorldGrid;

beforeEach(async () => {
	orders = await world.grid({ Order: 'string' });
});

async function watching(parameters: INodeParameters = {}): Promise<ActiveTrigger> {
	const active = new ActiveTrigger(new EntityTrigger(), {
		type: 'n8n-nodes-datagrid.entityTrigger',
		parameters: { ...orders.chosen, events: ['created', 'updated', 'deleted'], ...parameters },
		credentials: world.credentials(),
		workflowId: world.fresh('workflow'),
	});
	expect(await active.activate()).toEqual([]);
	return active;
}

/** Returns the output for a row that is created and, after a poll, deleted. */
async function createdAndDeleted(active: ActiveTrigger) {
	const [id = ''] = await orders.fill({ Order: 'A' });
	const created = await active.poll();
	await world.client.entities.remove(orders.grid, await world.client.entities.get(orders.grid, id));
	return { id, rows: [...created, ...(await active.poll())] };
}

test('outputs the row first, has the member _id and omits the entry of the feed', async () => {
	const active = await watching();
	const { id: _id, rows } = await createdAndDeleted(active);
	expect(rows).toEqual([
		{
			row: { Order: 'A' },
			event: 'created',
			_id,
			changedAt: anyText,
			changedBy: anyText,
			changes: [{ field: 'Order', old: null, new: 'A' }],
		},
		expect.objectContaining({ row: null, event: 'deleted', _id }),
	]);
	expect(rows.map((row) => Object.keys(row))).toEqual(
		rows.map(() => ['row', 'event', '_id', 'changedAt', 'changedBy', 'changes']),
	);
});

test('adds the entry of the feed without Simplify', async () => {
	const active = await watching({ simplify: false });
	const {
		id: _id,
		rows: [created],
	} = await createdAndDeleted(active);
	expect(created).toMatchObject({ _id, event: 'created', raw: { entityId: _id } });
});
