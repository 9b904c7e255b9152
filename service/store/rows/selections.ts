import { unavailable } from '../../rules/errors';
import { noCondition, type Condition, type Order } from '../../rules/filter';
import { column, indexableParts, toIndexSql, orderBy, toSql, countConditions } from './conditions';
import { isConverting, rowsOf } from './conversions';
import type { Database, Reader } from '../files/database';
import { toEntity, type Entity, type Row } from './entities';
import { Indexes } from './indexes';
import { matchesInIndex, scanIndex, type Matches } from './indexSearch';
import type { Positions } from './positions';
import { comparisonFor, type SortRow } from './sorting';
import { Portion, type Slices, type Steps } from '../files/slices';
import { readPage, type StoredPage } from './storedPage';

/** Condition, order and range of entities. */
export interface Selection {
	readonly condition: Condition;
	readonly orders: readonly Order[];
	readonly offset: number;
	readonly limit: number;
}

/** Maximum evaluations of conditions and sort keys in one statement; more run in portions. */
const MAX_CONDITIONS_AT_ONCE = 2000;
/** Maximum size of the entities that one statement reads, in bytes. */
const MAX_BYTES_AT_ONCE = 2 * 1024 * 1024;
/** A request may wait for an index this many times as long as a search may take … */
const INDEX_WAIT_FACTOR = 6;
/** … and at least this long, in milliseconds. */
const MIN_INDEX_WAIT_MS = 5000;
/** Sorted matches kept beyond the requested ones before the rest is dropped. */
const MAX_SPARE_MATCHES = 8192;

export interface SearchOptions {
	/** Maximum duration of a search, in milliseconds. */
	readonly statementMs: number;
	/** Called if an index cannot be created. */
	readonly onFault: (error: unknown) => void;
}

/** Lists of entities: pages, searches and exports. */
export class Selections {
	readonly indexes: Indexes;

	constructor(
		private readonly db: Database,
		private readonly positions: Positions,
		private readonly slices: Slices,
		private readonly options: SearchOptions,
	) {
		this.indexes = new Indexes(db, positions, slices, {
			waitMs: Math.max(MIN_INDEX_WAIT_MS, INDEX_WAIT_FACTOR * options.statementMs),
			onFault: options.onFault,
		});
	}

	/**
	 * A page of a selection, and its total.
	 * @throws ServiceError 503 if a search without an index takes too long
	 */
	async page(grid: number, selection: Selection): Promise<StoredPage<Entity>> {
		const { condition, orders, offset, limit } = selection;
		const size = this.positions.total(grid);
		const [order, ...further] = orders;
		if (isEverything(condition) && !order) {
			return this.read(
				grid,
				{ positions: this.inCreationOrder(grid, offset, limit), total: size },
				condition,
			);
		}
		const narrowing = indexableParts(condition);
		const [first] = narrowing;
		const equality = first?.op === 'eq' && first === condition ? first : undefined;
		const isScannable = (equality ?? isEverything(condition)) && further.length === 0;
		const fields = isScannable ? [equality, order] : [first];
		const index =
			(isScannable || first) && !fields.some((one) => one && isConverting(this.db, grid, one.field.id))
				? await this.indexes.find(grid, size, fields.flatMap((one) => (one ? [one.field] : []))) // prettier-ignore
				: undefined;
		if (isScannable && index !== undefined)
			return this.read(
				grid,
				scanIndex(this.db, { name: index, equality, order }, size, selection),
				condition,
			);
		const found =
			first && index !== undefined ? matchesInIndex(this.db, index, toIndexSql(narrowing)) : undefined;
		const { positions, total } = this.fitsOneStatement(grid, selection, found ?? size)
			? this.inOneStatement(grid, condition, orders, found)
			: await this.slices.read(this.search(grid, selection, offset + limit, found));
		return this.read(grid, { positions: positions.slice(offset, offset + limit), total }, condition);
	}

	/** IDs of entities in creation order. */
	ids(grid: number, offset: number, limit: number): string[] {
		const { from, skip } = this.positions.locate(grid, offset);
		const sql = `SELECT id FROM rows_${grid} WHERE pos >= ? ORDER BY pos LIMIT ? OFFSET ?`;
		return this.db.all<{ id: string }>(sql, from, limit, skip).map(({ id }) => id);
	}

	private inCreationOrder(grid: number, offset: number, limit: number): number[] {
		const { from, skip } = this.positions.locate(grid, offset);
		const sql = `SELECT pos FROM rows_${grid} WHERE pos >= ? ORDER BY pos LIMIT ? OFFSET ?`;
		return this.db.all<{ pos: number }>(sql, from, limit, skip).map(({ pos }) => pos);
	}

	/**
	 * Whether one statement is short enough.
	 * @param candidates positions, or the number of entities
	 */
	private fitsOneStatement(
		grid: number,
		{ condition, orders }: Selection,
		candidates: readonly number[] | number,
	): boolean {
		const count = typeof candidates === 'number' ? candidates : candidates.length;
		if (count * (countConditions(condition) + orders.length) > MAX_CONDITIONS_AT_ONCE) return false;
		const [where, ...values] = typeof candidates === 'number' ? ['1'] : [inList, JSON.stringify(candidates)];
		const [row] = this.db.all<{ bytes: number | null }>(
			`SELECT sum(octet_length(v)) AS bytes FROM rows_${grid} WHERE ${where}`,
			...values,
		);
		return (row?.bytes ?? 0) <= MAX_BYTES_AT_ONCE;
	}

