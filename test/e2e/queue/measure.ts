import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installN8n, PINNED_N8N } from '../../../scripts/setup/n8n.mjs';
import { gridLocator, post, webhookWorkflow } from '../../../testbed/n8n/webhook';
import { ORDER_PREFIX } from './account';
import { withCluster } from './cluster';

/**
 * How many executions a second workers carry out: a webhook that writes one row, with the settings
 * of `deploy/`, all processes on this machine. `npx tsx test/e2e/queue/measure.ts [--workers 1]
 * [--executions 400] [--at-a-time 40] [--seconds 120]`; the last line is JSON.
 */
const { values } = parseArgs({
	options: {
		workers: { type: 'string', default: '1' },
		executions: { type: 'string', default: '400' },
		'at-a-time': { type: 'string', default: '40' },
		seconds: { type: 'string', default: '120' },
	},
});
const [workers, executions, atATime] = [values.workers, values.executions, values['at-a-time']].map(Number);
const WARM_UP = 20;
const LONGEST_MS = Number(values.seconds) * 1000;

async function main() {
	const install = await installN8n(PINNED_N8N);
	await withCluster({ install, name: 'measure', workers: workers ?? 1 }, async (cluster) => {
		const { rest, credential, client, grids, main } = cluster;
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const parameters = { resource: 'entity', operation: 'create', grid: gridLocator(grids.orders), columns };
		const definition = webhookWorkflow({ name: 'Orders', path: 'orders', credential, parameters });
		await rest.activate(await rest.createWorkflow(definition));
		const rows = async () => (await client.entities.page(grids.orders, { pageSize: 1 })).numberOfItems;
		const before = await rows();
		let next = 0;
		/** Posts so many, and waits until each row is there. */
		const carryOut = async (count: number, senders: number) => {
			const end = next + count;
			const began = performance.now();
			const send = async () => {
				while (next < end && performance.now() - began < LONGEST_MS)
					await post(main.url, 'orders', [{ Order: `${ORDER_PREFIX}${String(next++)}` }]);
			};
			await Promise.all(Array.from({ length: senders }, send));
			const posted = performance.now();
			while ((await rows()) - before < next && performance.now() - began < LONGEST_MS) await wait(50);
			const seconds = (performance.now() - began) / 1000;
			return { count: (await rows()) - before, seconds, postedAfter: (posted - began) / 1000 };
		};
		await carryOut(WARM_UP, 1);
		const { count, seconds, postedAfter } = await carryOut(executions ?? 400, atATime ?? 40);
		const done = count - WARM_UP;
		const rate = Number((done / seconds).toFixed(1));
		process.stdout.write(
			`${JSON.stringify({ workers, executions: done, seconds: Number(seconds.toFixed(1)), postedAfter: Number(postedAfter.toFixed(1)), executionsPerSecond: rate })}\n`,
		);
	});
}

void main();
