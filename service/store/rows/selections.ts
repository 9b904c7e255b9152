import { Allowance } from '../../rules/allowance';
import { ServiceError, unavailable } from '../../rules/errors';
import type { Field } from '../../rules/fieldTypes';
import { cpuMs } from '../../rules/processorTime';
import { abandoned, Turns, type Caller } from '../../rules/turns';
import { type Condition, type Order } from '../../rules/filter';
import { countConditions, indexableParts, orderBy, toIndexSql, toSql } from './conditions';
import { rowsOf, type Conversions } from './conversions';
import type { Events } from '../events/events';
import type { Database, Reader, SqlValue } from '../files/database';
import { toEntity, type Entity, type Row } from './entities';
import { MAX_INDEXED_FIELDS, type Indexes } from './indexes';
import { matchesInIndex, scanIndex, type Matches } from './indexSearch';
import { KeptSortings } from './keptSortings';
import type { Positions } from './positions';
import { SortedKeys } from './sortedKeys';
import { endKey, firstKey } from '../keys';
import { Portion, type Slices, type Steps } from '../files/slices';
import { storedPage, type SizedRecord, type StoredPage } from './storedPage';

/** Condition, order and range of entities. */
export interface Selection {
	readonly condition: Condition;
	readonly orders: readonly Order[];
	readonly offset: number;
	readonly limit: number;
	/** Who waits for it: sortings of large grids take turns. */
	readonly caller: Caller;
}

/** Condition and order of entities. */
type Search = Pick<Selection, 'condition' | 'orders'>;

/** Sortings without an index, which fill a temporary table with all rows, and long searches. */
const SORTING_TURNS = { running: 2, waiting: 10, waitingInAll: 100 } as const;

/** Maximum evaluations of conditions and sort keys in one statement; more run in portions. */
const MAX_CONDITIONS_AT_ONCE = 2000;
/** Maximum size of the entities that one statement reads, in bytes. */
const MAX_BYTES_AT_ONCE = 2 * 1024 * 1024;
/** Positions of all sorted exports that are being read, of which each takes four bytes. */
const MAX_POSITIONS = 32 * 1024 * 1024;
/** Length of the stored JSON of a portion of an export, which waits for its client. */
const MAX_PORTION_LENGTH = 128 * 1024;
/** A search that sorts or takes turns may take this many times as long as others. */
const SORTING_FACTOR = 6;

/** What lists of entities are made of. */
interface Sources {
	readonly positions: Positions;
	readonly indexes: Indexes;
	readonly conversions: Conversions;
	readonly slices: Slices;
	readonly events: Events;
}

/** Positions to search, or undefined for all, and the version of the grid that they are of. */
interface Searched {
	readonly version: number;
	readonly candidates: readonly number[] | undefined;
}

/** Processor time of a search so far, in milliseconds. */
interface Spent {
	ms: number;
}

/** Lists of entities: pages, searches and exports. */
export class Selections {
	private readonly positions: Positions;
	private readonly indexes: Indexes;
	private readonly conversions: Conversions;
	private readonly slices: Slices;
	private readonly events: Events;
	private readonly sorting = new Turns(SORTING_TURNS);
	private readonly kept = new KeptSortings();
	/** The last search for rows of an index that is being filled. */
	private readonly searches = new Map<string, Promise<unknown>>();
	/** Positions that sorted exports keep while their clients read them, perhaps for hours. */
	private readonly held = new Allowance(MAX_POSITIONS);

	/** @param statementMs processor time after which searches take turns, in milliseconds */
	constructor(
		private readonly db: Database,
		{ positions, indexes, conversions, slices, events }: Sources,
		private readonly statementMs: number,
	) {
		this.positions = positions;
		this.indexes = indexes;
		this.conversions = conversions;
		this.slices = slices;
		this.events = events;
		db.onRollback(() => {
			this.kept.clear();
		});
	}

