import { createClient, type Client } from '../../client';
import { Entity } from '../../nodes/Entity/Entity.node';
import { FetchTransport } from '../../testbed/fetchTransport';
import type { NodeSettings } from '../../testbed/engine/engine';
import { makeGrid, makeSpace } from '../../testbed/world/makeGrid';
import { PeopledWorld } from '../../testbed/world/peopledWorld';

const world = new PeopledWorld();

/** Makes a grid with the key sales/orders, which is unique in its account only (§8). */
async function makeOrders(client: Client, column: string): Promise<void> {
	const space = await client.spaces.get(await makeSpace(client, 'Sales'));
	await client.spaces.update(space, { key: 'sales' });
	const { grid } = await makeGrid(client, space.id, 'Orders', { [column]: 'string' });
	await client.grids.update(grid, { key: 'orders' });
}

test('lists of the editor tell apart two accounts in which a key belongs to different grids', async () => {
	const person = await world.person('reader');
	const transport = new FetchTransport(person.dataGridApi);
	await makeOrders(world.client, 'Ours');
	await makeOrders(createClient({ baseUrl: world.service.url, transport }), 'Theirs');
	const columns = async (credentials: NodeSettings['credentials']) => {
		const parameters = { grid: { __rl: true, mode: 'key', value: 'sales/orders' } };
		const call = { node: 'entity', resource: 'entity', operation: 'create', parameters } as const;
		const editor = world.editor(call, { credentials });
		const { fields } = await new Entity().methods.resourceMapping.getColumns.call(editor);
		return fields.map(({ displayName }) => displayName);
	};
	expect(await columns(world.credentials())).toEqual(['Ours']);
	expect(await columns(person)).toEqual(['Theirs']);
});
