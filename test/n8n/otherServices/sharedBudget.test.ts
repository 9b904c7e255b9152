import { runNode } from '../../../testbed/engine/engine';
import { ProxiedWorld } from '../../../testbed/world/proxiedWorld';

/** Maximum number of concurrent requests of the service. */
const MAX_CONCURRENT = 16;
/** The service also refuses every twentieth request. */
const REFUSED_EVERY = 20;
const EXECUTIONS = 10;
const ITEMS = 20;

const bed = new ProxiedWorld();

/** Runs ten executions at once, with alternating credentials, and expects each row once. */
async function createInTen(budget: { requestsAtATime?: number } = {}) {
	const grid = await bed.world.grid({ Item: 'string' });
	const { key, secret } = await bed.world.client.accessKeys.create({ name: 'Second', role: 'admin' });
	const second = { dataGridApi: { ...bed.world.owner, ...budget, key, secret, baseUrl: bed.proxy.url } };
	const names = Array.from({ length: EXECUTIONS }, (_none, execution) =>
		Array.from({ length: ITEMS }, (_nothing, item) => `${execution}-${item}`),
	);
	const runs = await Promise.all(
		names.map(async (items, execution) => {
			const credentials =
				execution % 2 === 0 ? { baseUrl: bed.proxy.url, ...budget } : { credentials: second };
			const settings = grid.settings('create', grid.auto(), credentials);
			return await runNode(
				settings,
				items.map((Item) => ({ Item })),
			);
		}),
	);
	expect(runs.map(({ error }) => error)).toEqual(names.map(() => undefined));
	const written = (await grid.rows()).map(({ Item }) => Item);
	expect(written.sort()).toEqual(names.flat().sort());
}

it('ten executions lose and duplicate no row if the service refuses requests above its limit', async () => {
	let refused = 0;
	bed.proxy.setRules(({ inFlight }, number) => {
		// On a busy machine the number of concurrent requests may never exceed the limit.
		const isRefused = inFlight > MAX_CONCURRENT || number % REFUSED_EVERY === 0;
		if (!isRefused) return { kind: 'latency', milliseconds: 20 };
		refused++;
		return { kind: 'response', status: 503 };
	});
	await createInTen();
	expect(refused).toBeGreaterThan(0);
});

it('ten executions share the limit of concurrent requests', async () => {
	let highest = 0;
	bed.proxy.setRules(({ inFlight }) => {
		highest = Math.max(highest, inFlight);
		return { kind: 'latency', milliseconds: 20 };
	});
	await createInTen({ requestsAtATime: 4 });
	// The proxy may still be finishing responses that the node already has.
	expect(highest).toBeLessThanOrEqual(8);
});
