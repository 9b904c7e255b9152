import assert from 'node:assert/strict';
import { readList, type Client } from '../../../client';
import { connectDataGrid, type Connection } from '../../../testbed/demo/dataGrid';
import { readExample } from '../../../testbed/demo/workflow';
import { addUser, example, type ExampleDemo } from './exampleDemo';
import { runByHand } from './running';

/** The trigger of each example that makes its grids. */
const TRIGGERS = {
	'order-activity.json': 'Make the grids',
	'orders-completed.json': 'Make the grids',
	'overdue-view.json': 'Make the grids',
	'late-orders.json': 'Make the grids',
	'deletions-reported.json': 'Make the grids',
	'changes-to-webhook.json': 'Make the grids',
	'csv-to-grid.json': 'Make the grids',
	'grid-to-csv.json': 'Make the grids',
	'webhook-intake.json': 'Make the grids',
	'history-and-restore.json': 'Make the grids',
	'reader-key-report.json': 'Make the grids',
	'mcp-server.json': 'Make the grids',
	'ai-agent.json': 'Make the grids',
	'approved-changes.json': 'Make the grids',
	'agent-evaluation.json': 'Make the grids',
	'customers-from-another-system.json': 'Every hour',
	'remove-duplicate-rows.json': 'When you run it',
	'batch-by-batch.json': 'When you run it',
	'nightly-mirror.json': 'Every night at 2',
	'invoices-of-changes.json': 'Every hour',
	'take-back-a-sync.json': 'Every night at 2',
	'what-ran-tonight.json': 'Every night at 2',
};

/** What they leave besides "Activity" and "Run log": grids, views and numbers of rows. */
const MADE = [
	['Agent Tests', [], 1],
	['Customers', [], 2],
	['Deleted Orders', [], 0],
	['Invoices', [], 0],
	['Orders', ['Open orders', 'Overdue'], 2],
	['Orders Mirror', [], 2],
	['Positions', [], 1],
	['Requests', [], 0],
	['Stock', [], 12],
];

/** Rows that the checks expect, as the demo has them. */
const EXPECTED_ROWS = {
	'Agent Tests': { Question: 'Who ordered A-1002?', Expected: 'Birchwood Bikes' },
	Customers: { Name: 'Dune Outdoor', Email: 'supply@dune.example' },
	Orders: { Order: 'A-1002', Customer: 'Birchwood Bikes', Status: 'new' },
};

/** The credential that the examples name for a key with the role reader. */
const READER = 'DataGrid reader';

type Check = (demo: ExampleDemo) => Promise<void>;

/**
 * Imports them and runs them twice in an account that has nothing: nothing but the credentials is
 * chosen. Then runs checks of examples in that account, and adds them to those of the demo.
 */
export async function makesItsGrids(demo: ExampleDemo, checks: readonly Check[]): Promise<void> {
	const { rest, folder, service } = demo;
	const account = { url: service.url, ...(await addUser(folder, 'Dora', 'dora@example.com')) };
	const client = connectDataGrid(account);
	const reader = {
		url: service.url,
		...(await client.accessKeys.create({ name: 'Reader', role: 'reader' })),
	};
	const credentials = [
		await putCredential(demo, 'Empty account', account),
		{ ...(await putCredential(demo, 'Empty account, reader', reader)), name: READER },
	];
	const examples: ExampleDemo['examples'] = new Map();
	for (const file of Object.keys(TRIGGERS)) {
		const choices = { credentials, pollSeconds: 3, n8nUrl: demo.n8n.url, crmUrl: demo.crm.url };
		const { name, ...imported } = await readExample(file, choices);
		examples.set(file, await rest.createWorkflow({ ...imported, name: `${name} (empty account)` }));
	}
	const own = { ...demo, client, service: { ...service, ...account }, reader, examples };
	await runAll(own);
	const made = await contentsOf(client);
	assert.deepEqual(
		made.map(({ name, views, rows }) => [name, views, rows]),
		MADE,
	);
	await runAll(own);
	assert.deepEqual(await contentsOf(client), made);
	const grids = await fill(client);
	for (const check of checks) await check({ ...own, ...grids });
	for (const [file, workflow] of examples) demo.examples.set(`${file} (empty account)`, workflow);
}

async function putCredential({ rest }: ExampleDemo, name: string, { url, key, secret }: Connection) {
	const data = { baseUrl: url, authentication: 'apiKey', key, secret };
	return await rest.putCredential({ name, type: 'dataGridApi', data });
}

async function runAll(demo: ExampleDemo) {
	for (const [file, trigger] of Object.entries(TRIGGERS))
		await runByHand(demo.rest, example(demo, file), trigger);
}

async function gridsOf(client: Client) {
	const [space, ...others] = (await readList(client.spaces.list())).items;
	assert.ok(space?.key === 'operations' && others.length === 0, 'there is another space than "operations"');
	const summaries = (await readList(client.grids.list(space))).items.filter(({ type }) => type !== 'virtual');
	const grids = await Promise.all(summaries.map(({ address }) => client.grids.open(address)));
	return { space, grids: new Map(grids.map((grid) => [grid.name, grid])) };
}

/** Columns, views and number of rows of all grids but those to which each run writes. */
async function contentsOf(client: Client) {
	const { grids } = await gridsOf(client);
	for (const name of ['Activity', 'Run log']) assert.ok(grids.delete(name), `there is no grid "${name}"`);
	const contents = [...grids].map(async ([name, grid]) => {
		const columns = await client.fields.of(grid);
		const views = (await readList(client.views.list(grid))).items;
		const rows = (await client.entities.page(grid, { pageSize: 100 })).items;
		return { name, columns, views: views.map((view) => view.name).sort(), rows: rows.length };
	});
	return (await Promise.all(contents)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Adds rows, and opens the grids. */
async function fill(client: Client) {
	const { space, grids } = await gridsOf(client);
	const grid = (name: string) => {
		const found = grids.get(name);
		assert.ok(found, `there is no grid "${name}"`);
		return found;
	};
	for (const [name, row] of Object.entries(EXPECTED_ROWS))
		await client.entities.create(grid(name), row, 'property');
	return { grid, grids: { space, orders: grid('Orders'), activity: grid('Activity') } };
}
