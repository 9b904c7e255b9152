import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod/v4';
import { connectDataGrid } from '../../testbed/demo/dataGrid';
import { newId } from '../../testbed/world/makeGrid';
import { openExampleGrids } from '../../testbed/demo/exampleGrids';
import { readerKey } from '../../testbed/demo/kept';
import { importExamples, withDemo } from '../../testbed/demo/session';
import { installN8n, PINNED_N8N } from '../../scripts/setup/n8n.mjs';
import { aiAgent } from './examples/agent';
import { agentEvaluation } from './examples/evaluation';
import { mcpServer } from './examples/mcp';
import { approvedChanges } from './examples/review';
import { newestRun, runByHand } from './examples/running';
import { until } from '../../testbed/until';
import { tablesAreWhole } from './examples/tables';
import { takeBackASync, whatRanTonight } from './examples/nights';
import { makesItsGrids } from './examples/ownGrids';
import { shopOrders } from './examples/shopOrders';
import { twoSystems } from './examples/twoSystems';
import { lateOrders, orderActivity, ordersCompleted, overdueView } from './examples/triggers';
import { toolReview } from './examples/toolReview';
import { cut, example, noted, rows, whileOn, type ExampleDemo } from './examples/exampleDemo';
import { outputOf } from '../../testbed/n8n/execution';
import { requestN8n } from '../../testbed/n8n/request';
import { freePort } from '../../scripts/setup/ports.mjs';

const POLL_SECONDS = 3;

