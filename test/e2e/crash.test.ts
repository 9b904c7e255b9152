import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { errorOf, outputOf } from '../../testbed/n8n/execution';
import { until } from '../../testbed/until';
import { gridLocator, newestFinished, OPERATION, post, webhookWorkflow } from '../../testbed/n8n/webhook';
import { startTriggerTestbed } from './trigger/triggerTestbed';
import type { RunningN8n } from '../../testbed/n8n/n8n';
import type { N8nRest } from '../../testbed/n8n/rest';

/**
 * n8n is killed with -9 while it writes: what grid and
 * executions then tell, and how the work is completed.
 */
const ROWS = 2400;

let testbed: Awaited<ReturnType<typeof startTriggerTestbed>>;

let n8n: RunningN8n;

let rest: N8nRest;
/** id of the column that tells one order from another */
let orderColumn: string;

before(async () => {
	testbed = await startTriggerTestbed({ name: 'crash', install: await installN8n(PINNED_N8N), options: {} });
	({ n8n, rest } = await testbed.start());
	const fields = await testbed.client.fields.of(testbed.orders);
	orderColumn = fields.find(({ name }) => name === 'Order')?.id ?? '';
	assert.notEqual(orderColumn, '');
});

after(async () => {
	await n8n.stop();
	await testbed.end();
});

/** @param path of its webhook, and its name */
async function activate(path: string, parameters: object, asFile = false) {
	const credential = await testbed.putCredential(rest);
	const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [orderColumn] };
	const all = { grid: gridLocator(testbed.orders), columns, ...parameters };
	const workflow = await rest.createWorkflow(
		webhookWorkflow({ name: path, path, credential, parameters: all, asFile }),
	);
	await rest.activate(workflow);
	return workflow;
}

/** The rows of the grid whose order begins so, by order. */
async function rowsOf(prefix: string) {
	const { items } = await testbed.client.entities.many(testbed.orders, { layout: 'property' });
	const ours = items.filter(({ Order }) => String(Order).startsWith(prefix));
	const byOrder = new Map(ours.map((row) => [String(row['Order']), row]));
	return { byOrder, doubled: ours.length - byOrder.size };
}

/** Rows there are, as the service counts them. */
async function count() {
	return (await testbed.client.entities.page(testbed.orders, { pageSize: 1 })).numberOfItems;
}

/** Kills n8n as soon as something holds, and starts it again. */
async function killIn(isMiddle: () => Promise<boolean>) {
	await until('the middle of the writing', isMiddle, { everyMs: 5 });
	await n8n.kill();
	({ n8n, rest } = await testbed.start());
}

const order = (prefix: string, number: number, status: string = 'new') => ({
	Order: `${prefix}${String(number)}`,
	Status: status,
});

const orders = (prefix: string) => Array.from({ length: ROWS }, (_, index) => order(prefix, index));

/**
 * @param workflowId of one whose only execution was cut
 * @returns what the executions list tells of it
 */
async function toldOfCut(workflowId: string): Promise<string> {
	const { id, status } = await newestFinished(rest, workflowId, 1);
	assert.equal(status, 'crashed');
	return errorOf((await rest.execution(id)).data) ?? '';
}

test('a bulk create without key columns: no row is duplicated, and Sync adds the missing ones', async (t) => {
	const wanted = orders('A/');
	const create = await activate('create', { resource: 'entity', operation: 'create' });
	const before = await count();
	await post(n8n.url, 'create', wanted);
	await killIn(async () => (await count()) > before + ROWS * 0.2);
	const cut = await rowsOf('A/');
	t.diagnostic(
		`killed after ${String(cut.byOrder.size)} of ${String(ROWS)} rows; ${await toldOfCut(create.id)}`,
	);
	assert.ok(cut.byOrder.size > ROWS * 0.2 && cut.byOrder.size < ROWS, 'The kill was not in the middle');
	assert.equal(cut.doubled, 0);
	assert.equal(await count(), before + cut.byOrder.size);

	const sync = await activate('complete', { resource: 'entity', operation: 'sync', output: 'report' });
	await post(n8n.url, 'complete', wanted);
	const { id, status } = await newestFinished(rest, sync.id, 1);
	const { data } = await rest.execution(id);
	assert.equal(status, 'success', errorOf(data));
	const [report] = outputOf(data, OPERATION);
	assert.equal(report?.['created'], ROWS - cut.byOrder.size);
	assert.equal(report['unchanged'], cut.byOrder.size);
	await assertComplete('A/', before);
});

