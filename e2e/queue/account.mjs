/** @typedef {{ Order: string }} Order */

/** The prefix of all orders that a test writes. */
export const ORDER_PREFIX = 'Q/';

/**
 * What the executions of a workflow say of the orders that they were started with. Of one that the queue reports as stalled n8n
 * keeps nothing but the error.
 * @param {import('../support/rest.mjs').N8nRest} rest
 * @param {string} workflowId
 * @param {string} start the name of the node that starts it
 * @param {(json: Record<string, unknown>) => readonly Order[]} ordersIn in one of its items
 */
export async function accountOf(rest, workflowId, start, ordersIn) {
	const executions = await rest.allExecutions(workflowId);
	const [inSuccessful, seen] = [new Set(''), new Set('')];
	let seenTwice = 0;
	for (const { id, status } of executions) {
		const orders = (await rest.startItems(id, start)).flatMap(ordersIn);
		for (const { Order } of orders) {
			if (seen.has(Order)) seenTwice += 1;
			seen.add(Order);
			if (status === 'success') inSuccessful.add(Order);
		}
	}
	return { executions, inSuccessful, seenTwice };
}

/**
 * @param {import('../../scripts/demo/dataGrid.mjs').Client} client
 * @param {import('../../scripts/demo/dataGrid.mjs').Grid} grid with a column "Order"
 * @returns {Promise<{ rows: Set<string>, doubled: number }>} the test's orders that are in it
 */
export async function rowsOf(client, grid) {
	const { items } = await client.entities.many(grid, { layout: 'property' });
	const orders = items.map(({ Order }) => String(Order)).filter((order) => order.startsWith(ORDER_PREFIX));
	const rows = new Set(orders);
	return { rows, doubled: orders.length - rows.size };
}
