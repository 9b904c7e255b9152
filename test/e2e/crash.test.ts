import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { errorOf, outputOf } from '../../testbed/n8n/execution';
import { until } from '../../testbed/until';
import { gridLocator, newestFinished, OPERATION, post, webhookWorkflow } from '../../testbed/n8n/webhook';
import { ensureGrid } from '../../testbed/demo/dataGrid';
import { startTriggerTestbed } from './trigger/triggerTestbed';
import type { Grid } from '../../client/resources/grids';
import type { RunningN8n } from '../../testbed/n8n/n8n';
import type { N8nRest } from '../../testbed/n8n/rest';

/**
 * n8n is killed with -9 while it writes and exports: what grids and executions then tell, and how
 * the work is completed. Each kill ends all operations of its test.
 */
const ROWS = 2400;

let testbed: Awaited<ReturnType<typeof startTriggerTestbed>>;

let n8n: RunningN8n;

let rest: N8nRest;

/** Written by a create without key columns, then by syncs. */
let plain: Grid;
/** Written by a create with key columns, then from a file. */
let keyed: Grid;
/** Exported; three pages. */
let filled: Grid;

before(async () => {
	testbed = await startTriggerTestbed({ name: 'crash', install: await installN8n(PINNED_N8N), options: {} });
	const { client, space } = testbed;
	const grid = async (name: string) =>
		await ensureGrid(client, space, name, { Order: 'string', Status: 'string' });
	[plain, keyed, filled] = [await grid('Plain'), await grid('Keyed'), await grid('Filled')];
	for (const order of orders('E/')) await client.entities.create(filled, order, 'property');
	({ n8n, rest } = await testbed.start());
});

after(async () => {
	await n8n.stop();
	await testbed.end();
});

/** id of the column that tells one order from another */
async function orderColumn(grid: Grid): Promise<string> {
	const column = (await testbed.client.fields.of(grid)).find(({ name }) => name === 'Order');
	assert.ok(column);
	return column.id;
}

/** @param path of its webhook, and its name */
async function activate(path: string, grid: Grid, parameters: object, asFile = false) {
	const credential = await testbed.putCredential(rest);
	const matchingColumns = [await orderColumn(grid)];
	const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns };
	const all = { resource: 'entity', grid: gridLocator(grid), columns, ...parameters };
	const workflow = await rest.createWorkflow(
		webhookWorkflow({ name: path, path, credential, parameters: all, asFile }),
	);
	await rest.activate(workflow);
	return workflow;
}

/** The status of each order; each order must be there once. */
async function statuses(grid: Grid): Promise<Map<unknown, unknown>> {
	const { items } = await testbed.client.entities.many(grid, { layout: 'property' });
	const statusOf = new Map(items.map(({ Order, Status }) => [Order, Status]));
	assert.equal(statusOf.size, items.length, 'orders are doubled');
	return statusOf;
}

const numberOf = (status: ReadonlyMap<unknown, unknown>, prefix: string) =>
	[...status.keys()].filter((order) => String(order).startsWith(prefix)).length;

/** Rows there are, as the service counts them. */
const count = async (grid: Grid) => await testbed.client.entities.count(grid);

/** Kills n8n as soon as something holds, and starts it again with another store of files. */
async function killIn(isMiddle: () => Promise<boolean>, fileStore: string) {
	await until('the middle of the writing', isMiddle, { everyMs: 5 });
	await n8n.kill();
	testbed.proxy.setRules();
	({ n8n, rest } = await testbed.start({ N8N_DEFAULT_BINARY_DATA_MODE: fileStore }));
}

const orders = (prefix: string) =>
	Array.from({ length: ROWS }, (_, index) => ({ Order: `${prefix}${index}`, Status: 'new' }));

type Orders = ReturnType<typeof orders>;

/** Every other one has changed. */
const packed = (rows: Orders) =>
	rows.map((row, index) => (index % 2 === 0 ? { ...row, Status: 'packed' } : row));

const statusOf = (rows: Orders) => new Map(rows.map(({ Order, Status }) => [Order, Status]));

/**
 * @param workflowId of one whose only execution was cut
 * @returns its output
 */
async function outputOfCut(workflowId: string) {
	const { id, status } = await newestFinished(rest, workflowId, 1);
	assert.equal(status, 'crashed');
	return outputOf((await rest.execution(id)).data, OPERATION);
}

/** The output of the newest execution, which must have succeeded. */
async function outputAfter(workflowId: string, executions: number) {
	const { id, status } = await newestFinished(rest, workflowId, executions);
	const { data } = await rest.execution(id);
	assert.equal(status, 'success', errorOf(data));
	return outputOf(data, OPERATION);
}

/** Whether a request is for a page of the exported grid. */
const isPage = (path: string) => path.includes(filled.id) && path.includes('/entities?');

/** Number of these requests since the rules of the proxy were set. */
const pages = () => testbed.proxy.requests.filter(({ path }) => isPage(path)).length;

