import assert from 'node:assert/strict';
import { ensureGrid } from '../../../testbed/demo/dataGrid';
import type { Demo } from '../../../testbed/demo/session';
import { nodesWith, rowsOf, type Job } from './jobs';
import { beginWith } from './mistakes';
import type { Person } from './person';
import { readList } from '../../../client';

/** Rows that n8n has, before the first node of the job. */
async function beginWithRows(person: Person, rows: Parameters<typeof nodesWith>[0]) {
	await person.newWorkflow();
	await person.paste(nodesWith(rows));
	await person.browsing.page.keyboard.press('1');
}

/** A grid without columns gets those of the rows. */
async function rowsIntoNewGrid(person: Person, demo: Demo) {
	await beginWith(person, 'DataGrid Grid', 'Create grid');
	await person.pick('space', demo.grids.space.name);
	await person.fill({ name: 'Stock' });
	await person.execute('Stock');
	await beginWithRows(person, [
		{ Item: 'Bolt', Count: 4 },
		{ Item: 'Nut', Count: 7 },
	]);
	await person.add({ search: 'datagrid', node: 'DataGrid', action: 'Sync rows' });
	await person.pick('grid', 'Stock');
	await person.addOption('Missing Columns');
	await person.choose(person.byId('parameter-input-missingColumns'), 'Add');
	await person.fill({ newKeyColumns: 'Item' });
	await person.execute('created');
	await person.browsing.picture('rows-into-new-grid');
	const rows = await rowsOf(demo, 'Stock');
	assert.deepEqual(
		rows.map(({ Item, Count }) => [Item, Count]),
		[
			['Bolt', 4],
			['Nut', 7],
		],
	);
}

/** The options of a choice column are offered as the value of a condition. */
async function rowsWithOption(person: Person, { client, grids }: Demo) {
	const grid = await ensureGrid(client, grids.space, 'Tickets', { Title: 'string' });
	await client.fields.add(grid, { name: 'State', type: { name: 'enum', options: ['open', 'done'] } });
	for (const [Title, State] of [
		['Broken hinge', 'open'],
		['Lost parcel', 'done'],
	])
		await client.entities.create(grid, { Title, State }, 'property');
	await beginWith(person, 'DataGrid', 'Get many rows');
	await person.pick('grid', 'Tickets');
	await person.click(person.byId('fixed-collection-conditions').getByText('Add condition'));
	await person.choose(person.byId('parameter-input-column'), 'State');
	await person.choose(person.byId('parameter-input-value'), 'open');
	await person.execute('Broken hinge');
	await person.browsing.picture('rows-with-option');
	assert.equal(await person.byId('output-panel').getByText('Lost parcel').count(), 0);
}

/** Items get the rows that belong to them. */
async function customersOfOrders(person: Person) {
	await beginWithRows(person, [{ number: 'A-1002' }, { number: 'A-9999' }]);
	await person.add({ search: 'datagrid', node: 'DataGrid', action: 'Look up rows' });
	await person.pick('grid', 'Orders (');
	await person.click(person.byId('fixed-collection-matchBy').getByText('Add key column'));
	await person.fill({ value: '={{ $json.number }}' });
	await person.choose(person.byId('parameter-input-column'), 'Order');
	await person.execute('Birchwood Bikes');
	await person.browsing.picture('customers-of-orders');
	await person.byId('output-panel').getByText('Items without a matching row: 1 of 2').first().waitFor();
}

/** The rows of a grid as a file that a person downloads. */
async function gridAsFile(person: Person) {
	await beginWith(person, 'DataGrid', 'Export rows to a file');
	await person.pick('grid', 'Orders (');
	await person.execute('orders.csv');
	await person.browsing.picture('grid-as-file');
}

/** A space is shared with a colleague. */
async function sharedSpace(person: Person, { client, grids }: Demo) {
	await beginWith(person, 'DataGrid Space', 'Share space');
	await person.pick('space', grids.space.name);
	await person.fill({ email: 'grace@example.com' });
	await person.execute('grace@example.com');
	const { items } = await readList(client.shares.list(grids.space));
	assert.ok(JSON.stringify(items).includes('grace@example.com'));
}

/** Jobs of one node, which is set and executed in the editor. */
export const furtherJobs: readonly Job[] = [
	{ name: 'rows into a new grid', clicks: 23, build: rowsIntoNewGrid },
	{ name: 'rows with an option', clicks: 14, build: rowsWithOption },
	{ name: 'customers of orders', clicks: 10, build: customersOfOrders },
	{ name: 'grid as a file', clicks: 9, build: gridAsFile },
	{ name: 'shared space', clicks: 10, build: sharedSpace },
];
