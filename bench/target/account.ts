import type { TargetService } from './service';

/** Compares the orders in the grid with those that had to be written. */
export async function accountOf({ client, grid, fieldIds }: TargetService, wanted: readonly string[]) {
	const { items, unstable } = await client.entities.many(grid);
	if (unstable !== undefined) throw new Error('The grid keeps changing after the run');
	const orders = items.map((item) => String(item[fieldIds['Order'] ?? '']));
	const written = new Set(orders);
	const lost = wanted.filter((order) => !written.has(order)).length;
	return { written: written.size, lost, doubled: orders.length - written.size };
}