/** Exports while the first, a middle or the last page is refused: a part is never the result. */
async function refusedExports(fileStore: string) {
	const { id: workflowId } = await activate(`refused-${fileStore}`, filled, { operation: 'export' });
	const refused = { kind: 'response', status: 401, body: '{"message":"This key is not known"}' } as const;
	for (const page of [1, 2, 3]) {
		testbed.proxy.setRules(({ path }) => (isPage(path) && pages() >= page ? refused : undefined));
		await post(n8n.url, `refused-${fileStore}`, [{}]);
		const { id, status } = await newestFinished(rest, workflowId, page);
		assert.equal(status, 'error', `page ${page}`);
		assert.match(errorOf((await rest.execution(id)).data) ?? '', /rejected the credentials/);
	}
	testbed.proxy.setRules();
}

test('an export of which a page is refused ends with that error, if n8n stores files on disk', async () => {
	await refusedExports('filesystem');
});

test('bulk creates: no row is doubled, and a second run or Sync adds the missing ones', async (t) => {
	const wanted = orders('A/');
	const create = await activate('create', plain, { operation: 'create' });
	const options = { avoidDuplicatesBy: [await orderColumn(keyed)] };
	const createOnce = await activate('create-once', keyed, { operation: 'create', options });
	await Promise.all([post(n8n.url, 'create', wanted), post(n8n.url, 'create-once', wanted)]);
	const isMiddle = async () => (await count(plain)) > ROWS * 0.2 && (await count(keyed)) > ROWS * 0.2;
	await killIn(isMiddle, 'default');
	const [cut, cutOnce] = [(await statuses(plain)).size, (await statuses(keyed)).size];
	t.diagnostic(`killed after ${cut} and ${cutOnce} of ${ROWS} rows`);
	for (const rows of [cut, cutOnce])
		assert.ok(rows > ROWS * 0.2 && rows < ROWS, 'The kill was not in the middle');
	for (const { id } of [create, createOnce]) assert.deepEqual(await outputOfCut(id), []);

	const sync = await activate('complete', plain, { operation: 'sync', output: 'report' });
	await Promise.all([post(n8n.url, 'complete', wanted), post(n8n.url, 'create-once', wanted)]);
	const [report] = await outputAfter(sync.id, 1);
	assert.equal(report?.['created'], ROWS - cut);
	assert.equal(report['unchanged'], cut);
	const output = await outputAfter(createOnce.id, 2);
	assert.equal(output.length, ROWS);
	assert.equal(output.filter(({ _outcome }) => _outcome === 'existing').length, cutOnce);
	for (const grid of [plain, keyed]) assert.deepEqual(await statuses(grid), statusOf(wanted));
});

test('so does an export of which n8n holds the file in memory', async () => {
	await refusedExports('default');
});

test('a sync with deletions, one from a file, and an export: a second run completes each', async (t) => {
	// A third of the rows goes, as many are new.
	const kept = packed(orders('A/').slice(ROWS / 3));
	const wanted = [...kept, ...orders('C/').slice(0, ROWS / 3)];
	const filed = [...orders('F/'), ...packed(orders('A/'))];
	const sync = await activate('sync', plain, {
		operation: 'sync',
		rowsNotInInput: 'delete',
		output: 'report',
		options: { limits: { values: { deletionLimit: 50 } } },
	});
	const keyColumns = [await orderColumn(keyed)];
	const importFile = await activate('sync-file', keyed, { operation: 'importFile', keyColumns }, true);
	const exported = await activate('export-file', filled, { operation: 'export' });
	testbed.proxy.setRules(({ path }) =>
		isPage(path) && pages() > 2 ? { kind: 'latency', milliseconds: 60_000 } : undefined,
	);
	const postAll = async () =>
		await Promise.all([
			post(n8n.url, 'sync', wanted),
			post(n8n.url, 'sync-file', filed),
			post(n8n.url, 'export-file', [{}]),
		]);
	await postAll();
	const half = { [await orderColumn(plain)]: { $eq: `C/${ROWS / 6}` } };
	const isMiddle = async () =>
		pages() > 2 &&
		(await count(keyed)) > ROWS * 1.1 &&
		(await testbed.client.entities.count(plain, { filter: half })) > 0;
	await killIn(isMiddle, 'database');
	const [there, filedThere] = [await statuses(plain), await statuses(keyed)];
	const [added, addedFromFile] = [numberOf(there, 'C/'), numberOf(filedThere, 'F/')];
	t.diagnostic(`killed after ${added} of ${ROWS / 3} and ${addedFromFile} of ${ROWS} creations`);
	assert.ok(added < ROWS / 3 || there.size > wanted.length, 'The kill was not in the middle of the sync');
	assert.ok(addedFromFile < ROWS, 'The kill was not in the middle of the file');
	for (const { id } of [sync, importFile, exported]) assert.deepEqual(await outputOfCut(id), []);

	await postAll();
	const [report] = await outputAfter(sync.id, 2);
	assert.equal(report?.['created'], ROWS / 3 - added);
	assert.equal(report['failed'], 0);
	const [fileReport] = await outputAfter(importFile.id, 2);
	assert.equal(fileReport?.['created'], ROWS - addedFromFile);
	assert.equal(fileReport['failed'], 0);
	const [file] = await outputAfter(exported.id, 2);
	assert.equal(file?.['rows'], ROWS);
	assert.deepEqual(await statuses(plain), statusOf(wanted));
	assert.deepEqual(await statuses(keyed), statusOf(filed));
});

test('so does an export of which n8n stores the file in its database', async () => {
	await refusedExports('database');
});