	/**
	 * A page of a selection, and its total.
	 * @throws ServiceError 503 if a search without an index takes too long, 429 while too many
	 *   sortings wait
	 */
	async page(grid: number, selection: Selection): Promise<StoredPage<Entity>> {
		const { condition, orders, offset, limit } = selection;
		const size = this.positions.total(grid);
		if (isEverything(condition) && orders.length === 0)
			return this.pageOf(grid, size, this.inCreationOrder(grid, offset, limit), condition);
		const narrowing = indexableParts(condition);
		const [first] = narrowing;
		const equality = first?.op === 'eq' && first === condition ? first : undefined;
		const sorted = [...(equality ? [equality] : []), ...orders];
		const isScannable =
			(equality ?? isEverything(condition)) &&
			sorted.length <= MAX_INDEXED_FIELDS &&
			orders.every(
				({ descending, names }) => !names && Boolean(descending) === Boolean(orders[0]?.descending),
			);
		const fields = (isScannable ? sorted : first ? [first] : []).map(({ field }) => field);
		const isIndexed = fields.length > 0 && !fields.some(({ id }) => this.conversions.includes(grid, id));
		const matches = async (asked: Selection): Promise<Matches> => {
			const index = isIndexed ? await this.indexes.find(grid, fields) : undefined;
			if (asked.caller.isGone()) throw abandoned();
			if (isScannable && index !== undefined)
				return scanIndex(this.db, { no: index, equality, orders }, this.positions.total(grid), asked);
			const version = this.events.version(grid);
			const candidates =
				first && index !== undefined ? matchesInIndex(this.db, index, toIndexSql(narrowing)) : undefined;
			return this.fitsOneStatement(grid, asked, candidates ?? this.positions.total(grid))
				? this.inOneStatement(grid, asked, candidates)
				: this.searched(grid, asked, { version, candidates });
		};
		const isSearched = isIndexed && first !== undefined && this.indexes.isSlow(grid, fields);
		const found = isSearched ? this.whileFilling(grid, fields, selection, matches) : matches(selection);
		return this.read(grid, await found, condition);
	}

	/** Searches while an index is filled, until one of both has the matches. */
	private async whileFilling(
		grid: number,
		fields: readonly Field[],
		selection: Selection,
		viaIndex: (selection: Selection) => Promise<Matches>,
	): Promise<Matches> {
		let isFound = false;
		const { name } = selection.caller;
		const caller = { name, isGone: () => isFound || selection.caller.isGone() };
		const indexed = viaIndex({ ...selection, caller });
		const index = JSON.stringify([grid, ...fields.map(({ id }) => id)]);
		const searched = this.afterOthers(index, async () => {
			if (caller.isGone()) throw abandoned();
			const version = this.events.version(grid);
			return await this.searched(grid, { ...selection, caller }, { version, candidates: undefined });
		});
		try {
			return await Promise.race([indexed.catch(() => searched), searched.catch(() => indexed)]);
		} finally {
			isFound = true;
		}
	}

	/** Searches one after the other: many at once would delay the index that answers them all. */
	private afterOthers<Result>(index: string, search: () => Promise<Result>): Promise<Result> {
		const found = (this.searches.get(index) ?? Promise.resolve()).then(search);
		const ended = found.catch(() => undefined);
		this.searches.set(index, ended);
		void ended.then(() => {
			if (this.searches.get(index) === ended) this.searches.delete(index);
		});
		return found;
	}

	/** IDs of entities in creation order. */
	ids(grid: number, offset: number, limit: number): string[] {
		const { from, skip } = this.positions.locate(grid, offset);
		const sql = 'SELECT id FROM rows WHERE pos >= ? AND pos < ? ORDER BY pos LIMIT ? OFFSET ?';
		return this.db.all<{ id: string }>(sql, from, endKey(grid), limit, skip).map(({ id }) => id);
	}

	private inCreationOrder(grid: number, offset: number, limit: number): SizedRecord[] {
		const { from, skip } = this.positions.locate(grid, offset);
		const sql =
			'SELECT pos AS key, octet_length(v) AS bytes FROM rows WHERE pos >= ? AND pos < ? ORDER BY pos LIMIT ? OFFSET ?';
		return this.db.all<SizedRecord>(sql, from, endKey(grid), limit, skip);
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
		const [where, ...values] = within(grid, typeof candidates === 'number' ? undefined : candidates);
		const [row] = this.db.all<{ bytes: number | null }>(
			`SELECT sum(octet_length(v)) AS bytes FROM rows WHERE ${where}`,
			...values,
		);
		return (row?.bytes ?? 0) <= MAX_BYTES_AT_ONCE;
	}

