import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod/v4';
import { installN8n, PINNED_N8N } from '../scripts/setup/n8n.mjs';
import { pollEvery } from '../scripts/demo/workflow.mjs';
import { withCluster } from './queue/cluster.mjs';
import { accountOf, ORDER_PREFIX, rowsOf } from './queue/account.mjs';
import { until } from './support/until.mjs';
import { gridLocator, post, webhookWorkflow } from './support/webhook.mjs';

/**
 * Queue mode with the settings of `deploy/`: webhooks write orders, the trigger sees them and writes activities, two workers
 * share the executions, and one of them is killed with -9 on the way.
 */
const ORDERS = 260;
const EVENTS_PER_EXECUTION = 5;
const EXECUTIONS = 300;
const AT_A_TIME = 8;
const KILL_AFTER = 60;
/** Executions that a worker of `deploy/` carries out at a time. */
const CONCURRENCY = 10;
const SETTLED_WITHIN_MS = 300_000;
const TRIGGER = 'DataGrid Trigger';
/** Of two seconds each; the trigger polls every second. */
const QUIET_LOOKS = 8;

const orderSchema = z.looseObject({ Order: z.string() });
const bodySchema = z.looseObject({ rows: z.array(orderSchema) });

/** @typedef {import('./queue/cluster.mjs').Cluster} Cluster */

test(`n8n ${PINNED_N8N} in queue mode: no row lost or doubled, with a worker killed on the way`, async (t) => {
	const install = await installN8n(PINNED_N8N);
	await withCluster({ install, name: 'test', workers: 2 }, async (cluster) => {
		const { main, workers, door } = cluster;
		const hook = await bringIn(cluster, orderWorkflow(cluster));
		const watch = await bringIn(cluster, activityWorkflow(cluster));
		await until('the first poll', () => door.pollers.size > 0, { withinMs: 180_000 });

		const [first, second] = workers;
		assert.ok(first && second);
		let next = 0;
		const sender = async () => {
			while (next < ORDERS)
				await post(main.url, 'orders', [{ Order: `${ORDER_PREFIX}${String(next++)}`, Status: 'new' }]);
		};
		const senders = Array.from({ length: AT_A_TIME }, sender);
		const isBusy = async () => (await second.started()).size >= KILL_AFTER;
		await until('the second worker to be in the middle', isBusy, { everyMs: 20 });
		await second.process.kill();
		const givenToKilled = await second.started();
		await Promise.all(senders);

		const account = await settled(cluster, hook.id, watch.id);
		const { orders, events } = account;
		const all = [...orders.executions, ...events.executions];
		const failed = all.filter(({ status }) => status !== 'success');
		t.diagnostic(
			JSON.stringify({
				executions: all.length,
				webhook: orders.executions.length,
				trigger: events.executions.length,
				failed: failed.length,
				states: [...new Set(all.map(({ status }) => status))],
				[first.name]: (await first.started()).size,
				[`${second.name}, killed`]: givenToKilled.size,
				polls: Object.fromEntries(door.pollers),
				main: main.pid,
			}),
		);

		await t.test('both workers carried out executions, 300 in all', async () => {
			assert.equal(orders.executions.length, ORDERS);
			assert.ok(all.length >= EXECUTIONS, `${String(all.length)} executions`);
			assert.ok(givenToKilled.size >= KILL_AFTER);
			assert.ok((await first.started()).size >= KILL_AFTER);
		});
		await t.test('only what the killed worker was given is reported as failed', async () => {
			const givenToOther = await first.started();
			for (const { id, status } of failed) {
				assert.ok(!givenToOther.has(id), `Execution ${id} is ${status}, and the other worker had it`);
				assert.match(await readFile(main.log, 'utf8'), new RegExp(`stalled .*\\(execution ${id}\\)`));
			}
			// Those whose begin the killed worker had no time left to tell are among the failed, and no others.
			const cut = [...givenToKilled].filter((id) => failed.some((execution) => execution.id === id));
			assert.ok(failed.length - cut.length <= CONCURRENCY, 'More failed than one worker does at a time');
		});
		await t.test('each order is in the grid once, or its execution is reported as failed', () => {
			const failedOrders = orders.executions.filter(({ status }) => status !== 'success').length;
			assert.equal(orders.doubled, 0);
			assert.equal(orders.seenTwice, 0);
			assert.equal(orders.inSuccessful.size + failedOrders, ORDERS);
			for (const name of orders.inSuccessful)
				assert.ok(orders.rows.has(name), `${name} is said to be written`);
		});
		await t.test('each change started one execution, and is in the grid once or its execution failed', () => {
			const failedEvents = events.executions.filter(({ status }) => status !== 'success').length;
			assert.equal(events.doubled, 0);
			assert.equal(events.seenTwice, 0);
			const missing = [...orders.rows].filter((name) => !events.inSuccessful.has(name));
			assert.ok(
				missing.length <= failedEvents * EVENTS_PER_EXECUTION,
				`${String(missing.length)} events are lost`,
			);
			for (const name of events.inSuccessful)
				assert.ok(events.rows.has(name), `${name} is said to be written`);
		});
		await t.test('only main polls', () => {
			// 0: the connection was closed before its owner could be looked up.
			assert.deepEqual(
				[...door.pollers.keys()].filter((pid) => pid !== 0),
				[main.pid],
			);
			assert.ok((door.pollers.get(0) ?? 0) < (door.pollers.get(main.pid) ?? 0) / 10);
		});
	});
});

