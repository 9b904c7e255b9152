import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { startFaultProxy } from '../../../testbed/proxy/faultProxy';
import { World } from '../../../testbed/world/world';

/** Milliseconds that each answer of the feed is said to take, of the 36,000 that a poll has. */
const ANSWER = 14_000;
/** More than a page of the feed holds. */
const CHANGES = 1500;

test('each poll of a feed too slow for the time limit of n8n ends in time with what it has read, and no event is lost', async () => {
	const world = await World.start();
	const proxy = await startFaultProxy(world.service.url);
	const orders = await world.grid({ Order: 'string' });
	const { spaceId, gridId } = orders.grid.address;
	const grid = { __rl: true, mode: 'list', value: `${spaceId}/${gridId}` };
	const active = new ActiveTrigger(new GridTrigger(), {
		type: 'n8n-nodes-datagrid.gridTrigger',
		parameters: { grid, events: ['created'], output: 'changes' },
		credentials: world.credentials('owner', proxy.url),
	});
	await active.activate();
	const created = await orders.fill(Array.from({ length: CHANGES }, (_, n) => ({ Order: `T-${n}` })));

	const now = performance.now.bind(performance);
	let ahead = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
	proxy.setRules((request) => {
		if (request.path.includes('/updates')) ahead += ANSWER;
		return undefined;
	});
	const emitted: unknown[] = [];
	const took: number[] = [];
	for (let polls = 0; emitted.length < CHANGES && polls < 50; polls++) {
		const before = ahead;
		emitted.push(...(await active.poll()).map(({ _id }) => _id));
		took.push(ahead - before);
	}
	jest.restoreAllMocks();
	expect(emitted.length).toBe(CHANGES);
	expect(new Set(emitted)).toEqual(new Set(created));
	// What remains after one answer is too little for a second one and for what follows the reading.
	expect(Math.max(...took)).toBe(ANSWER);
	await proxy.stop();
	await world.stop();
});
