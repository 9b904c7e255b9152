import { setTimeout as delay } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { Rule } from '../../../testbed/proxy/faultProxy';
import { runNode } from '../../../testbed/engine/engine';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';
import type { WorldGrid } from '../../../testbed/world/worldGrid';

/** A node sends no further requests after its execution was stopped. */
const world = new ProxiedWorld();
let grid: WorldGrid;

beforeAll(async () => {
	grid = await world.grid({ Item: 'string' });
	await grid.fill(...Array.from({ length: 12 }, (_none, index) => ({ Item: `I-${index}` })));
});
const isAboutEntities = (path: string) => path.includes('/entities');
/** Time in which a stopped node must end; retries would take more than 20 s. */
const MAX_END_MS = 15_000;
/** Longer than the waits that the service requests in these tests. */
const WAIT_MS = 1500;
const refusal = { kind: 'response', status: 503, headers: { 'retry-after': '1' } } as const;

/**
 * Runs an operation and stops it with its first request about entities.
 * @returns the requests about entities
 */
async function stopped(operation: string, parameters: INodeParameters, faults: Rule, items = 1) {
	let cancel = () => {};
	world.proxy.setRules((request, number) => {
		if (isAboutEntities(request.path)) cancel();
		return faults(request, number);
	});
	const settings = grid.settings(operation, parameters);
	const input = Array.from({ length: items }, (_none, index) => ({ Item: `New ${index}` }));
	await runNode(settings, input, (stop) => {
		cancel = stop;
	});
	await delay(WAIT_MS);
	return world.proxy.requests.filter(({ path }) => isAboutEntities(path));
}

it(
	'a pending request is not followed by another one',
	async () => {
		const latency = { kind: 'latency', milliseconds: 8_000 } as const;
		const faults: Rule = ({ path }) => (isAboutEntities(path) ? latency : undefined);
		expect(await stopped('getMany', { returnAll: true }, faults)).toHaveLength(1);
	},
	MAX_END_MS,
);

it(
	'a refused request is not repeated',
	async () => {
		const faults: Rule = ({ path }) => (isAboutEntities(path) ? refusal : undefined);
		expect(await stopped('getMany', { returnAll: true }, faults)).toHaveLength(1);
	},
	MAX_END_MS,
);

it('sends nothing more after a wait requested by the service', async () => {
	const faults: Rule = ({ path }) => (isAboutEntities(path) ? refusal : undefined);
	const sent = await stopped('create', grid.auto(), faults, 40);
	// The limiter starts with four concurrent requests.
	expect(sent.length).toBeLessThanOrEqual(4);
	expect(await grid.rows()).toHaveLength(12);
});

it('starts no further items', async () => {
	const sent = await stopped('create', grid.auto(), () => undefined, 100);
	expect(sent.length).toBeLessThanOrEqual(4);
});