/** @param {Cluster} cluster */
function orderWorkflow({ credential, grids }) {
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const parameters = { resource: 'entity', operation: 'create', grid: gridLocator(grids.orders), columns };
	return webhookWorkflow({ name: 'Orders', path: 'orders', credential, parameters });
}

/** @param {Cluster} cluster */
function activityWorkflow({ credential, grids }) {
	const credentials = { dataGridApi: { id: credential.id, name: credential.name } };
	const nodes = [
		{
			id: 'c0000000-0000-4000-8000-000000000001',
			name: TRIGGER,
			type: 'n8n-nodes-datagrid.gridTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {
				grid: gridLocator(grids.orders),
				events: ['created'],
				options: { eventsPerExecution: EVENTS_PER_EXECUTION },
				pollTimes: pollEvery(1),
			},
			credentials,
		},
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
						{ id: 'order', name: 'Order', type: 'string', value: '={{ $json.entity.Order }}' },
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
	const to = (/** @type {string} */ node) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const connections = { [TRIGGER]: to('As activity'), 'As activity': to('Activity') };
	return { name: 'Activities', nodes, connections };
}

/** @param {Cluster} cluster @param {object} definition */
async function bringIn({ rest }, definition) {
	const workflow = await rest.createWorkflow(definition);
	await rest.activate(workflow);
	return workflow;
}

/**
 * Waits until nothing is under way and no new execution comes any more, then reads all.
 * @param {Cluster} cluster
 * @param {string} hookId
 * @param {string} watchId
 */
async function settled({ rest, client, grids }, hookId, watchId) {
	for (let quiet = 0, before = 0, deadline = performance.now() + SETTLED_WITHIN_MS; quiet < QUIET_LOOKS; ) {
		await wait(2000);
		const executions = [...(await rest.allExecutions(hookId)), ...(await rest.allExecutions(watchId))];
		const busy = executions.filter(({ status }) => ['new', 'running', 'waiting'].includes(status)).length;
		quiet = busy === 0 && executions.length === before ? quiet + 1 : 0;
		before = executions.length;
		assert.ok(performance.now() < deadline, `Of ${String(before)} executions, ${String(busy)} do not end`);
	}
	const orders = await accountOf(rest, hookId, 'Webhook', ({ body }) => bodySchema.parse(body).rows);
	const events = await accountOf(rest, watchId, TRIGGER, ({ entity }) => [orderSchema.parse(entity)]);
	return {
		orders: { ...orders, ...(await rowsOf(client, grids.orders)) },
		events: { ...events, ...(await rowsOf(client, grids.activity)) },
	};
}