test('a bulk create with key columns: a second run adds the missing rows', async (t) => {
	const wanted = orders('B/');
	const options = { avoidDuplicatesBy: [orderColumn] };
	const create = await activate('create-once', { resource: 'entity', operation: 'create', options });
	const before = await count();
	await post(n8n.url, 'create-once', wanted);
	await killIn(async () => (await count()) > before + ROWS * 0.2);
	const cut = await rowsOf('B/');
	t.diagnostic(
		`killed after ${String(cut.byOrder.size)} of ${String(ROWS)} rows; ${await toldOfCut(create.id)}`,
	);
	assert.ok(cut.byOrder.size > ROWS * 0.2 && cut.byOrder.size < ROWS, 'The kill was not in the middle');
	assert.equal(cut.doubled, 0);

	await post(n8n.url, 'create-once', wanted);
	const { id, status } = await newestFinished(rest, create.id, 2);
	const { data } = await rest.execution(id);
	assert.equal(status, 'success', errorOf(data));
	const output = outputOf(data, OPERATION);
	assert.equal(output.length, ROWS);
	assert.equal(output.filter(({ _outcome }) => _outcome === 'existing').length, cut.byOrder.size);
	await assertComplete('B/', before);
});

test('a sync that creates, changes and deletes: a second run completes it', async (t) => {
	// Of the rows of the first test, every other one is
	// changed, a third of them goes, and as many are new.
	const kept = orders('A/').slice(ROWS / 3);
	const changed = kept.map((row, index) => (index % 2 === 0 ? { ...row, Status: 'packed' } : row));
	const wanted = [...changed, ...orders('C/').slice(0, ROWS / 3), ...orders('B/')];
	const parameters = {
		resource: 'entity',
		operation: 'sync',
		rowsNotInInput: 'delete',
		output: 'report',
		options: { deletionLimit: 50 },
	};
	const sync = await activate('sync', parameters);
	await post(n8n.url, 'sync', wanted);
	await killIn(async () => {
		const page = { pageSize: 1, filter: { [orderColumn]: { $eq: `C/${String(ROWS / 6)}` } } };
		return (await testbed.client.entities.page(testbed.orders, page)).numberOfItems > 0;
	});
	const [added, there] = [await rowsOf('C/'), await count()];
	t.diagnostic(
		`killed after ${String(added.byOrder.size)} of ${String(ROWS / 3)} creations; ${await toldOfCut(sync.id)}`,
	);
	assert.ok(added.byOrder.size < ROWS / 3 || there > wanted.length, 'The kill was not in the middle');

	await post(n8n.url, 'sync', wanted);
	const { id, status } = await newestFinished(rest, sync.id, 2);
	const { data } = await rest.execution(id);
	assert.equal(status, 'success', errorOf(data));
	const [report] = outputOf(data, OPERATION);
	assert.equal(report?.['created'], ROWS / 3 - added.byOrder.size);
	assert.equal(report['failed'], 0);

	const found = await rowsOf('');
	assert.equal(found.doubled, 0);
	assert.deepEqual(
		new Map([...found.byOrder].map(([key, { Status }]) => [key, Status])),
		new Map(wanted.map(({ Order, Status }) => [Order, Status])),
	);
});

