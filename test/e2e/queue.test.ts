import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod/v4';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { TRIGGER, triggerNode } from '../../testbed/n8n/triggerNode';
import { withCluster, type Cluster } from './queue/cluster';
import { accountOf, allExecutions, ORDER_PREFIX, rowsOf, without, type Execution } from './queue/account';
import { errorOf, runDataSchema, unflatten } from '../../testbed/n8n/execution';
import { until } from '../../testbed/until';
import { gridLocator, post, webhookWorkflow } from '../../testbed/n8n/webhook';

/**
 * Queue mode with the settings of `deploy/`: webhooks write orders,
 * the trigger sees them and writes activities, two workers share
 * the executions, and one of them is killed with -9 on the way.
 */
const ORDERS = 260;
const EVENTS_PER_EXECUTION = 5;
const EXECUTIONS = 300;
const AT_A_TIME = 8;
const KILL_AFTER = 60;
/** Executions that a worker of `deploy/` carries out at a time. */
const CONCURRENCY = 10;
const SETTLED_WITHIN_MS = 600_000;
/** So often main polls without a new execution before all is taken for done. */
const QUIET_POLLS = 6;

const orderSchema = z.looseObject({ Order: z.string() });
const bodySchema = z.looseObject({ rows: z.array(orderSchema) });

test(`n8n ${PINNED_N8N} in queue mode: no row is lost or duplicated if a worker is killed`, async (t) => {
	const install = await installN8n(PINNED_N8N);
	await withCluster({ install, name: 'test', workers: 2 }, async (cluster) => {
		const { main, workers, feedPollers } = cluster;
		const hook = await bringIn(cluster, orderWorkflow(cluster));
		const watch = await bringIn(cluster, activityWorkflow(cluster));
		await until('the first poll', () => feedPollers.counts.size > 0);

		const [first, second] = workers;
		assert.ok(first && second);
		const names = Array.from({ length: ORDERS }, (_, number) => `${ORDER_PREFIX}${String(number)}`);
		const unsent = [...names];
		const sender = async () => {
			for (let Order = unsent.shift(); Order !== undefined; Order = unsent.shift())
				await post(main.url, 'orders', [{ Order, Status: 'new' }]);
		};
		const senders = Array.from({ length: AT_A_TIME }, sender);
		const isBusy = async () => (await second.started()).size >= KILL_AFTER;
		await until('the second worker to be in the middle', isBusy, { everyMs: 20 });
		await second.process.kill();
		const earlier = await allExecutions(cluster.database);
		const givenToKilled = await second.started();
		await Promise.all(senders);

		const { orders, events } = await settled(cluster, hook.id, watch.id, earlier);
		const all = [...orders.executions, ...events.executions];
		const failed = all.filter(({ status }) => status !== 'success');
		const givenToOther = await first.started();
		t.diagnostic(
			JSON.stringify({
				executions: all.length,
				webhook: orders.executions.length,
				trigger: events.executions.length,
				failed: failed.length,
				ordersOfFailed: orders.failed.size,
				eventsOfFailed: events.failed.size,
				rows: orders.rows.length,
				activities: events.rows.length,
				[first.name]: givenToOther.size,
				[`${second.name}, killed`]: givenToKilled.size,
				polls: Object.fromEntries(feedPollers.counts),
				main: main.pid,
			}),
		);

		await t.test('both workers carried out executions, 300 in all', () => {
			assert.equal(orders.executions.length, ORDERS);
			assert.ok(all.length >= EXECUTIONS, `${String(all.length)} executions`);
			assert.ok(givenToKilled.size >= KILL_AFTER);
			assert.ok(givenToOther.size >= KILL_AFTER);
		});
		await t.test('only what the killed worker was given is reported as failed', async () => {
			const reported = await readFile(main.log, 'utf8');
			for (const { id, data } of failed) {
				assert.match(reported, new RegExp(`stalled .*\\(execution ${id}\\)`), errorIn(data));
				assert.ok(!givenToOther.has(id), `Execution ${id} stalled, and the other worker had it`);
			}
			assert.ok(failed.length <= CONCURRENCY, 'More failed than one worker does at a time');
		});
		await t.test('each order is in the grid once, or its execution is reported as failed', () => {
			assert.deepEqual(startedOnce(orders, names), []);
			assert.deepEqual(repeated(orders.rows), []);
			assert.deepEqual(without(orders.successful, orders.rows), [], 'Said to be written');
			assert.deepEqual(without(without(names, orders.rows), orders.failed), [], 'Lost');
		});
		await t.test('each change started one execution, and is in the grid once or its execution failed', () => {
			assert.deepEqual(startedOnce(events, orders.rows), []);
			assert.deepEqual(repeated(events.rows), []);
			assert.deepEqual(without(events.successful, events.rows), [], 'Said to be written');
			assert.deepEqual(without(without(orders.rows, events.rows), events.failed), [], 'Lost');
		});
		await t.test('only main polls', () => {
			assert.deepEqual([...feedPollers.counts.keys()], [main.pid]);
		});
	});
});