	private inOneStatement(
		grid: number,
		{ condition, orders, offset, limit }: Selection,
		candidates: readonly number[] | undefined,
	): Matches {
		const where = toSql(condition);
		const [range, ...bounds] = within(grid, candidates);
		const rows = this.db.all<{ pos: number }>(
			`SELECT pos FROM ${this.conversions.rows(grid)} WHERE ${range} AND ${where.text} ORDER BY ${orderBy(orders)}`,
			...bounds,
			...where.values,
		);
		const positions = rows.map(({ pos }) => pos);
		return { positions: positions.slice(offset, offset + limit), total: rows.length };
	}

	/**
	 * All entities of a selection in portions of some milliseconds, for exports that may not fit
	 * into memory. Each is read when it is called, and has only rows that still match then.
	 * @throws ServiceError 503 if the search takes too long, 429 while too many sorted ones are read
	 */
	async scan(
		grid: number,
		{ condition, orders, caller }: Search & Pick<Selection, 'caller'>,
	): Promise<AsyncGenerator<() => Entity[]>> {
		if (orders.length === 0) return this.scanInCreationOrder(grid, condition);
		this.requireRoom(caller, this.positions.total(grid));
		const version = this.events.version(grid);
		const positions = await this.sorted(
			grid,
			{ condition, orders, caller },
			{ version, candidates: undefined },
		);
		this.requireRoom(caller, positions.length);
		return this.scanPositions(grid, positions, condition, caller);
	}

	/** @throws ServiceError 429 if too many positions are held to add these */
	private requireRoom({ name }: Caller, count: number): void {
		if (this.held.hasRoom(name, count)) return;
		throw new ServiceError(429, 'Too many sorted exports are being read: send it again later', undefined, {
			'Retry-After': '5',
		});
	}

	/** Positions of all matches within the grid, sorted: once until the grid changes. */
	private async sorted(
		grid: number,
		{ condition, orders, caller }: Search & Pick<Selection, 'caller'>,
		{ version, candidates }: Searched,
	): Promise<Uint32Array> {
		const source = [grid, this.conversions.rows(grid)];
		const name = JSON.stringify([source, toSql(condition), orderBy(orders)]);
		const isKept = !orders.some(({ names }) => names) && !regardsOthers(condition);
		const kept = () => (isKept ? this.kept.get(name, this.events.version(grid)) : undefined);
		const sort = async () => {
			const steps = this.sortedPositions(grid, { condition, orders }, candidates);
			const positions = await this.slices.read(steps, caller);
			if (isKept && this.events.version(grid) === version) this.kept.add(name, { version, positions });
			return positions;
		};
		return kept() ?? this.sorting.run(caller, async () => kept() ?? (await sort()));
	}

	private *sortedPositions(
		grid: number,
		search: Search,
		candidates: readonly number[] | undefined,
	): Steps<Uint32Array> {
		const sorted = new SortedKeys(this.db, search.orders);
		try {
			let total = 0;
			yield* this.eachPortion(grid, search, { ms: 0 }, candidates, (from, ...values) => {
				total += sorted.add(from, ...values);
			});
			const positions = new Uint32Array(total);
			const portion = new Portion();
			for (let n = 0; n < positions.length; yield) {
				const part = portion.measure((rows) => sorted.take(rows));
				positions.set(
					part.map((pos) => pos - firstKey(grid)),
					n,
				);
				n += part.length;
			}
			return positions;
		} finally {
			sorted.drop();
		}
	}

	private async *scanInCreationOrder(grid: number, condition: Condition): AsyncGenerator<() => Entity[]> {
		const portion = new Portion(1);
		const where = toSql(condition);
		for (let from = firstKey(grid); from < this.positions.end(grid); ) {
			await this.slices.turn();
			const to = from + portion.rows;
			const range = [from, to];
			yield () =>
				exported(portion, () =>
					this.db.all<Row>(
						`SELECT * FROM ${this.conversions.rows(grid)} WHERE pos >= ? AND pos < ? AND ${where.text} ORDER BY pos`,
						...range,
						...where.values,
					),
				);
			from = to;
		}
	}