test('a sync from a file: a second run completes it without duplicates', async (t) => {
	const changed = orders('B/').map((row, index) => (index % 2 === 0 ? { ...row, Status: 'packed' } : row));
	const wanted = [...changed, ...orders('F/')];
	const parameters = { resource: 'entity', operation: 'importFile', keyColumns: [orderColumn] };
	const sync = await activate('sync-file', parameters, true);
	const before = await count();
	await post(n8n.url, 'sync-file', wanted);
	await killIn(async () => (await count()) > before + ROWS * 0.2);
	const cut = await rowsOf('F/');
	t.diagnostic(
		`killed after ${String(cut.byOrder.size)} of ${String(ROWS)} creations; ${await toldOfCut(sync.id)}`,
	);
	assert.ok(cut.byOrder.size < ROWS, 'The kill was not in the middle');
	assert.equal(cut.doubled, 0);

	await post(n8n.url, 'sync-file', wanted);
	const { id, status } = await newestFinished(rest, sync.id, 2);
	const { data } = await rest.execution(id);
	assert.equal(status, 'success', errorOf(data));
	const [report] = outputOf(data, OPERATION);
	assert.equal(report?.['created'], ROWS - cut.byOrder.size);
	assert.equal(report['failed'], 0);
	await assertComplete('F/', before);
	const { byOrder } = await rowsOf('B/');
	for (const { Order, Status } of changed) assert.equal(byOrder.get(Order)?.['Status'], Status);
});

test('an export to a file never outputs a part of the file', async () => {
	const exported = await activate('export-file', { resource: 'entity', operation: 'export' });
	const pages = () => testbed.proxy.requests.filter(({ path }) => path.includes('/entities?')).length;
	testbed.proxy.setRules(({ path }) =>
		path.includes('/entities?') && pages() > 2 ? { kind: 'latency', milliseconds: 20_000 } : undefined,
	);
	await post(n8n.url, 'export-file', [{}]);
	await killIn(() => Promise.resolve(pages() > 2));
	testbed.proxy.setRules();
	const { id: cut } = await newestFinished(rest, exported.id, 1);
	assert.deepEqual(outputOf((await rest.execution(cut)).data, OPERATION), []);

	await post(n8n.url, 'export-file', [{}]);
	const { id, status } = await newestFinished(rest, exported.id, 2);
	assert.equal(status, 'success');
	const [report] = outputOf((await rest.execution(id)).data, OPERATION);
	assert.equal(report?.['rows'], await count());
});

test('an export of which a page is refused ends with that error, wherever n8n stores files', async () => {
	const exported = await activate('refused-export', { resource: 'entity', operation: 'export' });
	const refused = { kind: 'response', status: 401, body: '{"message":"This key is not known"}' } as const;
	let runs = 0;
	// n8n is running with the first of them.
	for (const mode of ['filesystem', 'default', 'database']) {
		if (runs > 0) {
			await n8n.stop();
			({ n8n, rest } = await testbed.start({ N8N_DEFAULT_BINARY_DATA_MODE: mode }));
		}
		for (const page of [1, 2, 3]) {
			const pages = () => testbed.proxy.requests.filter(({ path }) => path.includes('/entities?')).length;
			testbed.proxy.setRules(({ path }) =>
				path.includes('/entities?') && pages() >= page ? refused : undefined,
			);
			await post(n8n.url, 'refused-export', [{}]);
			const { id, status } = await newestFinished(rest, exported.id, ++runs);
			assert.equal(status, 'error', `${mode}, page ${String(page)}`);
			assert.match(errorOf((await rest.execution(id)).data) ?? '', /rejected the credentials/);
		}
	}
	testbed.proxy.setRules();
});

/** @param before rows there were before any of these */
async function assertComplete(prefix: string, before: number) {
	const { byOrder, doubled } = await rowsOf(prefix);
	assert.deepEqual({ rows: byOrder.size, doubled }, { rows: ROWS, doubled: 0 });
	assert.equal(await count(), before + ROWS);
}
