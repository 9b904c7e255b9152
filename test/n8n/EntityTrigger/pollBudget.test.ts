import { EntityTrigger } from '../../../nodes/EntityTrigger/EntityTrigger.node';
import { ActiveTrigger } from '../../../testbed/engine/activeTrigger';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

const bed = new ProxiedWorld();

/** Simulated duration of each response of the feed; a poll has 36,000 ms. */
const RESPONSE_MS = 14_000;
/** More than one page of the feed. */
const CHANGES = 15;
const PAGE = 10;

test('each poll of a slow feed ends within the time limit of n8n, and no event is lost', async () => {
	const { proxy } = bed;
	const orders = await bed.grid({ Order: 'string' });
	const { spaceId, gridId } = orders.grid.address;
	const grid = { __rl: true, mode: 'list', value: `${spaceId}/${gridId}` };
	const active = new ActiveTrigger(new EntityTrigger(), {
		type: 'n8n-nodes-datagrid.entityTrigger',
		parameters: { grid, events: ['created'], output: 'changes', options: { eventsPerExecution: CHANGES } },
		credentials: bed.credentials('owner', proxy.url),
	});
	await active.activate();
	const created = await orders.fill(...Array.from({ length: CHANGES }, (_, n) => ({ Order: `T-${n}` })));

	const now = performance.now.bind(performance);
	let ahead = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
	proxy.setRules(({ path }) => {
		if (!path.includes('/updates')) return undefined;
		ahead += RESPONSE_MS;
		return { kind: 'change', request: { path: path.replace(/pageSize=\d+/, `pageSize=${PAGE}`) } };
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
	// The time that remains after one response is too short for another one.
	expect(Math.max(...took)).toBe(RESPONSE_MS);
});
