import { unavailable } from '../../rules/errors';
import type { Condition } from '../../rules/filter';
import { toSql } from '../rows/conditions';
import { rowsOf } from '../rows/conversions';
import type { Database, SqlValue } from '../files/database';
import type { EventNumbers } from './events';
import { Portion, type Slices, type Steps } from '../files/slices';

/**
 * What somebody may see of the change log: events of entities
 * within a condition that concern one of these fields.
 */
export interface Visible {
	readonly condition: Condition;
	readonly fieldIds: readonly string[];
}

/** Which events, of those that may be seen. */
export interface EventSelection {
	/** Milliseconds since 1970. */
	readonly since?: number;
	readonly entityId?: string;
	readonly newestFirst?: boolean;
	readonly offset: number;
	readonly limit: number;
}

/** The change log for those who may see a part of it. */
export class VisibleEvents {
	/** @param statementMs how long a search through the log may take */
	constructor(
		private readonly db: Database,
		private readonly slices: Slices,
		private readonly statementMs: number,
	) {}

	/**
	 * One page of the events that may be seen, and how many there are in all.
	 * @throws ServiceError 503 when the log is too long to look through
	 */
	async page(grid: number, visible: Visible, selection: EventSelection): Promise<EventNumbers> {
		const numbers = await this.slices.read(this.numbers(grid, visible, selection));
		if (selection.newestFirst) numbers.reverse();
		const { offset, limit } = selection;
		return { numbers: numbers.slice(offset, offset + limit), total: numbers.length };
	}

	/**
	 * The numbers of all events that may be seen, oldest first. Times never go backwards, so
	 * numbers and times have one order.
	 */
	private *numbers(grid: number, visible: Visible, { since, entityId }: EventSelection): Steps<number[]> {
		const { where, values } = this.condition(grid, visible);
		const bounds: Array<[string, SqlValue]> = [];
		if (since !== undefined) bounds.push(['e.at >= ?', since]);
		if (entityId !== undefined) bounds.push(['e.entity = ?', entityId]);
		const within = bounds.map(([text]) => `AND ${text}`).join(' ');
		const bound = bounds.map(([, value]) => value);
		const deadline = performance.now() + this.statementMs;
		const portion = new Portion();
		const numbers: number[] = [];
		for (let after = -1; ; ) {
			// The events are taken in portions first, and judged afterwards: so each statement ends
			// soon.
			const asked = portion.rows;
			const rows = portion.measure((limit) =>
				this.db.all<{ seq: number; seen: number }>(
					`SELECT e.seq, ${where} AS seen FROM (SELECT * FROM events_${grid} AS e WHERE e.seq > ? ${within} ORDER BY e.seq LIMIT ?) AS e`,
					...values,
					after,
					...bound,
					limit,
				),
			);
			for (const { seq, seen } of rows) if (seen === 1) numbers.push(seq);
			const last = rows.at(-1);
			if (!last || rows.length < asked) return numbers;
			after = last.seq;
			yield;
			if (performance.now() > deadline)
				throw unavailable(
					`Looking through the changes took longer than ${this.statementMs} ms: ask for later ones`,
				);
		}
	}

	/**
	 * Whether an event `e` may be seen: its entity lies
	 * within the condition, or did when it was deleted.
	 */
	private condition(grid: number, { condition, fieldIds }: Visible): { where: string; values: SqlValue[] } {
		const { text, values } = toSql(condition);
		const there = `EXISTS (SELECT 1 FROM ${rowsOf(this.db, grid)} WHERE id = e.entity AND ${text})`;
		// The event of the creation may be deleted by --keep-history. That of a deletion holds all
		// values that the entity had.
		const before = `(SELECT json_group_object(value->>'$.fieldId', json(value->'$.oldValue')) FROM json_each(gone.changes))`;
		const deleted = `EXISTS (SELECT 1 FROM (SELECT ${before} AS v, made.at AS at, made.user AS by
			FROM events_${grid} AS gone LEFT JOIN events_${grid} AS made ON made.entity = gone.entity AND made.type = 'created'
			WHERE gone.entity = e.entity AND gone.type = 'deleted') WHERE ${text})`;
		const concerned = `(e.type <> 'updated' OR EXISTS (SELECT 1 FROM json_each(e.changes)
			WHERE value->>'$.fieldId' IN (SELECT value FROM json_each(?))))`;
		return {
			where: `(${concerned} AND (${there} OR ${deleted}))`,
			values: [JSON.stringify(fieldIds), ...values, ...values],
		};
	}
}
