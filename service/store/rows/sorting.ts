import type { Order } from '../../rules/filter';
import type { SqlValue } from '../files/database';

/** Result of a search: the position and the sort keys k0, k1 … */
export type SortRow = Record<string, SqlValue> & { pos: number };

const rank = (value: SqlValue | undefined) =>
	value === null || value === undefined ? 0 : typeof value === 'string' ? 2 : 1;

/** Ranks surrogates above all other code units, because they encode higher code points. */
const codeUnitRank = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** Compares texts by code points, like SQLite; JavaScript's operators compare code units. */
function compareTexts(a: string, b: string): number {
	const length = Math.min(a.length, b.length);
	for (let n = 0; n < length; n++) {
		const [x, y] = [a.charCodeAt(n), b.charCodeAt(n)];
		if (x !== y) return codeUnitRank(x) - codeUnitRank(y);
	}
	return a.length - b.length;
}

function compareValues(a: SqlValue | undefined, b: SqlValue | undefined): number {
	if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
	const byRank = rank(a) - rank(b);
	if (byRank !== 0 || a === b || a === undefined || b === undefined || a === null || b === null)
		return byRank;
	return a < b ? -1 : 1;
}

/** Returns a comparison in SQLite's order: empty, then numbers, then text. */
export function comparisonFor(orders: readonly Order[]) {
	return (a: SortRow, b: SortRow): number => {
		for (const [index, { descending }] of orders.entries()) {
			const order = compareValues(a[`k${index}`], b[`k${index}`]);
			if (order !== 0) return descending ? -order : order;
		}
		return orders[0]?.descending ? b.pos - a.pos : a.pos - b.pos;
	};
}
