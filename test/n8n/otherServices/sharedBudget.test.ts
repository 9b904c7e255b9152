import { runNode } from '../../../testbed/engine/engine';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

const bed = new ProxiedWorld();

it('ten executions with ten credentials share the limit of concurrent requests', async () => {
	const grid = await bed.grid({ Item: 'string' });
	let highest = 0;
	bed.proxy.setRules(({ inFlight }) => {
		highest = Math.max(highest, inFlight);
		return { kind: 'latency', milliseconds: 20 };
	});
	const ofService = { ...bed.owner, requestsAtATime: 4, baseUrl: bed.proxy.url };
	const executions = await Promise.all(
		Array.from({ length: 10 }, async (_none, number) => {
			const { key, secret } = await bed.client.accessKeys.create({
				name: `Key ${number}`,
				role: 'admin',
			});
			return { dataGridApi: { ...ofService, key, secret } };
		}),
	);
	const items = Array.from({ length: 20 }, (_none, item) => ({ Item: String(item) }));
	const runs = await Promise.all(
		executions.map(
			async (credentials) => await runNode(grid.settings('create', grid.auto(), { credentials }), items),
		),
	);
	expect(runs.map(({ error }) => error)).toEqual(executions.map(() => undefined));
	expect(await grid.rows()).toHaveLength(200);
	// The proxy may still be finishing responses that the node already has.
	expect(highest).toBeLessThanOrEqual(8);
});
