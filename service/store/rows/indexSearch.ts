import type { Order } from '../../rules/filter';
import type { Database } from '../files/database';
import { toIndexSql, type Indexable, type Sql } from './conditions';

/** Positions of the first matches, and the number of all. */
export interface Matches {
	readonly positions: number[];
	readonly total: number;
}

/** An index in whose order a page can be read. */
export interface IndexScan {
	readonly no: number;
	readonly equality: Indexable | undefined;
	/** All in the same direction. */
	readonly orders: readonly Order[];
}

/** Maximum number of index matches that a search checks individually. */
const MAX_LISTED_POSITIONS = 100_000;

/** Positions that match in an index, in creation order; undefined if there are too many. */
export function matchesInIndex(db: Database, index: number, { text, values }: Sql): number[] | undefined {
	if (count(db, index, { text, values }) > MAX_LISTED_POSITIONS) return undefined;
	const rows = db.all<{ pos: number }>(
		`SELECT pos FROM keys WHERE index_no = ? AND ${text}`,
		index,
		...values,
	);
	return rows.map(({ pos }) => pos).sort((a, b) => a - b);
}

function count(db: Database, index: number, { text, values }: Sql): number {
	const sql = `SELECT count(*) AS n FROM keys WHERE index_no = ? AND ${text}`;
	return db.all<{ n: number }>(sql, index, ...values)[0]?.n ?? 0;
}

/**
 * Scans an index that covers filter and order, from the nearer end.
 * @param size size of the grid
 */
export function scanIndex(
	db: Database,
	{ no, equality, orders }: IndexScan,
	size: number,
	{ offset, limit }: { readonly offset: number; readonly limit: number },
): Matches {
	const where = equality ? toIndexSql([equality]) : { text: '1', values: [] };
	const total = equality ? count(db, no, where) : size;
	const wanted = Math.max(0, Math.min(limit, total - offset));
	const reversed = offset > total / 2;
	const direction = (orders[0]?.descending ?? false) !== reversed ? 'DESC' : 'ASC';
	const ordered = [...(equality ? ['k1'] : ['k0', 'k1']), 'pos'];
	const rows = db.all<{ pos: number }>(
		`SELECT pos FROM keys WHERE index_no = ? AND ${where.text} ORDER BY ${ordered.map((one) => `${one} ${direction}`).join(', ')} LIMIT ? OFFSET ?`,
		no,
		...where.values,
		wanted,
		reversed ? Math.max(0, total - offset - wanted) : offset,
	);
	const positions = rows.map((row) => row.pos);
	return { positions: reversed ? positions.reverse() : positions, total };
}
