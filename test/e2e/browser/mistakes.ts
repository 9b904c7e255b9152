import assert from 'node:assert/strict';
import { openExampleGrids } from '../../../testbed/demo/exampleGrids';
import { makePublicLink } from '../../../testbed/world/publicLink';
import type { Demo } from '../../../testbed/demo/session';
import type { Job } from './jobs';
import type { Person } from './person';
import { readList } from '../../../client';

const start = { search: 'schedule', node: 'Schedule Trigger' };

/** An operation of a node after a trigger. */
export async function beginWith(person: Person, node: string, action: string) {
	await person.newWorkflow();
	await person.begin(start);
	await person.close();
	await person.add({ search: 'datagrid', node, action });
}

/** A grid with the name of another one is refused; the next name is taken. */
async function nameInUse(person: Person, { grids: { space, orders } }: Demo) {
	await beginWith(person, 'DataGrid Grid', 'Create grid');
	await person.pick('space', space.name);
	await person.fill({ name: orders.name });
	await person.execute('There is already a grid');
	await person.browsing.picture('name-in-use');
	await person.fill({ name: 'Orders of next year' });
	await person.execute('Orders of next year');
}

/** Without conditions nothing is deleted; a dry run shows the rows; then the same rows go. */
async function deleteAfterPlan(person: Person, { client, grids }: Demo) {
	const remaining = async () =>
		(await client.entities.page(grids.orders, { layout: 'property', pageSize: 1000 })).items.map(
			({ Order }) => Order,
		);
	await client.entities.create(grids.orders, { Order: 'M-1', Status: 'new' }, 'property');
	await beginWith(person, 'DataGrid', 'Delete many rows');
	await person.pick('grid', `${grids.orders.name} (`);
	await person.execute('There are no conditions');
	await person.click(person.byId('fixed-collection-conditions').getByText('Add condition'));
	// First, because the editor stores a text a moment after the last key.
	await person.fill({ value: 'M-1' });
	await person.choose(person.byId('parameter-input-column'), 'Order');
	await person.switchOn('dryRun');
	await person.execute('would delete 1');
	await person.browsing.picture('plan-of-deletion');
	assert.ok((await remaining()).includes('M-1'));
	await person.switchOn('dryRun');
	await person.execute('1 deleted');
	assert.ok(!(await remaining()).includes('M-1'));
}

async function openRequests(client: Demo['client'], grids: Demo['grids']) {
	const grid = (await openExampleGrids(client, grids)).find(({ name }) => name === 'Requests');
	assert.ok(grid);
	const fields = await client.fields.of(grid);
	return { grid, fieldId: (column: string) => fields.find(({ name }) => name === column)?.id ?? '' };
}

/** A wrong link says so; the right one shows the fields of its form and takes a row. */
async function publicForm(person: Person, { client, grids, service }: Demo) {
	const requests = await openRequests(client, grids);
	const formId = (await readList(client.forms.list(requests.grid))).items[0]?.id ?? '';
	const path = await makePublicLink(client, requests.grid, { kind: 'form', formId });
	const link = `${service.url}${path}`;
	await beginWith(person, 'DataGrid Public Link', 'Submit form behind link');
	await person.fill({ link: `${service.url}/api/a/u1/nothing` });
	await person.byId('node-parameters').getByText('There is no such link').first().waitFor();
	await person.browsing.picture('no-such-link');
	await person.fill({ link });
	await person.byId('mapping-fields-container').waitFor();
	await person.fill({ [requests.fieldId('Name')]: 'Grace' });
	await person.execute('submitted');
	const rows = (await client.entities.page(requests.grid, { layout: 'property' })).items;
	assert.ok(rows.some(({ Name }) => Name === 'Grace'));
}

/** A value that the column refuses is named with its column; the corrected one is taken. */
async function refusedValue(person: Person, { client, grids }: Demo) {
	const requests = await openRequests(client, grids);
	const email = requests.fieldId('Email');
	await beginWith(person, 'DataGrid Form', 'Submit form');
	await person.pick('grid', 'Requests');
	await person.pick('form', 'Requests');
	await person.byId('mapping-fields-container').waitFor();
	await person.fill({ [email]: 'grace at example.com' });
	await person.execute('"Email"');
	await person.browsing.picture('refused-value');
	await person.fill({ [email]: 'grace@example.com' });
	await person.execute('submitted');
	const rows = (await client.entities.page(requests.grid, { layout: 'property' })).items;
	assert.ok(rows.some(({ Email }) => Email === 'grace@example.com'));
}

/** A run without values, then a condition that no row meets: neither writes. The third run does. */
async function wrongCondition(person: Person, { client, grids }: Demo) {
	await client.entities.create(grids.orders, { Order: 'W-1', Status: 'new' }, 'property');
	await beginWith(person, 'DataGrid', 'Update many rows');
	await person.pick('grid', `${grids.orders.name} (`);
	await person.click(person.byId('fixed-collection-conditions').getByText('Add condition'));
	await person.fill({ value: 'w1' });
	await person.choose(person.byId('parameter-input-column'), 'Order');
	await person.execute('has no value for any column');
	await person.browsing.picture('no-column');
	const { page } = person.browsing;
	await person.click(person.byId('node-parameters').getByText('Add column to send'));
	await person.click(page.getByRole('menuitem', { name: 'Notes' }));
	await person.fill({ notes: 'late' });
	await person.execute('0 rows met the conditions');
	await person.browsing.picture('no-row-met');
	await person.fill({ value: 'W-1' });
	await person.execute('1 row met the conditions');
	const { items } = await client.entities.page(grids.orders, { layout: 'property', pageSize: 1000 });
	assert.deepEqual(
		items.filter(({ Notes }) => Notes === 'late').map(({ Order }) => Order),
		['W-1'],
	);
}

/** Jobs in which something goes wrong first. */
export const mistakes: readonly Job[] = [
	{ name: 'name in use', clicks: 12, build: nameInUse },
	{ name: 'deletion after a plan', clicks: 17, build: deleteAfterPlan },
	{ name: 'public form after a wrong link', clicks: 10, build: publicForm },
	{ name: 'refused value of a form', clicks: 14, build: refusedValue },
	{ name: 'condition that no row meets', clicks: 19, build: wrongCondition },
];
