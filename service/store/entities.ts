import { setImmediate } from 'node:timers/promises';
import { unavailable } from '../errors';
import type { Condition, Order } from '../filter';
import type { Value } from '../fieldTypes';
import type { Values } from '../layouts';
import { column, indexable, orderBy, toSql } from './conditions';
import type { Database, SqlValue } from './database';
import type { Change, Events } from './events';
import { newId } from './ids';
import { Indexes } from './indexes';
import { Positions } from './positions';

/** A stored entity: its values by field id, and who created it when. */
export interface Entity {
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly createdAt: number;
	readonly createdBy: string;
	readonly values: Values;
}

/** Which entities, in which order, which of them. */
export interface Selection {
	readonly condition: Condition;
	readonly orders: readonly Order[];
	readonly offset: number;
	readonly limit: number;
}

interface Row {
	pos: number;
	id: string;
	at: number;
	by: string;
	v: string;
}

/** Up to here SQLite may sort and filter in one statement; beyond, entities are looked at in portions. */
const ONE_STATEMENT = 20_000;
/** Positions looked at before other requests get their turn. */
const PORTION = 8192;

const toEntity = (row: Row): Entity => ({
	id: row.id,
	createdAt: row.at,
	createdBy: row.by,
	values: JSON.parse(row.v),
});

/** Empty cells are not stored. */
function stored(values: Values): string {
	return JSON.stringify(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)));
}

const same = (a: Value, b: Value) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The entities of all grids. Every write also writes its event, in the same transaction. */
export class Entities {
	readonly positions: Positions;
	readonly indexes: Indexes;

	/** @param statementMs how long a search through entities may take before it is given up */
	constructor(
		private readonly db: Database,
		private readonly events: Events,
		private readonly statementMs: number,
	) {
		this.positions = new Positions(db);
		this.indexes = new Indexes(db);
	}

	create(grid: number, values: Values, userId: string): Entity {
		return this.db.transaction(() => {
			const id = newId();
			const at = this.events.tick(grid);
			const pos = this.positions.take(grid);
			this.db.run(
				`INSERT INTO rows_${grid} (pos, id, at, by, v) VALUES (?, ?, ?, ?, ?)`,
				pos,
				id,
				at,
				userId,
				stored(values),
			);
			this.events.append(grid, at, 'created', id, userId, difference({}, values));
			return { id, createdAt: at, createdBy: userId, values };
		});
	}

	/** @param condition what it must also meet, for instance the filter of a virtual grid */
	get(grid: number, id: string, condition?: Condition): Entity | undefined {
		const where = condition ? toSql(condition) : { text: '1', values: [] };
		const row = this.db.get<Row>(
			`SELECT * FROM rows_${grid} WHERE id = ? AND ${where.text}`,
			id,
			...where.values,
		);
		return row && toEntity(row);
	}

	/**
	 * Writes the named values. Reading and writing happen in one transaction, so two writers of different fields both keep theirs.
	 * Nothing changed means no event: history and feed say what changed, not who saved.
	 */
	update(grid: number, id: string, named: Values, userId: string): Entity | undefined {
		return this.db.transaction(() => {
			const before = this.get(grid, id);
			if (!before) return undefined;
			const changes = difference(before.values, named);
			if (changes.length === 0) return before;
			const values = { ...before.values, ...named };
			const at = this.events.tick(grid);
			this.db.run(`UPDATE rows_${grid} SET v = ? WHERE id = ?`, stored(values), id);
			this.events.append(grid, at, 'updated', id, userId, changes);
			return { ...before, values };
		});
	}

	/** @returns whether there was such an entity */
	remove(grid: number, id: string, userId: string): boolean {
		return this.db.transaction(() => {
			const row = this.db.get<Row>(`SELECT * FROM rows_${grid} WHERE id = ?`, id);
			if (!row) return false;
			const at = this.events.tick(grid);
			this.db.run(`DELETE FROM rows_${grid} WHERE pos = ?`, row.pos);
			this.positions.release(grid, row.pos);
			const before = toEntity(row).values;
			const cleared = Object.fromEntries(Object.keys(before).map((fieldId) => [fieldId, null]));
			this.events.append(grid, at, 'deleted', id, userId, difference(before, cleared));
			return true;
		});
	}

	/** The entities with these ids that exist, by id. */
	byIds(grid: number, ids: readonly string[]): ReadonlyMap<string, Entity> {
		const rows = this.db.all<Row>(
			`SELECT * FROM rows_${grid} WHERE id IN (SELECT value FROM json_each(?))`,
			JSON.stringify(ids),
		);
		return new Map(rows.map((row) => [row.id, toEntity(row)]));
	}

