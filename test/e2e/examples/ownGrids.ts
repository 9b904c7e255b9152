import assert from 'node:assert/strict';
import { connectDataGrid } from '../../../testbed/demo/dataGrid';
import { addUser, example, withCredential, type ExampleDemo } from './exampleDemo';
import { runByHand } from './running';

/** The trigger of each example that makes its grids. */
const TRIGGERS = {
	'customers-from-another-system.json': 'Every hour',
	'remove-doubled-rows.json': 'When you run it',
	'batch-by-batch.json': 'When you run it',
	'nightly-mirror.json': 'Every night at 2',
	'late-orders.json': 'Make the grids',
	'deletions-reported.json': 'Make the grids',
	'changes-to-webhook.json': 'Make the grids',
};

/** Runs them twice in an account that has nothing: nothing but the credential is chosen. */
export async function makesItsGrids(demo: ExampleDemo): Promise<void> {
	const { rest, folder, service } = demo;
	const { key, secret } = await addUser(folder, 'Dora', 'dora@example.com');
	const data = { baseUrl: service.url, authentication: 'apiKey', key, secret };
	const credential = await rest.putCredential({ name: 'Empty account', type: 'dataGridApi', data });
	const client = connectDataGrid({ url: service.url, key, secret });
	for (const [file, trigger] of Object.entries(TRIGGERS)) {
		const { nodes } = await rest.workflow(example(demo, file).id);
		const workflow = await withCredential(demo, example(demo, file), credential);
		await runByHand(rest, workflow, trigger);
		await runByHand(rest, workflow, trigger);
		await rest.changeWorkflow(workflow.id, { nodes });
	}
	const [space, ...others] = (await client.spaces.many()).items;
	assert.ok(space?.key === 'operations' && others.length === 0, 'there is another space than "operations"');
	const grids = (await client.grids.many(space)).items;
	assert.deepEqual(grids.map(({ name }) => name).sort(), [
		'Activity',
		'Customers',
		'Deleted Orders',
		'Orders',
		'Orders Mirror',
	]);
	const customers = grids.find((grid) => grid.key === 'customers');
	assert.ok(customers);
	const grid = await client.grids.open(customers.address);
	assert.equal((await client.entities.page(grid, { pageSize: 10 })).items.length, 2);
}
