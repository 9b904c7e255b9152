import { createClient } from '../../../client';
import { GridTrigger } from '../../../nodes/GridTrigger/GridTrigger.node';
import { ActiveTrigger } from '../../fixtures/activeTrigger';
import { AxiosTransport } from '../../../testbed/axiosTransport';
import { startFaultProxy } from '../../../testbed/proxy/faultProxy';
import { startTestService } from '../../fixtures/service';

/** Milliseconds that each answer of the feed is said to take, of the 36,000 that a poll has. */
const ANSWER = 14_000;
const CHANGES = 2500;

test('a feed so slow that n8n would give the poll up: each poll ends in time with what it has read, and nothing is lost', async () => {
	const service = await startTestService({ seed: 'demo' });
	const proxy = await startFaultProxy(service.url);
	const transport = new AxiosTransport({ identity: service });
	const client = createClient({ transport, baseUrl: service.url });
	const [space] = (await client.spaces.page()).items;
	const orders = space && (await client.grids.page(space)).items.find(({ name }) => name === 'Orders');
	const address = { spaceId: space?.id ?? '', gridId: orders?.id ?? '' };
	const grid = await client.grids.open(address);
	const column = (await client.fields.of(grid)).find(({ name }) => name === 'Order')?.id ?? '';
	const active = new ActiveTrigger(new GridTrigger(), {
		type: 'n8n-nodes-datagrid.gridTrigger',
		parameters: {
			grid: { __rl: true, mode: 'list', value: `${address.spaceId}/${address.gridId}` },
			events: ['created'],
			output: 'changes',
		},
		credentials: {
			dataGridApi: {
				baseUrl: proxy.url,
				authentication: 'apiKey',
				key: service.key,
				secret: service.secret,
			},
		},
	});
	await active.activate();
	const orderOf = (_: unknown, n: number) => ({ [column]: `T-${n}` });
	const run = await client.session.limiter.run(Array.from({ length: CHANGES }, orderOf), (values) =>
		client.entities.create(grid, values),
	);
	const created = run.outcomes.map((outcome) => (outcome.state === 'done' ? outcome.value.id : ''));

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
		emitted.push(...(await active.poll()).map(({ entityId }) => entityId));
		took.push(ahead - before);
	}
	jest.restoreAllMocks();
	expect(emitted.length).toBe(CHANGES);
	expect(new Set(emitted)).toEqual(new Set(created));
	// What remains after one answer is too little for a second one and for what follows the reading.
	expect(Math.max(...took)).toBe(ANSWER);
	await proxy.stop();
	transport.close();
	await service.stop();
});