	/** @param positions within the grid */
	private async *scanPositions(
		grid: number,
		positions: Uint32Array,
		condition: Condition,
		caller: Caller,
	): AsyncGenerator<() => Entity[]> {
		const portion = new Portion(1);
		this.held.take(caller.name, positions.length);
		try {
			for (let from = 0; from < positions.length; ) {
				await this.slices.turn();
				const part = Array.from(positions.subarray(from, from + portion.rows), (pos) => pos + firstKey(grid));
				from += part.length;
				yield () => exported(portion, () => this.rowsAt(grid, part, condition));
			}
		} finally {
			this.held.take(caller.name, -positions.length);
		}
	}

	/** All entities of a grid in creation order, in portions of some milliseconds. */
	*portions(grid: number, reader: Reader = this.db): Generator<Entity[], undefined> {
		const portion = new Portion();
		for (let from = firstKey(grid); ; ) {
			const found = portion.measure((limit) => {
				const rows = rowsFrom(reader, grid, from, limit);
				return { last: rows.at(-1), entities: rows.map(toEntity) };
			});
			if (!found.last) return undefined;
			from = found.last.pos + 1;
			yield found.entities;
		}
	}

	/** The IDs of all entities of a grid, in portions of some milliseconds. */
	*idPortions(grid: number, reader: Reader): Generator<string[], undefined> {
		const portion = new Portion();
		const sql = 'SELECT pos, id FROM rows WHERE pos >= ? AND pos < ? ORDER BY pos LIMIT ?';
		for (let from = firstKey(grid); ; ) {
			const rows = portion.measure((limit) =>
				reader.all<Pick<Row, 'pos' | 'id'>>(sql, from, endKey(grid), limit),
			);
			const last = rows.at(-1);
			if (!last) return undefined;
			from = last.pos + 1;
			yield rows.map(({ id }) => id);
		}
	}

	private read(grid: number, { positions, total }: Matches, condition: Condition): StoredPage<Entity> {
		const rows = this.db.all<{ pos: number; bytes: number }>(
			`SELECT pos, octet_length(v) AS bytes FROM rows WHERE ${inList}`,
			JSON.stringify(positions),
		);
		const bytes = new Map(rows.map((row) => [row.pos, row.bytes]));
		const records = positions.map((key) => ({ key, bytes: bytes.get(key) ?? 0 }));
		return this.pageOf(grid, total, records, condition);
	}

	/**
	 * The entities of a page. Entities read later than the search must still match the condition.
	 */
	private pageOf(
		grid: number,
		total: number,
		records: readonly SizedRecord[],
		condition: Condition,
	): StoredPage<Entity> {
		return storedPage(this.db, total, records, (keys) =>
			this.rowsAt(grid, keys, condition).map((row) => () => toEntity(row)),
		);
	}

	/** Entities at these positions, in this order. */
	private rowsAt(grid: number, positions: readonly number[], condition: Condition): Row[] {
		const where = toSql(condition);
		const rows = this.db.all<Row>(
			`SELECT * FROM ${this.conversions.rows(grid)} WHERE ${inList} AND ${where.text}`,
			JSON.stringify(positions),
			...where.values,
		);
		const byPosition = new Map(rows.map((row) => [row.pos, row]));
		return positions.flatMap((pos) => {
			const row = byPosition.get(pos);
			return row ? [row] : [];
		});
	}

	/**
	 * Searches portion by portion. One that takes long goes on in turns with others.
	 * @throws ServiceError 503 when it takes too long
	 */
	private async searched(grid: number, selection: Selection, within: Searched): Promise<Matches> {
		const { orders, offset, limit, caller } = selection;
		if (orders.length > 0) {
			const sorted = await this.sorted(grid, selection, within);
			const page = sorted.subarray(offset, offset + limit);
			return { positions: Array.from(page, (pos) => pos + firstKey(grid)), total: sorted.length };
		}
		const spent: Spent = { ms: 0 };
		const steps = this.inOrderOfCreation(grid, selection, spent, within.candidates);
		const short = until(steps, () => spent.ms > this.statementMs);
		const found = await this.slices.read(short, caller);
		return found ?? this.sorting.run(caller, () => this.slices.read(steps, caller));
	}