	private inOneStatement(
		grid: number,
		condition: Condition,
		orders: readonly Order[],
		candidates: readonly number[] | undefined,
	): Matches {
		const where = toSql(condition);
		const rows = this.db.all<{ pos: number }>(
			`SELECT pos FROM ${rowsOf(this.db, grid)} WHERE ${candidates ? `${inList} AND ` : ''}${where.text} ORDER BY ${orderBy(orders)}`,
			...(candidates ? [JSON.stringify(candidates)] : []),
			...where.values,
		);
		return { positions: rows.map(({ pos }) => pos), total: rows.length };
	}

	/** All entities of a selection in slices, for exports that may not fit into memory. */
	async *scan(grid: number, condition: Condition, orders: readonly Order[]): AsyncGenerator<Entity[]> {
		if (isEverything(condition) && orders.length === 0) {
			for (const portion of this.portions(grid)) {
				yield portion;
				await this.slices.turn();
			}
			return;
		}
		const { positions } = await this.slices.read(this.search(grid, { condition, orders }, Infinity));
		const portion = new Portion();
		for (let from = 0; from < positions.length; ) {
			const part = positions.slice(from, from + portion.rows);
			from += part.length;
			yield portion.measure(() => this.at(grid, part));
			await this.slices.turn();
		}
	}

	/** All entities of a grid in creation order, in portions of some milliseconds. */
	*portions(grid: number, reader: Reader = this.db): Generator<Entity[], undefined> {
		const portion = new Portion();
		for (let from = 0; ; ) {
			const found = portion.measure((limit) => {
				const rows = rowsFrom(reader, grid, from, limit);
				return { last: rows.at(-1), entities: rows.map(toEntity) };
			});
			if (!found.last) return undefined;
			from = found.last.pos + 1;
			yield found.entities;
		}
	}

	/**
	 * The entities of a page. Entities read later than the search must still match the condition.
	 */
	private read(grid: number, { positions, total }: Matches, condition: Condition): StoredPage<Entity> {
		const rows = this.db.all<{ pos: number; bytes: number }>(
			`SELECT pos, octet_length(v) AS bytes FROM rows_${grid} WHERE ${inList}`,
			JSON.stringify(positions),
		);
		const bytes = new Map(rows.map((row) => [row.pos, row.bytes]));
		const records = positions.map((key) => ({ key, bytes: bytes.get(key) ?? 0 }));
		return readPage(this.db, total, records, (keys) => this.at(grid, keys, condition));
	}

	/** Entities at these positions, in this order. */
	private at(grid: number, positions: readonly number[], condition: Condition = noCondition): Entity[] {
		const where = toSql(condition);
		const rows = this.db.all<Row>(
			`SELECT * FROM ${rowsOf(this.db, grid)} WHERE ${inList} AND ${where.text}`,
			JSON.stringify(positions),
			...where.values,
		);
		const byPosition = new Map(rows.map((row) => [row.pos, row]));
		return positions.flatMap((pos) => {
			const row = byPosition.get(pos);
			return row ? [toEntity(row)] : [];
		});
	}

	/**
	 * Searches portion by portion.
	 * @param max maximum number of positions
	 * @param candidates positions to search; all if omitted
	 * @throws ServiceError 503 when it takes too long
	 */
	private *search(
		grid: number,
		{ condition, orders }: Pick<Selection, 'condition' | 'orders'>,
		max: number,
		candidates?: readonly number[],
	): Steps<Matches> {
		const { statementMs } = this.options;
		const portion = new Portion();
		const where = toSql(condition);
		const keys = orders.map(({ field }, index) => `, ${column(field)} AS k${index}`).join('');
		const compare = comparisonFor(orders);
		const deadline = performance.now() + statementMs;
		let found: SortRow[] = [];
		let total = 0;
		for (let from = 0; from < (candidates?.length ?? this.positions.end(grid)); ) {
			const to = from + portion.rows;
			const [within, ...bounds] = candidates
				? [inList, JSON.stringify(candidates.slice(from, to))]
				: ['pos >= ? AND pos < ?', from, to];
			const rows = portion.measure(() =>
				this.db.all<SortRow>(
					`SELECT pos${keys} FROM ${rowsOf(this.db, grid)} WHERE ${within} AND ${where.text} ORDER BY pos`,
					...bounds,
					...where.values,
				),
			);
			from = to;
			total += rows.length;
			if (orders.length > 0 || found.length < max) found.push(...rows);
			// Drops matches beyond the requested ones, to keep sorting short.
			if (orders.length > 0 && found.length > 2 * max + MAX_SPARE_MATCHES)
				found = found.sort(compare).slice(0, max);
			yield;
			if (performance.now() > deadline) {
				throw unavailable(
					`The search took longer than ${statementMs} ms: narrow the filter. Indexes serve an $eq on one field, sorting by one field, and both combined`,
				);
			}
		}
		if (orders.length > 0) found.sort(compare);
		return { positions: found.slice(0, max).map((row) => row.pos), total };
	}
}

/** Rows from a position on, in creation order. */
function rowsFrom(reader: Reader, grid: number, from: number, limit: number): Row[] {
	const sql = `SELECT * FROM ${rowsOf(reader, grid)} WHERE pos >= ? ORDER BY pos LIMIT ?`;
	return reader.all<Row>(sql, from, limit);
}

const inList = 'pos IN (SELECT value FROM json_each(?))';

const isEverything = (condition: Condition) => condition.op === 'all' && condition.of.length === 0;
