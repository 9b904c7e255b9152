import type { Order } from '../../rules/filter';
import type { SqlValue } from '../files/database';

/** What a search selects: the position, and the values it is sorted by as k0, k1 and so on. */
export type SortRow = Record<string, SqlValue> & { pos: number };

const rank = (value: SqlValue | undefined) =>
	value === null || value === undefined ? 0 : typeof value === 'string' ? 2 : 1;

/** Orders as SQLite does: empty, then numbers, then text. */
export function comparing(orders: readonly Order[]) {
	return (a: SortRow, b: SortRow): number => {
		for (const [index, { descending }] of orders.entries()) {
			const [x, y] = [a[`k${index}`], b[`k${index}`]];
			const byRank = rank(x) - rank(y);
			const order =
				byRank !== 0
					? byRank
					: x === y || x === undefined || y === undefined || x === null || y === null
						? 0
						: x < y
							? -1
							: 1;
			if (order !== 0) return descending ? -order : order;
		}
		return orders[0]?.descending ? b.pos - a.pos : a.pos - b.pos;
	};
}
