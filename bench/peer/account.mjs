/**
 * How many rows of each order there are in the grid.
 * @param {import('./service.mjs').Peer} peer
 * @returns {Promise<Map<string, number>>}
 */
export async function ordersIn({ client, grid, fieldIds }) {
	const { items, drift } = await client.entities.many(grid);
	if (drift !== undefined) throw new Error('The grid still changes after the run');
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const item of items) {
		const order = String(item[fieldIds['Order'] ?? '']);
		counts.set(order, (counts.get(order) ?? 0) + 1);
	}
	return counts;
}

/**
 * @param {ReadonlyMap<string, number>} counts
 * @param {readonly string[]} wanted the orders that were to be written
 */
export function accountOf(counts, wanted) {
	const lost = wanted.filter((order) => !counts.has(order)).length;
	const doubled = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
	return { written: counts.size, lost, doubled };
}
