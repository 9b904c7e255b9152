import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connectDataGrid } from '../../../testbed/demo/dataGrid';
import { newId } from '../../../testbed/world/makeGrid';
import { outputOf } from '../../../testbed/n8n/execution';
import { addUser, noted, rows, whileOn, type ExampleDemo } from './exampleDemo';
import { until } from '../../../testbed/until';

const createOrder = async ({ client, grids }: ExampleDemo, order: object) =>
	newId(await client.entities.create(grids.orders, { ...order }, 'property'));

/** The orders of the rows that were noted as such an event. */
const notedOrders = async (demo: ExampleDemo, event: string) =>
	(await noted(demo, event)).map(({ Order }) => String(Order)).sort();

const untilNoted = async (demo: ExampleDemo, event: string, order: string) =>
	await until(`"${event}" of ${order}`, async () =>
		(await notedOrders(demo, event)).find((one) => one === order),
	);

export async function orderActivity(demo: ExampleDemo) {
	await whileOn(demo, 'order-activity.json', async () => {
		await createOrder(demo, { Order: 'N-1', Status: 'new' });
		await untilNoted(demo, 'created', 'N-1');
	});
}

export async function lateOrders(demo: ExampleDemo) {
	const { client, grids } = demo;
	await whileOn(demo, 'late-orders.json', async () => {
		const id = await createOrder(demo, { Order: 'L-1', Status: 'new' });
		await client.entities.update(grids.orders, id, { Status: 'late' }, 'property');
		await client.entities.update(grids.orders, id, { Customer: 'Ada' }, 'property');
		// Changes come in order, so what starts no execution before this one never does.
		await createOrder(demo, { Order: 'L-2', Status: 'late' });
		await untilNoted(demo, 'late', 'L-2');
		assert.deepEqual(await notedOrders(demo, 'late'), ['L-1', 'L-2']);
	});
}

/** Another person adds orders, because the changes of the workflow's own account are ignored. */
export async function ordersCompleted(demo: ExampleDemo) {
	const { client, grids, rest } = demo;
	const person = randomUUID();
	const email = `${person}@example.com`;
	const ada = connectDataGrid({ ...demo.service, ...(await addUser(demo.folder, person, email)) });
	await client.shares.create(grids.space, { email, role: 'writer' });
	const orders = await ada.grids.open({ spaceId: grids.space.id, gridId: grids.orders.id });
	await whileOn(demo, 'orders-completed.json', async (workflow) => {
		for (const name of ['C-1', 'C-2']) {
			await ada.entities.create(orders, { Order: name }, 'property');
			await until(`${name} to be completed`, async () =>
				(await rows(demo, 'Orders')).find(({ Order, Status }) => Order === name && Status === 'new'),
			);
		}
		await until('the end of both executions', async () => {
			const executions = await rest.executions(workflow.id);
			return executions.every(({ status }) => status === 'success') || undefined;
		});
		const started: string[] = [];
		for (const { id } of (await rest.executions(workflow.id)).reverse()) {
			const { data } = await rest.execution(id);
			started.push(...outputOf(data, 'When somebody changes an order').map(({ event }) => String(event)));
		}
		assert.deepEqual(started, ['created', 'created']);
	});
}

export async function overdueView(demo: ExampleDemo) {
	const { client, grids } = demo;
	await createOrder(demo, { Order: 'O-0', Status: 'late' });
	await whileOn(demo, 'overdue-view.json', async () => {
		const id = await createOrder(demo, { Order: 'O-1', Status: 'new' });
		await client.entities.update(grids.orders, id, { Status: 'late' }, 'property');
		await untilNoted(demo, 'overdue', 'O-1');
		await client.entities.update(grids.orders, id, { Customer: 'Ada' }, 'property');
		await createOrder(demo, { Order: 'O-2', Status: 'late' });
		await untilNoted(demo, 'overdue', 'O-2');
		assert.deepEqual(await notedOrders(demo, 'overdue'), ['O-1', 'O-2']);
	});
}
