import { z } from 'zod/v4';
import { startItemsOf, unflatten } from '../../../testbed/n8n/execution';
import type { Database } from './stores';
import type { Client } from '../../../client';
import type { Grid } from '../../../client/resources/grids';

/** The prefix of all orders that a test writes. */
export const ORDER_PREFIX = 'Q/';

const executionSchema = z.object({
	id: z.string(),
	workflowId: z.string(),
	status: z.string(),
	data: z.string().nullable(),
});

export type Order = { Order: string };

export type Execution = z.infer<typeof executionSchema>;

/**
 * All executions, in the order of their ids, as n8n's tables hold them. n8n's own list is no
 * account of them (2.41): it is sorted by the time at which each began, but every further page
 * holds lower ids than the last one of the page before. An execution that a worker began later than
 * one with a higher id, as happens where several are carried out at a time, may stand on no page.
 */
export async function allExecutions({ select }: Database): Promise<Execution[]> {
	return await select(
		executionSchema,
		`SELECT e.id::text, e."workflowId", e.status, d.data
		FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id ORDER BY e.id`,
	);
}

/**
 * What executions say of the orders that they were started with.
 * @param executions of one workflow, ended
 * @param earlier as they stood when the worker was killed: of one that the queue reports as stalled
 *   n8n keeps nothing but the error
 * @param start the name of the node that starts them
 * @param ordersIn in one of its items
 */
export function accountOf(
	executions: readonly Execution[],
	earlier: readonly Execution[],
	start: string,
	ordersIn: (json: Record<string, unknown>) => readonly Order[],
) {
	const dataBefore = new Map(earlier.map(({ id, data }) => [id, data]));
	/** How many executions each order has started. */
	const starts: Map<string, number> = new Map();
	const [successful, failed] = [new Set(''), new Set('')];
	for (const { id, status, data } of executions) {
		const held = status === 'success' ? data : dataBefore.get(id);
		const items = held ? startItemsOf(unflatten(held), start) : [];
		for (const { Order } of items.flatMap(ordersIn)) {
			starts.set(Order, (starts.get(Order) ?? 0) + 1);
			(status === 'success' ? successful : failed).add(Order);
		}
	}
	return { executions, starts, successful, failed };
}

/**
 * @param grid with a column "Order"
 * @returns the test's orders that are in it, as often as they are
 */
export async function rowsOf(client: Client, grid: Grid): Promise<string[]> {
	const { items } = await client.entities.many(grid, { layout: 'property' });
	return items.map(({ Order }) => String(Order)).filter((order) => order.startsWith(ORDER_PREFIX));
}

/**
 * @template Value
 * @returns those that the others lack
 */
export function without<Value>(values: Iterable<Value>, others: Iterable<Value>): Value[] {
	const set = new Set(others);
	return [...values].filter((value) => !set.has(value));
}
