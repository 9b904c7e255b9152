import assert from 'node:assert/strict';
import { openExampleGrids } from '../../../testbed/demo/exampleGrids';
import type { Demo } from '../../../testbed/demo/session';
import type { Job } from './jobs';
import type { Person } from './person';

const start = { search: 'schedule', node: 'Schedule Trigger' };

/** An operation of a node after a trigger. */
async function beginWith(person: Person, node: string, action: string) {
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
	await beginWith(person, 'DataGrid Entity', 'Delete many rows');
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

/** A wrong link says so; the right one shows the fields of its form and takes a row. */
async function publicForm(person: Person, { client, grids, service }: Demo) {
	const known = await openExampleGrids(client, grids);
	const requests = known.find(({ grid }) => grid.name === 'Requests');
	assert.ok(requests);
	const formId = [...requests.forms.values()][0] ?? '';
	const link = await client.publicLinks.create(requests.grid, { kind: 'form', formId, protection: 'none' });
	await beginWith(person, 'DataGrid Form', 'Submit public form');
	await person.fill({ link: `${service.url}/api/a/u1/nothing` });
	await person.byId('node-parameters').getByText('There is no such link').first().waitFor();
	await person.browsing.picture('no-such-link');
	await person.fill({ link });
	await person.byId('mapping-fields-container').waitFor();
	await person.fill({ [requests.fields.get('Name') ?? '']: 'Grace' });
	await person.execute('submitted');
	const rows = (await client.entities.page(requests.grid, { layout: 'property' })).items;
	assert.ok(rows.some(({ Name }) => Name === 'Grace'));
}

/** Jobs in which something goes wrong first. */
export const mistakes: readonly Job[] = [
	{ name: 'name in use', clicks: 12, build: nameInUse },
	{ name: 'deletion after a plan', clicks: 17, build: deleteAfterPlan },
	{ name: 'public form after a wrong link', clicks: 10, build: publicForm },
];
