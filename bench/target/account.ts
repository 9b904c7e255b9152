import type { TargetService } from './service';
/** Number of rows per order in the grid. */
export async function ordersIn({ client, grid, fieldIds }: TargetService): Promise<Map<string, number>> {
	const { items, unstable } = await client.entities.many(grid);
	if (unstable !== undefined) throw new Error('The grid keeps changing after the run');

	const counts: Map<string, number> = new Map();
	for (const item of items) {
		const order = String(item[fieldIds['Order'] ?? '']);
		counts.set(order, (counts.get(order) ?? 0) + 1);
	}
	return counts;
}

/** @param wanted the orders to be written */
export function accountOf(counts: ReadonlyMap<string, number>, wanted: readonly string[]) {
	const lost = wanted.filter((order) => !counts.has(order)).length;
	const doubled = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
	return { written: counts.size, lost, doubled };
}
