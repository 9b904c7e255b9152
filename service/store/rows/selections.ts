import { unavailable } from '../../rules/errors';
import { noCondition, type Condition, type Order } from '../../rules/filter';
import { column, indexable, onIndex, orderBy, toSql, weightOf, type Indexable, type Sql } from './conditions';
import { isConverting, rowsOf } from './conversions';
import type { Database, Reader } from '../files/database';
import { toEntity, type Entity, type Row } from './entities';
import { Indexes } from './indexes';
import type { Positions } from './positions';
import { comparing, type SortRow } from './sorting';
import { Portion, type Slices, type Steps } from '../files/slices';
import { readPage, type StoredPage } from './storedPage';

/** Which entities, in which order, which of them. */
export interface Selection {
	readonly condition: Condition;
	readonly orders: readonly Order[];
	readonly offset: number;
	readonly limit: number;
}

/** Conditions and sorted fields that one statement looks at; more are looked at in portions. */
const MAX_CONDITIONS_AT_ONCE = 2000;
/** The same for the size of the entities, in bytes: a condition reads all of an entity. */
const MAX_BYTES_AT_ONCE = 2 * 1024 * 1024;
/** Positions that an index may find for a search to look at those alone. */
const MAX_LISTED_POSITIONS = 100_000;
/** A request may wait this many times as long for an index as it may search … */
const INDEX_WAIT_FACTOR = 6;
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
	 * One page of a selection and how many entities there are in all.
	 * @throws ServiceError 503 when a search that no index helps takes too long
	 */
	async page(grid: number, selection: Selection): Promise<StoredPage<Entity>> {
		const { condition, orders, offset, limit } = selection;
		const size = this.positions.total(grid);
		const [order, ...further] = orders;
		if (isEverything(condition) && !order) {
			return this.read(grid, size, this.inCreationOrder(grid, offset, limit), condition);
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
		if (walkable && index !== undefined) {
			const { positions, total } = this.walk(index, equality, order, size, selection);
			return this.read(grid, total, positions, condition);
		}
		const found = first && index !== undefined ? this.narrowed(index, onIndex(narrowing)) : undefined;
		const { positions, total } = this.isQuick(grid, selection, found ?? size)
			? this.inOneStatement(grid, condition, orders, found)
			: await this.slices.read(this.searching(grid, selection, offset + limit, found));
		return this.read(grid, total, positions.slice(offset, offset + limit), condition);
	}

	/** Ids of entities in creation order. */
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
	 * The positions that an index finds, in creation order; undefined where they are too many to be
	 * listed.
	 */
	private narrowed(index: string, { text, values }: Sql): number[] | undefined {
		if (this.count(index, { text, values }) > MAX_LISTED_POSITIONS) return undefined;
		const rows = this.db.all<{ pos: number }>(`SELECT pos FROM ${index} WHERE ${text}`, ...values);
		return rows.map(({ pos }) => pos).sort((a, b) => a - b);
	}

	/**
	 * Whether one statement keeps nobody waiting.
	 * @param candidates positions, or how many entities there are
	 */
	private isQuick(
		grid: number,
		{ condition, orders }: Selection,
		candidates: readonly number[] | number,
	): boolean {
		const count = typeof candidates === 'number' ? candidates : candidates.length;
		if (count * (weightOf(condition) + orders.length) > MAX_CONDITIONS_AT_ONCE) return false;
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
	): { positions: number[]; total: number } {
		const where = toSql(condition);
		const rows = this.db.all<{ pos: number }>(
			`SELECT pos FROM ${rowsOf(this.db, grid)} WHERE ${candidates ? `${inList} AND ` : ''}${where.text} ORDER BY ${orderBy(orders)}`,
			...(candidates ? [JSON.stringify(candidates)] : []),
			...where.values,
		);
		return { positions: rows.map(({ pos }) => pos), total: rows.length };
	}

	/**
	 * All entities of a selection, a slice at a time: for exports, which may be larger than memory.
	 */
	async *scan(grid: number, condition: Condition, orders: readonly Order[]): AsyncGenerator<Entity[]> {
		if (isEverything(condition) && orders.length === 0) {
			const portions = this.portions(grid);
			for (let portion = portions.next(); !portion.done; portion = portions.next()) {
				yield portion.value;
				await this.slices.turn();
			}
			return;
		}
		const { positions } = await this.slices.read(this.searching(grid, { condition, orders }, Infinity));
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
			const found = portion.measure((limit) => {
				const rows = following(reader, grid, { from, skip: 0, limit });
				return { last: rows.at(-1), entities: rows.map(toEntity) };
			});
			if (!found.last) return undefined;
			from = found.last.pos + 1;
			yield found.entities;
		}
	}

	private count(index: string, { text, values }: Sql): number {
		const sql = `SELECT count(*) AS n FROM ${index} WHERE ${text}`;
		return this.db.all<{ n: number }>(sql, ...values)[0]?.n ?? 0;
	}

	/** Walks an index that holds filter and order, from the nearer end. @param size of the grid */
	private walk(
		index: string,
		equality: Indexable | undefined,
		order: Order | undefined,
		size: number,
		{ offset, limit }: Pick<Selection, 'offset' | 'limit'>,
	): { positions: number[]; total: number } {
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
		return { positions: reversed ? positions.reverse() : positions, total };
	}

	/** The entities of a page. What is read later has to meet the condition still. */
	private read(
		grid: number,
		total: number,
		positions: readonly number[],
		condition: Condition,
	): StoredPage<Entity> {
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
	 * Positions of the matches that come first, and how many there are in all.
	 * @param most how many positions are wanted
	 * @param candidates where to look; everywhere if omitted
	 * @throws ServiceError 503 when it takes too long
	 */
	private *searching(
		grid: number,
		{ condition, orders }: Pick<Selection, 'condition' | 'orders'>,
		most: number,
		candidates?: readonly number[],
	): Steps<{ positions: number[]; total: number }> {
		const { statementMs } = this.options;
		const portion = new Portion();
		const where = toSql(condition);
		const keys = orders.map(({ field }, index) => `, ${column(field)} AS k${index}`).join('');
		const compare = comparing(orders);
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

const inList = 'pos IN (SELECT value FROM json_each(?))';

const isEverything = (condition: Condition) => condition.op === 'all' && condition.of.length === 0;
