import { unavailable } from '../errors';
import type { Condition, Order } from '../filter';
import { column, indexable, onIndex, orderBy, toSql, type Indexable, type Sql } from './conditions';
import { isConverting, rowsOf } from './conversions';
import type { Database, SqlValue } from './database';
import { toEntity, type Entity, type Row } from './entities';
import { Indexes } from './indexes';
import type { Positions } from './positions';
import { Portion, type Slices, type Steps } from './slices';
import type { Reader } from './snapshot';

/** Which entities, in which order, which of them. */
export interface Selection {
	readonly condition: Condition;
	readonly orders: readonly Order[];
	readonly offset: number;
	readonly limit: number;
}

/** Up to here SQLite may sort and filter in one statement; beyond, entities are looked at in portions. */
const ONE_STATEMENT = 2000;
/** Waiting for an index costs nobody else anything, so a request may wait this many times as long as it may search … */
const PATIENCE = 6;
/** … and at least this long, in milliseconds. */
const MIN_INDEX_WAIT_MS = 5000;
/** Sorted matches kept beyond those wanted, before the rest is let go. */
const MAX_SPARE_MATCHES = 8192;

export interface SearchOptions {
	/** How long a search through entities may take before it is given up, in milliseconds. */
	readonly statementMs: number;
	/** Told when an index could not be made. */
	readonly onFault: (error: unknown) => void;
}

/** Lists of entities: pages, searches and exports. */
export class Selections {
	readonly indexes: Indexes;