/** Names that did not start one execution. */
function startedOnce({ starts }: { starts: Map<string, number> }, names: readonly string[]) {
	return [...new Set([...names, ...starts.keys()])].filter((name) => starts.get(name) !== 1);
}

/**
 * What an execution says of its end.
 * @param data as n8n keeps it
 */
function errorIn(data: string | null) {
	const parsed = runDataSchema.safeParse(data === null ? undefined : unflatten(data));
	return (parsed.success ? errorOf(parsed.data) : undefined) ?? 'It does not say why';
}

function repeated(rows: readonly string[]) {
	return rows.filter((row, index) => rows.indexOf(row) !== index);
}

function orderWorkflow({ credential, grids }: Cluster) {
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const parameters = { resource: 'entity', operation: 'create', grid: gridLocator(grids.orders), columns };
	return webhookWorkflow({ name: 'Orders', path: 'orders', credential, parameters });
}

function activityWorkflow({ credential, grids }: Cluster) {
	const credentials = { dataGridApi: { id: credential.id, name: credential.name } };
	const nodes = [
		triggerNode({
			grid: gridLocator(grids.orders),
			events: ['created'],
			options: { eventsPerExecution: EVENTS_PER_EXECUTION },
			credential,
		}),
		{
			id: 'c0000000-0000-4000-8000-000000000002',
			name: 'As activity',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [220, 0],
			parameters: {
				assignments: {
					assignments: [
						{ id: 'event', name: 'Event', type: 'string', value: '={{ $json.event }}' },
						{ id: 'order', name: 'Order', type: 'string', value: '={{ $json.row.Order }}' },
					],
				},
				options: {},
			},
		},
		{
			id: 'c0000000-0000-4000-8000-000000000003',
			name: 'Activity',
			type: 'n8n-nodes-datagrid.entity',
			typeVersion: 1,
			position: [440, 0],
			parameters: {
				resource: 'entity',
				operation: 'create',
				grid: gridLocator(grids.activity),
				columns: { mappingMode: 'autoMapInputData', value: null },
			},
			credentials,
		},
	];
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const connections = { [TRIGGER]: to('As activity'), 'As activity': to('Activity') };
	return { name: 'Activities', nodes, connections };
}

async function bringIn({ rest }: Cluster, definition: object) {
	const workflow = await rest.createWorkflow(definition);
	await rest.activate(workflow);
	return workflow;
}

/**
 * Waits until nothing is under way and no new execution comes any more, then reads all.
 * @param earlier see `accountOf`
 */
async function settled(
	{ database, client, grids, feedPollers, main }: Cluster,
	hookId: string,
	watchId: string,
	earlier: readonly Execution[],
) {
	const polls = () => feedPollers.counts.get(main.pid) ?? 0;
	let executions = await allExecutions(database);
	for (let from = polls(), deadline = performance.now() + SETTLED_WITHIN_MS; polls() < from + QUIET_POLLS; ) {
		await wait(1000);
		const before = executions.length;
		executions = await allExecutions(database);
		const busy = executions.filter(({ status }) => ['new', 'running', 'waiting'].includes(status)).length;
		if (busy > 0 || executions.length > before) from = polls();
		assert.ok(performance.now() < deadline, `Of ${String(before)} executions, ${String(busy)} do not end`);
	}
	const of = (id: string) => executions.filter(({ workflowId }) => workflowId === id);
	const orders = accountOf(of(hookId), earlier, 'Webhook', ({ body }) => bodySchema.parse(body).rows);
	const events = accountOf(of(watchId), earlier, TRIGGER, ({ row }) => [orderSchema.parse(row)]);
	return {
		orders: { ...orders, rows: await rowsOf(client, grids.orders) },
		events: { ...events, rows: await rowsOf(client, grids.activity) },
	};
}