test(`the examples work in n8n ${PINNED_N8N}`, async (t) => {
	const install = await installN8n(PINNED_N8N);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-examples-'));
	const options = { install, folder, n8nPort: await freePort(), servicePort: 0, pollSeconds: POLL_SECONDS };
	try {
		await withDemo(options, async (demo) => {
			const grids = await openExampleGrids(demo.client, demo.grids);
			const grid = (name: string) => {
				const found = grids.find((one) => one.name === name);
				assert.ok(found, `there is no grid "${name}"`);
				return found;
			};
			const reader = await readerKey(demo.client, demo.service, folder);
			for (const [name, check] of Object.entries(CHECKS))
				await t.test(name, () => check({ ...demo, folder, reader, grid }));
		});
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
});

const CHECKS: Record<string, (demo: ExampleDemo) => Promise<void>> = {
	'all are there with notes, and a second start adds none': allAreThere,
	'nightly-mirror': nightlyMirror,
	'changes-to-webhook': changesToWebhook,
	'deletions-reported': deletionsReported,
	'late-orders': lateOrders,
	'customers-from-another-system': customersFromAnotherSystem,
	'remove-duplicate-rows': removeDuplicateRows,
	'what-ran-tonight': whatRanTonight,
	'take-back-a-sync': takeBackASync,
	'shop-orders': shopOrders,
	'two-systems': twoSystems,
	'in an empty account, examples make their grids and work': (demo) =>
		makesItsGrids(demo, [
			orderActivity,
			ordersCompleted,
			overdueView,
			csvToGrid,
			gridToCsv,
			webhookIntake,
			historyAndRestore,
			readerKeyReport,
			mcpServer,
			aiAgent,
			approvedChanges,
			agentEvaluation,
		]),
	'batch-by-batch': batchByBatch,
	'ai-agent, with a review of its writing tool': toolReview,
	'no table of a node has a cell that is undefined': tablesAreWhole,
};

async function allAreThere(demo: ExampleDemo) {
	const { rest, examples, folder, workflow } = demo;
	assert.ok(examples.size >= 9, `only ${String(examples.size)} examples`);
	for (const [file, { nodes }] of examples) {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		assert.ok(notes.length > 0, `${file} has no note on its canvas`);
	}
	const ids = async () => (await rest.workflows()).map(({ id }) => id).sort();
	const before = await ids();
	await importExamples(demo, folder, POLL_SECONDS);
	assert.deepEqual(await ids(), before);
	assert.equal((await rest.credentials()).length, 2);
	// The one that runs from the beginning has a test in another account.
	await rest.deactivate(workflow.id);
}

async function nightlyMirror(demo: ExampleDemo) {
	const { client, rest, grids, grid } = demo;
	const workflow = example(demo, 'nightly-mirror.json');
	const mirrored = async () => (await rows(demo, 'Orders Mirror')).map(cut).sort();
	// A row that somebody added and left blank has no key, so it is not mirrored.
	await client.entities.create(grids.orders, {}, 'property');
	const orders = async () => (await rows(demo, 'Orders')).filter(({ Order }) => Order !== null);
	const wanted = (await orders()).map(cut).sort();
	const plan = await runByHand(rest, workflow, 'See first what would change');
	const planned = outputOf(plan, 'Plan, write nothing').map(({ _outcome }) => _outcome);
	assert.deepEqual(planned, Array(wanted.length).fill('create'));
	assert.deepEqual(await mirrored(), [], 'a dry run has written');
	await runByHand(rest, workflow, 'Every night at 2');
	assert.deepEqual(await mirrored(), wanted);
	await client.entities.create(grid('Orders Mirror'), { Order: 'gone', Status: 'new' }, 'property');
	const [order] = await orders();
	await client.entities.update(grids.orders, order?._id ?? '', { Customer: 'Renamed' }, 'property');
	const again = await runByHand(rest, workflow, 'Every night at 2');
	const { created, updated, deleted } = outputOf(again, 'Mirror')[0] ?? {};
	assert.deepEqual({ created, updated, deleted }, { created: 0, updated: 1, deleted: 1 });
	assert.deepEqual(await mirrored(), (await orders()).map(cut).sort());
	assert.equal((await noted(demo, 'mirrored')).length, 2);
}

async function batchByBatch(demo: ExampleDemo) {
	const orders = (await rows(demo, 'Orders')).map(({ Order }) => Order);
	const run = await runByHand(demo.rest, example(demo, 'batch-by-batch.json'), 'When you run it');
	const read = (await noted(demo, 'order read')).map(({ Order }) => Order);
	assert.ok(orders.length > 3, 'all orders are in one batch');
	assert.deepEqual(read.sort(), orders.sort());
	assert.equal(outputOf(run, 'All rows are read').length, 1);
}

async function changesToWebhook(demo: ExampleDemo) {
	await whileOn(demo, 'changes-to-webhook.json', () => changesSent(demo));
}

async function changesSent(demo: ExampleDemo) {
	const { client, grids } = demo;
	const id = newId(await client.entities.create(grids.orders, { Order: 'W-1', Status: 'new' }, 'property'));
	await until('the new row', async () => (await noted(demo, 'sent: created'))[0]);
	await client.entities.update(grids.orders, id, { Customer: 'not watched' }, 'property');
	await client.entities.update(grids.orders, id, { Status: 'packed' }, 'property');
	const sent = await until('the change', async () => (await noted(demo, 'sent: updated'))[0]);
	assert.match(String(sent['Details']), /Status → packed/);
	assert.equal((await noted(demo, 'sent: updated')).length, 1);
}

async function webhookIntake(demo: ExampleDemo) {
	await whileOn(demo, 'webhook-intake.json', () => requestsTaken(demo));
}

async function requestsTaken(demo: ExampleDemo) {
	const address = `${demo.n8n.url}/webhook/datagrid-intake`;
	const post = (body: object) =>
		requestN8n(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	const accepted = await post({ name: 'Ada', email: 'ada@example.com', message: 'Hello' });
	assert.equal(accepted.status, 201);
	const [request, ...others] = await rows(demo, 'Requests');
	assert.deepEqual(await accepted.json(), { accepted: true, id: request?._id });
	assert.equal(request?.['Message'], 'Hello');
	const refused = await post({ name: 'Ada', email: 'no address', message: 'Hello' });
	assert.equal(refused.status, 400);
	assert.match(await refused.text(), /Email/);
	assert.equal((await rows(demo, 'Requests')).length, 1 + others.length);
}

async function csvToGrid(demo: ExampleDemo) {
	await whileOn(demo, 'csv-to-grid.json', (workflow) => fileImported(demo, workflow));
}

async function fileImported(demo: ExampleDemo, workflow: { id: string }) {
	const before = (await rows(demo, 'Customers')).length;
	const lines = [
		'Name,Email,Phone,City,Since',
		'Dune Outdoor,supply@dune.example,+45 33 555 104,Aarhus,2021-03-01',
		'Ivy Lane,hello@ivylane.example,+44 20 5550199,Leeds,2026-01-15',
		'Broken,broken@example.com,,Nowhere,no date',
		',,,,',
	];
	const form = new FormData();
	form.set('field-0', new Blob([lines.join('\n')], { type: 'text/csv' }), 'customers.csv');
	const answer = await requestN8n(`${demo.n8n.url}/form/datagrid-csv`, { method: 'POST', body: form });
	assert.equal(answer.status, 200);
	const { formWaitingUrl } = z.object({ formWaitingUrl: z.string() }).parse(await answer.json());
	const customer = async (name: string) =>
		(await rows(demo, 'Customers')).find((row) => row['Name'] === name);
	await until('the new customer', () => customer('Ivy Lane'));
	// As the page of the form does: n8n answers for the last page once the execution waits.
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	await until('the last page', async () => {
		const text = (await (await requestN8n(status)).text()).trim();
		return text === 'form-waiting' ? text : undefined;
	});
	const page = await (await requestN8n(formWaitingUrl)).text();
	await requestN8n(formWaitingUrl, { method: 'POST' });
	assert.match(page, /Imported, except some lines/);
	assert.match(page, /1 added, 1 changed, 0 as before\./);
	assert.match(page, /1 without an email address/);
	assert.match(page, /Line 4: Column (&quot;|")Since/);
	const run = await newestRun(demo.rest, workflow);
	assert.equal((await customer('Dune Outdoor'))?.['City'], 'Aarhus');
	assert.equal((await rows(demo, 'Customers')).length, before + 1);
	const [{ created, updated, skipped, invalidRows } = {}] = outputOf(run, 'Import customers');
	assert.deepEqual({ created, updated, skipped }, { created: 1, updated: 1, skipped: 1 });
	const [row, ...others] = z.array(z.looseObject({ lines: z.array(z.number()) })).parse(invalidRows);
	assert.deepEqual([row?.lines, row?.['column'], others], [[4], 'Since', []]);
}

async function gridToCsv(demo: ExampleDemo) {
	await whileOn(demo, 'grid-to-csv.json', () => fileGiven(demo));
}

async function fileGiven(demo: ExampleDemo) {
	const answer = await requestN8n(`${demo.n8n.url}/webhook/datagrid-open-orders`);
	assert.equal(answer.status, 200);
	assert.match(answer.headers.get('content-disposition') ?? '', /open-orders\.csv/);
	const text = await answer.text();
	for (const { Order, Status } of await rows(demo, 'Orders')) {
		const isOpen = Status === 'new' || Status === 'packed';
		assert.equal(text.includes(`${String(Order)},`), isOpen, `${String(Order)} is ${String(Status)}`);
	}
}

async function deletionsReported(demo: ExampleDemo) {
	await whileOn(demo, 'deletions-reported.json', () => deletionReported(demo));
}

async function deletionReported(demo: ExampleDemo) {
	const { client, grids } = demo;
	const made = { Order: 'D-1', Customer: 'Ada', Status: 'new' };
	const id = newId(await client.entities.create(grids.orders, made, 'property'));
	await client.entities.remove(grids.orders, id);
	const report = await until('the report', async () => (await rows(demo, 'Deleted Orders'))[0]);
	const { Row, Order, Customer } = report;
	assert.deepEqual({ Row, Order, Customer }, { Row: id, Order: 'D-1', Customer: 'Ada' });
}

async function customersFromAnotherSystem(demo: ExampleDemo) {
	const workflow = example(demo, 'customers-from-another-system.json');
	const before = (await rows(demo, 'Customers')).length;
	const first = await runByHand(demo.rest, workflow, 'Every hour');
	const outcomes = outputOf(first, 'Create or update by email').map(({ _outcome }) => _outcome);
	assert.deepEqual(outcomes, ['updated', 'created']);
	const customers = await rows(demo, 'Customers');
	assert.equal(customers.length, before + 1);
	const cities = new Map(customers.map((row) => [row['Name'], row['City']]));
	assert.equal(cities.get('Alder & Finch'), 'Hamburg');
	assert.equal(cities.get('Harbour Lights'), 'Lisbon');
	const second = await runByHand(demo.rest, workflow, 'Every hour');
	assert.deepEqual(outputOf(second, 'Only what changed'), []);
	assert.equal((await noted(demo, 'customer created')).length, 1);
	assert.equal((await noted(demo, 'customer updated')).length, 1);
}

async function removeDuplicateRows(demo: ExampleDemo) {
	const { client, rest, grid } = demo;
	const workflow = example(demo, 'remove-duplicate-rows.json');
	const customers = grid('Customers');
	const before = (await rows(demo, 'Customers')).map(({ _id }) => _id);
	await client.entities.create(customers, { Name: 'Without a key' }, 'property');
	await client.entities.create(customers, { Name: 'Also without a key' }, 'property');
	const doubled = { Name: 'Twice', Email: 'twice@example.com' };
	const ids: string[] = [];
	for (let copy = 0; copy < 3; copy++)
		ids.push(newId(await client.entities.create(customers, doubled, 'property')));
	const [stays = '', ...others] = ids.sort();
	const plan = outputOf(await runByHand(rest, workflow, 'When you run it'), 'Delete the others');
	assert.deepEqual(plan.map(({ _id }) => _id).sort(), others);
	assert.ok(plan.every(({ _outcome }) => _outcome === 'delete'));
	assert.equal((await rows(demo, 'Customers')).length, before.length + 5);
	const { nodes } = await rest.workflow(workflow.id);
	const write = await rest.changeWorkflow(workflow.id, {
		nodes: nodes.map((node) =>
			node.name === 'Delete the others'
				? { ...node, parameters: { ...node.parameters, dryRun: false } }
				: node,
		),
	});
	await runByHand(rest, write, 'When you run it');
	const after = (await rows(demo, 'Customers')).map(({ _id }) => _id);
	assert.equal(after.length, before.length + 3);
	assert.ok([...before, stays].every((id) => after.includes(id)));
}

/** Without the IDs of columns, which differ from grid to grid. */
const changesSchema = z.array(z.object({ field: z.string(), old: z.unknown(), new: z.unknown() }));

async function historyAndRestore(demo: ExampleDemo) {
	const { client, rest, grids } = demo;
	const workflow = example(demo, 'history-and-restore.json');
	const order = async () => {
		const found = (await rows(demo, 'Orders')).find((row) => row['Order'] === 'A-1001');
		assert.ok(found);
		return found;
	};
	const { _id, Status: was } = await order();
	await client.entities.update(grids.orders, _id, { Status: 'cancelled' }, 'property');
	const start = 'When you run it';
	const [plan] = outputOf(await runByHand(rest, workflow, start), 'Take back its last change');
	const changes = changesSchema.parse(plan?.['_changes']);
	assert.deepEqual(changes, [{ field: 'Status', old: 'cancelled', new: was }]);
	assert.equal((await order())['Status'], 'cancelled');
	const { nodes: asTheyAre } = await rest.workflow(workflow.id);
	const nodes = asTheyAre.map((node) =>
		node.name === 'Which order' ? { ...node, parameters: answeredYes(node.parameters) } : node,
	);
	await rest.changeWorkflow(workflow.id, { nodes });
	await runByHand(rest, workflow, start);
	assert.equal((await order())['Status'], was);
}

/** The parameters of "Which order" with its switch on. */
function answeredYes(parameters: Record<string, unknown>) {
	const { assignments } = z
		.object({ assignments: z.array(z.looseObject({ name: z.string() })) })
		.parse(parameters['assignments']);
	const on = assignments.map((one) => (one.name === 'Write it back' ? { ...one, value: true } : one));
	return { ...parameters, assignments: { assignments: on } };
}

async function readerKeyReport(demo: ExampleDemo) {
	const { client, rest, grids } = demo;
	const reader = connectDataGrid(demo.reader);
	await assert.rejects(async () => {
		const orders = await reader.grids.open({ spaceId: grids.space.id, gridId: grids.orders.id });
		await reader.entities.create(orders, { Order: 'R-1' }, 'property');
	}, /No permission to add rows/);
	// An order without status and amount; the blank row of the mirror is there, too.
	await client.entities.create(grids.orders, { Order: 'R-2' }, 'property');
	const workflow = example(demo, 'reader-key-report.json');
	const [report] = outputOf(await runByHand(rest, workflow, 'Every Monday at 7'), 'Send it');
	const lines = String(report?.['Text']).split('\n');
	const orders = (await rows(demo, 'Orders')).filter((row) => row['Order'] !== null);
	const statusOf = ({ Status }: Record<string, unknown>) =>
		typeof Status === 'string' ? Status : '(no status)';
	const statuses = [...new Set(orders.map(statusOf))];
	const expected = statuses.map((status) => {
		const own = orders.filter((row) => statusOf(row) === status);
		const sum = own.reduce((total, row) => total + Number(row['Amount'] ?? 0), 0);
		return `${status}: ${String(own.length)} orders, ${sum.toFixed(2)}`;
	});
	assert.deepEqual(lines.sort(), expected.sort());
}
