import { stopEngine } from '../testbed/engine/engine';
import { startFaultProxy, type FaultProxy } from '../testbed/proxy/faultProxy';
import { World } from '../testbed/world/world';
import type { WorldGrid } from '../testbed/world/worldGrid';
import type { Bench } from './bench';
import { figureOf, type Figure } from './figures';

const WEBHOOKS = 40;
/** Distinct mails of all webhooks. */
const MAILS = 36;
/** Milliseconds that each request takes on its way. */
const LATENCY_MS = 20;
const CREATIONS = [10, 1000, 30_000];

interface OverlapRun {
	took: number;
	requests: number;
	/** Requests after the last creation: the looks for rows of others. */
	looks: number;
	/** Rows beyond one for each key. */
	doubled: number;
}

/** Runs that write the same keys at once, and what a run alone pays for looking for others. */
export async function overlapRuns(bench: Pick<Bench, 'quick' | 'say'>) {
	const world = await World.start();
	const proxies = [await startFaultProxy(world.service.url), await startFaultProxy(world.service.url)];
	try {
		const webhooks = await measured(world, proxies, async (grid) => {
			const runs = Array.from({ length: WEBHOOKS }, async (_, webhook) => {
				const items = Array.from({ length: 4 }, (_unused, at) => mailOf((webhook * 7 + at * 5) % MAILS));
				await run(grid, 'upsert', items, proxies[0]);
			});
			await Promise.all(runs);
		});
		const workers = await measured(world, proxies, async (grid) => {
			const items = Array.from({ length: 300 }, (_, n) => mailOf(n));
			await Promise.all(proxies.map((proxy) => run(grid, 'sync', items, proxy)));
		});
		const looks: Record<string, number> = {};
		for (const count of bench.quick ? CREATIONS.slice(0, 2) : CREATIONS) {
			const items = Array.from({ length: count }, (_, n) => mailOf(n));
			const alone = await measured(world, proxies, async (grid) => {
				await run(grid, 'upsert', items, proxies[0]);
			});
			looks[count] = alone.looks;
			bench.say(`  ${count} creations alone: ${alone.looks} of ${alone.requests} requests look for others`);
		}
		const named = { webhooks, workers };
		for (const [name, { took, requests, doubled }] of Object.entries(named))
			bench.say(`  ${name}: ${took} ms, ${requests} requests, ${doubled} rows doubled`);
		return { figures: figuresOf(named), runs: { ...named, looks } };
	} finally {
		for (const proxy of proxies) await proxy.stop();
		await world.stop();
		stopEngine();
	}
}

const mailOf = (number: number) => ({ Mail: `m${number}@example.com`, Visits: number });

async function run(grid: WorldGrid, operation: string, items: object[], proxy: FaultProxy | undefined) {
	const resource = operation === 'sync' ? { resource: 'entity' } : {};
	const baseUrl = proxy?.url ?? '';
	const input = items.map((json) => ({ json: { ...json } }));
	const { error } = await grid.run(operation, grid.auto(['Mail']), input, { ...resource, baseUrl });
	if (error) throw error;
}

/** One piece of work on a new grid. */
async function measured(
	world: World,
	proxies: readonly FaultProxy[],
	work: (grid: WorldGrid) => Promise<void>,
): Promise<OverlapRun> {
	const grid = await world.grid({ Mail: 'string', Visits: 'integer' });
	for (const proxy of proxies) proxy.setRules(() => ({ kind: 'latency', milliseconds: LATENCY_MS }));
	const began = Date.now();
	await work(grid);
	const took = Date.now() - began;
	const rows = await grid.rows();
	const requests = proxies.reduce((sum, proxy) => sum + proxy.requests.length, 0);
	const [first] = proxies;
	const lastCreation = first?.requests.map(({ method }) => method).lastIndexOf('POST') ?? 0;
	const looks = (first?.requests.length ?? 0) - 1 - lastCreation;
	return { took, requests, looks, doubled: rows.length - new Set(rows.map(({ Mail }) => Mail)).size };
}

function figuresOf({ webhooks, workers }: Record<'webhooks' | 'workers', OverlapRun>): Figure[] {
	const rows = { httpRequestNode: null, limit: null, unit: 'rows', goal: 0 };
	return [
		figureOf({
			...rows,
			name: `${WEBHOOKS} webhooks at once, each Create or Update of 4 of ${MAILS} keys: rows doubled`,
			ours: webhooks.doubled,
		}),
		figureOf({
			...rows,
			name: 'Sync of 300 rows by two processes at once: rows doubled',
			ours: workers.doubled,
		}),
	];
}
