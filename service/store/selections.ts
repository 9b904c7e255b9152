import { setImmediate } from 'node:timers/promises';
import { unavailable } from '../errors';
import type { Condition, Order } from '../filter';
import { column, indexable, orderBy, toSql } from './conditions';
import type { Database, SqlValue } from './database';
import { toEntity, type Entity, type Row } from './entities';
import { Indexes } from './indexes';
import type { Positions } from './positions';

/** Which entities, in which order, which of them. */
export interface Selection {
	readonly condition: Condition;
	readonly orders: readonly Order[];
	readonly offset: number;
	readonly limit: number;
}

/** Up to here SQLite may sort and filter in one statement; beyond, entities are looked at in portions. */
const ONE_STATEMENT = 20_000;
/** Rows of an export that are in memory at the same time. */
const EXPORTED_AT_ONCE = 1000;
/** Positions looked at before other requests get their turn. */
const PORTION = 8192;

/** Lists of entities: pages, searches and exports. */
export class Selections {
	readonly indexes: Indexes;

	/** @param statementMs how long a search through entities may take before it is given up */
	constructor(
		private readonly db: Database,
		private readonly positions: Positions,
		private readonly statementMs: number,
	) {
		this.indexes = new Indexes(db);
	}

	/**
	 * One page of a selection and how many entities there are in all.
	 * @throws ServiceError 503 when a search that no index helps takes too long
	 */
	async page(grid: number, selection: Selection): Promise<{ entities: Entity[]; total: number }> {
		const { condition, orders, offset, limit } = selection;
		const size = this.positions.total(grid);
		const [order, ...further] = orders;
		if (isEverything(condition) && !order) {
			const { from, skip } = this.positions.locate(grid, offset);
			return { entities: this.following(grid, from, skip, limit).map(toEntity), total: size };
		}
		const equality = condition.op === 'eq' && condition.value !== null ? condition : undefined;
		if ((equality ?? isEverything(condition)) && further.length === 0) {
			const fields = [equality, order].flatMap((one) => (one ? [one.field] : []));
			this.indexes.ensure(grid, size, fields);
			const total = equality ? this.count(grid, equality) : size;
			return { entities: this.walk(grid, condition, orders, offset, limit, total), total };
		}
		const narrowing = indexable(condition);
		if (narrowing) this.indexes.ensure(grid, size, [narrowing.field]);
		const narrowed = narrowing ? this.count(grid, narrowing) : size;
		if (narrowed > ONE_STATEMENT) {
			const positions = await this.search(grid, condition, orders);
			return { entities: this.at(grid, positions.slice(offset, offset + limit)), total: positions.length };
		}
		const where = toSql(condition);
		const rows = this.db.all<{ pos: number }>(
			`SELECT pos FROM rows_${grid} WHERE ${where.text} ORDER BY ${orderBy(orders)} LIMIT ? OFFSET ?`,
			...where.values,
			limit,
			offset,
		);
		const positions = rows.map((row) => row.pos);
		return { entities: this.at(grid, positions), total: this.count(grid, condition) };
	}

	/** All entities of a selection, in portions: for exports, which may be larger than memory. */
	async *scan(grid: number, condition: Condition, orders: readonly Order[]): AsyncGenerator<Entity[]> {
		if (isEverything(condition) && orders.length === 0) {
			for (let from = 0; ; ) {
				const rows = this.following(grid, from, 0, EXPORTED_AT_ONCE);
				const last = rows.at(-1);
				if (!last) return;
				from = last.pos + 1;
				yield rows.map(toEntity);
			}
		}
		const positions = await this.search(grid, condition, orders);
		for (let from = 0; from < positions.length; from += EXPORTED_AT_ONCE) {
			yield this.at(grid, positions.slice(from, from + EXPORTED_AT_ONCE));
		}
	}

	/** All entities of a grid in creation order, for work within one transaction. */
	*all(grid: number): Generator<Entity> {
		for (let from = 0; ; ) {
			const rows = this.following(grid, from, 0, EXPORTED_AT_ONCE);
			const last = rows.at(-1);
			if (!last) return;
			from = last.pos + 1;
			yield* rows.map(toEntity);
		}
	}

	private following(grid: number, from: number, skip: number, limit: number): Row[] {
		return this.db.all<Row>(
			`SELECT * FROM rows_${grid} WHERE pos >= ? ORDER BY pos LIMIT ? OFFSET ?`,
			from,
			limit,
			skip,
		);
	}

	private count(grid: number, condition: Condition): number {
		const where = toSql(condition);
		const sql = `SELECT count(*) AS n FROM rows_${grid} WHERE ${where.text}`;
		return this.db.all<{ n: number }>(sql, ...where.values)[0]?.n ?? 0;
	}

	/** Walks an index that holds filter and order, from the nearer end. @param total how many match */
	private walk(
		grid: number,
		condition: Condition,
		orders: readonly Order[],
		offset: number,
		limit: number,
		total: number,
	): Entity[] {
		const wanted = Math.max(0, Math.min(limit, total - offset));
		const reversed = offset > total / 2;
		const where = toSql(condition);
		const rows = this.db.all<{ pos: number }>(
			`SELECT pos FROM rows_${grid} WHERE ${where.text} ORDER BY ${orderBy(orders, reversed)} LIMIT ? OFFSET ?`,
			...where.values,
			wanted,
			reversed ? Math.max(0, total - offset - wanted) : offset,
		);
		const positions = rows.map((row) => row.pos);
		return this.at(grid, reversed ? positions.reverse() : positions);
	}

	/** Entities at these positions, in this order. */
	private at(grid: number, positions: readonly number[]): Entity[] {
		const rows = this.db.all<Row>(
			`SELECT * FROM rows_${grid} WHERE pos IN (SELECT value FROM json_each(?))`,
			JSON.stringify(positions),
		);
		const byPosition = new Map(rows.map((row) => [row.pos, row]));
		return positions.flatMap((pos) => {
			const row = byPosition.get(pos);
			return row ? [toEntity(row)] : [];
		});
	}

	/** Positions of all matches. Looks at entities in portions, so that a large search neither stops the service nor runs without end. */
	private async search(grid: number, condition: Condition, orders: readonly Order[]): Promise<number[]> {
		const where = toSql(condition);
		const keys = orders.map(({ field }, index) => `, ${column(field)} AS k${index}`).join('');
		const found: SortRow[] = [];
		const deadline = performance.now() + this.statementMs;
		for (let from = 0; from < this.positions.end(grid); from += PORTION) {
			const rows = this.db.all<SortRow>(
				`SELECT pos${keys} FROM rows_${grid} WHERE pos >= ? AND pos < ? AND ${where.text} ORDER BY pos`,
				from,
				from + PORTION,
				...where.values,
			);
			found.push(...rows);
			if (from + PORTION < this.positions.end(grid)) await setImmediate();
			if (performance.now() > deadline) {
				throw unavailable(
					`The search took longer than ${this.statementMs} ms; narrow the filter, for instance with $eq`,
				);
			}
		}
		if (orders.length > 0) found.sort(comparing(orders));
		return found.map((row) => row.pos);
	}
}

const isEverything = (condition: Condition) => condition.op === 'all' && condition.of.length === 0;

/** What a search selects: the position, and the values it is sorted by as k0, k1 and so on. */
type SortRow = Record<string, SqlValue> & { pos: number };

const rank = (value: SqlValue | undefined) =>
	value === null || value === undefined ? 0 : typeof value === 'string' ? 2 : 1;

/** Orders as SQLite does: empty, then numbers, then text. */
function comparing(orders: readonly Order[]) {
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
