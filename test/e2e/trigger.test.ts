import assert from 'node:assert/strict';
import { env } from 'node:process';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { Account } from './trigger/account';
import { isFeed, startTriggerTestbed } from './trigger/triggerTestbed';
import { TRIGGER } from '../../testbed/n8n/triggerNode';
import type { Rule } from '../../testbed/proxy/faultProxy';
import type { RunningN8n } from '../../testbed/n8n/n8n';
import type { N8nRest } from '../../testbed/n8n/rest';

/**
 * What people do to a workflow while it watches a grid; after each, every change has come, once.
 */
const version = env['E2E_N8N_VERSION'] ?? PINNED_N8N;
/** Of a second each. Some of n8n's own repetitions come only after a minute. */
const PATIENCE = 600;
const RENAMED = 'Changes of Orders';
const UNAVAILABLE: Rule = () => ({ kind: 'response', status: 503, body: '{"message":"Being repaired"}' });
const REFUSED: Rule = () => ({ kind: 'response', status: 401, body: '{"message":"This key is not known"}' });

let testbed: Awaited<ReturnType<typeof startTriggerTestbed>>;

let n8n: RunningN8n;

let rest: N8nRest;

let workflowId: string;
let trigger = TRIGGER;
let rows = 0;
/** The grid had rows before. */
let since = 0;
const account = new Account();

before(async () => {
	testbed = await startTriggerTestbed({
		name: `lifecycle-${version}`,
		install: await installN8n(version),
		options: {},
	});
	({ n8n, rest } = await testbed.start());
	const workflow = await testbed.createWorkflow(rest);
	workflowId = workflow.id;
	await rest.activate(workflow);
	await polled();
	since = Date.now();
});

after(async () => {
	await n8n.stop();
	await testbed.end();
});

/** A whole poll has begun and ended since now. */
async function polled() {
	await testbed.proxy.responded(isFeed);
	await testbed.proxy.responded(isFeed);
}

async function write(count: number) {
	for (let end = rows + count; rows < end; rows++)
		await testbed.client.entities.create(testbed.orders, { Order: `L-${String(rows)}` }, 'property');
}

/**
 * Waits until all that was written has been emitted, then
 * some polls more, in which nothing may come twice.
 */
async function assertAllCameOnce() {
	const written = await testbed.eventsSince(since);
	assert.equal(written.length, rows);
	for (let second = 0; second < PATIENCE && account.events.size < written.length; second++) {
		await wait(1000);
		await account.collect(rest, workflowId, trigger);
	}
	await polled();
	await account.collect(rest, workflowId, trigger);
	const { emitted, lost, doubled, redelivered } = account.against(written);
	assert.deepEqual(
		{ emitted, lost, doubled, redelivered },
		{ emitted: rows, lost: 0, doubled: 0, redelivered: 0 },
	);
	assert.equal((await rest.workflow(workflowId)).active, true);
}

/** Saves a change and makes it the active version. */
async function publish(change: object) {
	const { versionId } = await rest.workflow(workflowId);
	await rest.activate(await rest.changeWorkflow(workflowId, { ...change, versionId }));
}

test(`n8n ${version}: emits each change once`, async () => {
	await write(20);
	await assertAllCameOnce();
});

test(`n8n ${version}: deactivated and activated again, it catches up`, async () => {
	await rest.deactivate(workflowId);
	await write(20);
	await rest.activate(await rest.workflow(workflowId));
	await write(5);
	await assertAllCameOnce();
});

test(`n8n ${version}: renamed, it continues from its cursor`, async () => {
	const { nodes } = await rest.workflow(workflowId);
	await write(5);
	await assertAllCameOnce();
	await rest.deactivate(workflowId);
	await write(15);
	trigger = RENAMED;
	await publish({
		nodes: nodes.map((node) => (node.name === TRIGGER ? { ...node, name: RENAMED } : node)),
		connections: { [RENAMED]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
	});
	await write(5);
	await assertAllCameOnce();
});

test(`n8n ${version}: edited and published during a poll, it loses nothing`, async () => {
	testbed.proxy.setRules(() => ({ kind: 'latency', milliseconds: 2500 }));
	await write(10);
	await testbed.proxy.requested(isFeed);
	const { nodes } = await rest.workflow(workflowId);
	await publish({
		nodes: nodes.map((node) => (node.name === 'Done' ? { ...node, position: [400, 0] } : node)),
	});
	await write(10);
	testbed.proxy.setRules();
	await assertAllCameOnce();
});

test(`n8n ${version}: published again while the service answers 503, it stays active and catches up`, async () => {
	testbed.proxy.setRules(UNAVAILABLE);
	await write(10);
	const { nodes } = await rest.workflow(workflowId);
	await publish({
		nodes: nodes.map((node) => (node.name === 'Done' ? { ...node, position: [600, 0] } : node)),
	});
	assert.equal((await rest.workflow(workflowId)).active, true);
	testbed.proxy.setRules();
	await write(10);
	await assertAllCameOnce();
});

test(`n8n ${version}: started while the key is refused, it catches up when the key is accepted`, async () => {
	await n8n.stop();
	testbed.proxy.setRules(REFUSED);
	await write(10);
	const asked = testbed.proxy.requested();
	({ n8n, rest } = await testbed.start());
	await asked;
	await wait(5000);
	assert.equal((await rest.workflow(workflowId)).active, true);
	testbed.proxy.setRules();
	await write(10);
	await assertAllCameOnce();
});

test(`n8n ${version}: a Code node that saves static data at the same time has no effect on it`, async () => {
	const { nodes } = await rest.workflow(workflowId);
	const code = "$getWorkflowStaticData('global').last = Date.now(); return $input.all();";
	await publish({
		nodes: nodes.map((node) =>
			node.name === 'Done'
				? { ...node, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: code } }
				: node,
		),
	});
	for (let part = 0; part < 5; part++) {
		await write(6);
		await polled();
	}
	await assertAllCameOnce();
	const { staticData } = await rest.workflow(workflowId);
	assert.ok(Object.keys(staticData?.['global'] ?? {}).includes('last'), 'the Code node has saved nothing');
});
