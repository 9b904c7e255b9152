import { setTimeout as delay } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { startFaultProxy, type Rule, type FaultProxy } from '../../../testbed/proxy/faultProxy';
import { runNode } from '../../../testbed/engine/engine';
import { World } from '../../../testbed/world/world';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** What a node does after its execution was stopped: it asks the service for nothing more. */
let world: World;
let proxy: FaultProxy;
let grid: WorldGrid;

beforeAll(async () => {
	world = await World.start();
	proxy = await startFaultProxy(world.service.url);
	grid = await world.grid({ Item: 'string' });
	await grid.fill(Array.from({ length: 12 }, (_none, index) => ({ Item: `I-${index}` })));
});
afterAll(async () => {
	await proxy.stop();
	await world.stop();
});

const about = (path: string) => path.includes('/entities');
/** Milliseconds in which a stopped node has to end; retries would go on for longer than 20 s. */
const END_MS = 15_000;
/** Longer than a wait that the tests below let the service ask for. */
const WAIT_MS = 1500;
const refusal = { kind: 'response', status: 503, headers: { 'retry-after': '1' } } as const;

/**
 * Runs an operation and stops it with its first request about entities.
 * @returns the requests about entities
 */
async function stopped(operation: string, parameters: INodeParameters, faults: Rule, items = 1) {
	let cancel = () => {};
	proxy.setRules((request, number) => {
		if (about(request.path)) cancel();
		return faults(request, number);
	});
	const settings = grid.settings(operation, parameters, { baseUrl: proxy.url });
	const input = Array.from({ length: items }, (_none, index) => ({ Item: `New ${index}` }));
	await runNode(settings, input, (stop) => {
		cancel = stop;
	});
	await delay(WAIT_MS);
	return proxy.requests.filter(({ path }) => about(path));
}

it(
	'a request on its way is given up',
	async () => {
		const latency = { kind: 'latency', milliseconds: 8_000 } as const;
		const faults: Rule = ({ path }) => (about(path) ? latency : undefined);
		expect(await stopped('getMany', { returnAll: true }, faults)).toHaveLength(1);
	},
	END_MS,
);

it(
	'a request that was refused is not sent again',
	async () => {
		const faults: Rule = ({ path }) => (about(path) ? refusal : undefined);
		expect(await stopped('getMany', { returnAll: true }, faults)).toHaveLength(1);
	},
	END_MS,
);

it('sends nothing more after a wait requested by the service', async () => {
	const faults: Rule = ({ path }) => (about(path) ? refusal : undefined);
	const sent = await stopped('create', grid.auto(), faults, 40);
	// The limiter starts with four at a time.
	expect(sent.length).toBeLessThanOrEqual(4);
	expect(await grid.rows()).toHaveLength(12);
});

it('starts no further items', async () => {
	const sent = await stopped('create', grid.auto(), () => undefined, 100);
	expect(sent.length).toBeLessThanOrEqual(4);
});