	/**
	 * One page of a selection and how many entities there are in all.
	 * @throws ServiceError 503 when a search that no index helps takes too long
	 */
	async page(grid: number, selection: Selection): Promise<{ entities: Entity[]; total: number }> {
		const { condition, orders, offset, limit } = selection;
		const size = this.positions.total(grid);
		const everything = condition.op === 'all' && condition.of.length === 0;
		if (everything && orders.length === 0) {
			const { from, skip } = this.positions.locate(grid, offset);
			const rows = this.db.all<Row>(
				`SELECT * FROM rows_${grid} WHERE pos >= ? ORDER BY pos LIMIT ? OFFSET ?`,
				from,
				limit,
				skip,
			);
			return { entities: rows.map(toEntity), total: size };
		}
		const [first, ...further] = orders;
		if (everything && first && further.length === 0) {
			this.indexes.ensure(grid, size, first.field);
			return { entities: this.inOrder(grid, orders, offset, limit, size), total: size };
		}
		const narrowing = indexable(condition);
		if (narrowing) this.indexes.ensure(grid, size, narrowing.field);
		const narrowed = narrowing ? this.count(grid, narrowing) : size;
		const simple = narrowing !== undefined && narrowing === condition && orders.length === 0;
		if (narrowed > ONE_STATEMENT && !simple) return await this.search(grid, selection);
		const where = toSql(condition);
		const positions = this.db.all<{ pos: number }>(
			`SELECT pos FROM rows_${grid} WHERE ${where.text} ORDER BY ${orderBy(orders)} LIMIT ? OFFSET ?`,
			...where.values,
			limit,
			offset,
		);
		const total = simple ? narrowed : this.count(grid, condition);
		return { entities: this.at(grid, positions.map((row) => row.pos)), total }; // prettier-ignore
	}

	private count(grid: number, condition: Condition): number {
		const where = toSql(condition);
		return (
			this.db.get<{ n: number }>(
				`SELECT count(*) AS n FROM rows_${grid} WHERE ${where.text}`,
				...where.values,
			)?.n ?? 0
		);
	}

	/** Walks the index from the nearer end. */
	private inOrder(
		grid: number,
		orders: readonly Order[],
		offset: number,
		limit: number,
		size: number,
	): Entity[] {
		const wanted = Math.max(0, Math.min(limit, size - offset));
		const reversed = offset > size / 2;
		const rows = this.db.all<{ pos: number }>(
			`SELECT pos FROM rows_${grid} ORDER BY ${orderBy(orders, reversed)} LIMIT ? OFFSET ?`,
			wanted,
			reversed ? size - offset - wanted : offset,
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

	/** Looks at all entities in portions, so that a large search neither stops the service nor runs without end. */
	private async search(grid: number, { condition, orders, offset, limit }: Selection) {
		const where = toSql(condition);
		const keys = orders.map(({ field }, index) => `, ${column(field)} AS k${index}`).join('');
		const found: Array<Record<string, SqlValue> & { pos: number }> = [];
		const deadline = performance.now() + this.statementMs;
		for (let from = 0; from < this.positions.end(grid); from += PORTION) {
			found.push(
				...this.db.all<Record<string, SqlValue> & { pos: number }>(
					`SELECT pos${keys} FROM rows_${grid} WHERE pos >= ? AND pos < ? AND ${where.text} ORDER BY pos`,
					from,
					from + PORTION,
					...where.values,
				),
			);
			await setImmediate();
			if (performance.now() > deadline) {
				throw unavailable(
					`The search took longer than ${this.statementMs} ms; narrow the filter, for instance with $eq`,
				);
			}
		}
		if (orders.length > 0) found.sort(comparing(orders));
		const positions = found.slice(offset, offset + limit).map((row) => row.pos);
		return { entities: this.at(grid, positions), total: found.length };
	}
}

/** What writing `after` over `before` changes. */
function difference(before: Values, after: Values): Change[] {
	return Object.entries(after)
		.filter(([fieldId, value]) => !same(before[fieldId] ?? null, value))
		.map(([fieldId, value]) => ({ fieldId, oldValue: before[fieldId] ?? null, newValue: value }));
}

/** Orders as SQLite does: empty, then numbers, then text by its bytes. */
function comparing(orders: readonly Order[]) {
	const rank = (value: SqlValue | undefined) =>
		value === null || value === undefined ? 0 : typeof value === 'string' ? 2 : 1;
	return (
		a: Record<string, SqlValue> & { pos: number },
		b: Record<string, SqlValue> & { pos: number },
	): number => {
		for (const [index, { descending }] of orders.entries()) {
			const [x, y] = [a[`k${index}`], b[`k${index}`]];
			const byRank = rank(x) - rank(y);
			const order = byRank !== 0 ? byRank : x === y || x == null || y == null ? 0 : x < y ? -1 : 1;
			if (order !== 0) return descending ? -order : order;
		}
		return orders[0]?.descending ? b.pos - a.pos : a.pos - b.pos;
	};
}