	private *inOrderOfCreation(
		grid: number,
		selection: Selection,
		spent: Spent,
		candidates: readonly number[] | undefined,
	): Steps<Matches> {
		const { offset, limit } = selection;
		const positions: number[] = [];
		let total = 0;
		yield* this.eachPortion(grid, selection, spent, candidates, (from, ...values) => {
			const rows = this.db.all<{ pos: number }>(`SELECT pos FROM ${from} ORDER BY pos`, ...values);
			const skipped = Math.max(0, offset - total);
			const wanted = Math.max(0, limit - positions.length);
			positions.push(...rows.slice(skipped, skipped + wanted).map(({ pos }) => pos));
			total += rows.length;
		});
		return { positions, total };
	}

	/** @param handle receives the table and condition of a portion, and the values of both */
	private *eachPortion(
		grid: number,
		{ condition }: Search,
		spent: Spent,
		candidates: readonly number[] | undefined,
		handle: (from: string, ...values: SqlValue[]) => void,
	): Steps<void> {
		const maxMs = SORTING_FACTOR * this.statementMs;
		const portion = new Portion();
		const where = toSql(condition);
		const first = candidates ? 0 : firstKey(grid);
		for (let from = first; from < (candidates?.length ?? this.positions.end(grid)); ) {
			const to = from + portion.rows;
			const [range, ...bounds] = candidates
				? [inList, JSON.stringify(candidates.slice(from, to))]
				: ['pos >= ? AND pos < ?', from, to];
			const before = cpuMs();
			portion.measure(() => {
				const source = `${this.conversions.rows(grid)} WHERE ${range} AND ${where.text}`;
				handle(source, ...bounds, ...where.values);
			});
			// Neither the turns of others nor a busy machine make a search expensive.
			spent.ms += cpuMs() - before;
			from = to;
			yield;
			if (spent.ms > maxMs) {
				throw unavailable(
					`The search took more than ${maxMs} ms of processor time: narrow the filter. Indexes serve an $eq on one field, sorting by one or two fields in one direction, and an $eq combined with sorting by another field`,
				);
			}
		}
	}
}

/** Whether rows of other grids decide what matches. */
function regardsOthers(condition: Condition): boolean {
	if (condition.op === 'not') return regardsOthers(condition.of);
	if (condition.op === 'all' || condition.op === 'any') return condition.of.some(regardsOthers);
	return condition.op === 'linked';
}

/** Runs steps until `isOver`, and returns their result if they have ended; others can go on. */
function* until<Result extends object>(
	steps: Steps<Result>,
	isOver: () => boolean,
): Steps<Result | undefined> {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		if (isOver()) return undefined;
		yield;
	}
}

/** Reads a portion of an export, and limits the size of the next one. */
function exported(portion: Portion, read: () => Row[]): Entity[] {
	const before = portion.rows;
	let length = 0;
	const entities = portion.measure(() => {
		const rows = read();
		length = rows.reduce((sum, { v }) => sum + v.length, 0);
		return rows.map(toEntity);
	});
	portion.limit(before, length, MAX_PORTION_LENGTH);
	return entities;
}

/** Condition for candidates, or else for all entities of a grid, and its values. */
const within = (grid: number, candidates: readonly number[] | undefined): [string, ...SqlValue[]] =>
	candidates ? [inList, JSON.stringify(candidates)] : ['pos >= ? AND pos < ?', firstKey(grid), endKey(grid)];

/** Rows from a position on, in creation order. */
function rowsFrom(reader: Reader, grid: number, from: number, limit: number): Row[] {
	const sql = `SELECT * FROM ${rowsOf(reader, grid)} WHERE pos >= ? AND pos < ? ORDER BY pos LIMIT ?`;
	return reader.all<Row>(sql, from, endKey(grid), limit);
}

const inList = 'pos IN (SELECT value FROM json_each(?))';

const isEverything = (condition: Condition) => condition.op === 'all' && condition.of.length === 0;