	/**
	 * @param slices between which other requests have their turn
	 */
	constructor(
		private readonly db: Database,
		private readonly positions: Positions,
		private readonly slices: Slices,
		private readonly options: SearchOptions,
	) {
		this.indexes = new Indexes(db, positions, slices, {
			waitMs: Math.max(MIN_INDEX_WAIT_MS, PATIENCE * options.statementMs),
			onFault: options.onFault,
		});
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
			return { entities: following(this.db, grid, { from, skip, limit }).map(toEntity), total: size };
		}
		const narrowing = indexable(condition);
		const [first] = narrowing;
		const equality = first?.op === 'eq' && first === condition ? first : undefined;
		const walkable = (equality ?? isEverything(condition)) && further.length === 0;
		const fields = walkable ? [equality, order] : [first];
		const index =
			(walkable || first) && !fields.some((one) => one && isConverting(this.db, grid, one.field.id))
				? await this.indexes.find(grid, size, fields.flatMap((one) => (one ? [one.field] : []))) // prettier-ignore
				: undefined;
		if (walkable && index !== undefined) return this.walk(grid, index, equality, order, size, offset, limit);
		const narrowed = first && index !== undefined ? { index, by: onIndex(narrowing) } : undefined;
		if ((narrowed ? this.count(narrowed.index, narrowed.by) : size) > ONE_STATEMENT) {
			const { positions, total } = await this.search(grid, condition, orders, offset + limit);
			return { entities: this.at(grid, positions.slice(offset)), total };
		}
		const where = toSql(condition);
		const within = narrowed
			? `pos IN (SELECT pos FROM ${narrowed.index} WHERE ${narrowed.by.text}) AND `
			: '';
		const rows = this.db.all<{ pos: number }>(
			`SELECT pos FROM ${rowsOf(this.db, grid)} WHERE ${within}${where.text} ORDER BY ${orderBy(orders)}`,
			...(narrowed?.by.values ?? []),
			...where.values,
		);
		const positions = rows.slice(offset, offset + limit).map((row) => row.pos);
		return { entities: this.at(grid, positions), total: rows.length };
	}

	/** All entities of a selection, a slice at a time: for exports, which may be larger than memory. */
	async *scan(grid: number, condition: Condition, orders: readonly Order[]): AsyncGenerator<Entity[]> {
		if (isEverything(condition) && orders.length === 0) {
			const portions = this.portions(grid);
			for (let portion = portions.next(); !portion.done; portion = portions.next()) {
				yield portion.value;
				await this.slices.turn();
			}
			return;
		}
		const { positions } = await this.search(grid, condition, orders, Infinity);
		const portion = new Portion();
		for (let from = 0; from < positions.length; ) {
			const part = positions.slice(from, from + portion.rows);
			from += part.length;
			yield portion.measure(() => this.at(grid, part));
			await this.slices.turn();
		}
	}

	/** All entities of a grid in creation order, some milliseconds' worth at a time. */
	*portions(grid: number, reader: Reader = this.db): Generator<Entity[], undefined> {
		const portion = new Portion();
		for (let from = 0; ; ) {
			const rows = portion.measure((limit) => following(reader, grid, { from, skip: 0, limit }));
			const last = rows.at(-1);
			if (!last) return undefined;
			from = last.pos + 1;
			yield rows.map(toEntity);
		}
	}

	private count(index: string, { text, values }: Sql): number {
		const sql = `SELECT count(*) AS n FROM ${index} WHERE ${text}`;
		return this.db.all<{ n: number }>(sql, ...values)[0]?.n ?? 0;
	}

	/** Walks an index that holds filter and order, from the nearer end. @param size of the grid */
	private walk(
		grid: number,
		index: string,
		equality: Indexable | undefined,
		order: Order | undefined,
		size: number,
		offset: number,
		limit: number,
	): { entities: Entity[]; total: number } {
		const where = equality ? onIndex([equality]) : { text: '1', values: [] };
		const total = equality ? this.count(index, where) : size;
		const wanted = Math.max(0, Math.min(limit, total - offset));
		const reversed = offset > total / 2;
		const direction = (order?.descending ?? false) !== reversed ? 'DESC' : 'ASC';
		const ordered = [...(equality ? [] : ['k0']), ...(equality && order ? ['k1'] : []), 'pos'];
		const rows = this.db.all<{ pos: number }>(
			`SELECT pos FROM ${index} WHERE ${where.text} ORDER BY ${ordered.map((one) => `${one} ${direction}`).join(', ')} LIMIT ? OFFSET ?`,
			...where.values,
			wanted,
			reversed ? Math.max(0, total - offset - wanted) : offset,
		);
		const positions = rows.map((row) => row.pos);
		return { entities: this.at(grid, reversed ? positions.reverse() : positions), total };
	}

	/** Entities at these positions, in this order. */
	private at(grid: number, positions: readonly number[]): Entity[] {
		const rows = this.db.all<Row>(
			`SELECT * FROM ${rowsOf(this.db, grid)} WHERE pos IN (SELECT value FROM json_each(?))`,
			JSON.stringify(positions),
		);
		const byPosition = new Map(rows.map((row) => [row.pos, row]));
		return positions.flatMap((pos) => {
			const row = byPosition.get(pos);
			return row ? [toEntity(row)] : [];
		});
	}

	/**
	 * Positions of the matches that come first, and how many there are in all.
	 * @param most how many positions are wanted
	 * @throws ServiceError 503 when it takes too long
	 */
	private search(grid: number, condition: Condition, orders: readonly Order[], most: number) {
		return this.slices.read(this.searching(grid, condition, orders, most));
	}

	private *searching(
		grid: number,
		condition: Condition,
		orders: readonly Order[],
		most: number,
	): Steps<{ positions: number[]; total: number }> {
		const { statementMs } = this.options;
		const portion = new Portion();
		const where = toSql(condition);
		const keys = orders.map(({ field }, index) => `, ${column(field)} AS k${index}`).join('');
		const compare = comparing(orders);
		const deadline = performance.now() + statementMs;
		let found: SortRow[] = [];
		let total = 0;
		for (let from = 0; from < this.positions.end(grid); ) {
			const to = from + portion.rows;
			const rows = portion.measure(() =>
				this.db.all<SortRow>(
					`SELECT pos${keys} FROM ${rowsOf(this.db, grid)} WHERE pos >= ? AND pos < ? AND ${where.text} ORDER BY pos`,
					from,
					to,
					...where.values,
				),
			);
			from = to;
			total += rows.length;
			if (orders.length > 0 || found.length < most) found.push(...rows);
			// What comes after those wanted is let go, so that the last sorting is a short one.
			if (orders.length > 0 && found.length > 2 * most + MAX_SPARE_MATCHES)
				found = found.sort(compare).slice(0, most);
			yield;
			if (performance.now() > deadline) {
				throw unavailable(
					`The search took longer than ${statementMs} ms: narrow the filter. An $eq on one field, a sorting by one field, and both together are answered from an index`,
				);
			}
		}
		if (orders.length > 0) found.sort(compare);
		return { positions: found.slice(0, most).map((row) => row.pos), total };
	}
}

/** Rows in creation order. @param at the position they start from, and how many to skip there */
function following(reader: Reader, grid: number, at: { from: number; skip: number; limit: number }): Row[] {
	const sql = `SELECT * FROM ${rowsOf(reader, grid)} WHERE pos >= ? ORDER BY pos LIMIT ? OFFSET ?`;
	return reader.all<Row>(sql, at.from, at.limit, at.skip);
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
