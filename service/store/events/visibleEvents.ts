import { unavailable } from '../../rules/errors';
import type { Condition } from '../../rules/filter';
import { toSql } from '../rows/conditions';
import type { Conversions } from '../rows/conversions';
import type { Database, SqlValue } from '../files/database';
import { endKey, firstKey } from '../keys';
import type { EventNumbers, Events } from './events';
import { Portion, type Slices, type Steps } from '../files/slices';

/**
 * The visible part of the change log: events of entities that match the condition and concern one
 * of the fields.
 */
export interface Visible {
	readonly condition: Condition;
	readonly fieldIds: readonly string[];
}

/** Selection of the visible events. */
export interface EventSelection {
	/** Milliseconds since 1970. */
	readonly since?: number;
	readonly entityId?: string;
	readonly newestFirst?: boolean;
	readonly offset: number;
	readonly limit: number;
}

/** The change log for callers that may see a part of it. */
export class VisibleEvents {
	/** @param statementMs maximum duration of a search */
	constructor(
		private readonly db: Database,
		private readonly log: { readonly events: Events; readonly conversions: Conversions },
		private readonly slices: Slices,
		private readonly statementMs: number,
	) {}

	/**
	 * A page of the visible events, and their total.
	 * @throws ServiceError 503 if the search takes too long
	 */
	async page(grid: number, visible: Visible, selection: EventSelection): Promise<EventNumbers> {
		const numbers = await this.slices.read(this.numbers(grid, visible, selection));
		if (selection.newestFirst) numbers.reverse();
		const { offset, limit } = selection;
		return { numbers: numbers.slice(offset, offset + limit), total: numbers.length };
	}

	/**
	 * Numbers of all visible events, oldest first. Timestamps never decrease, so they have the
	 * order of the numbers.
	 */
	private *numbers(grid: number, visible: Visible, { since, entityId }: EventSelection): Steps<number[]> {
		const { where, values } = this.condition(grid, visible);
		const ofEntity = entityId === undefined ? '' : 'AND e.entity = ?';
		const bound = [...(entityId === undefined ? [] : [entityId]), endKey(grid)];
		const first = since === undefined ? firstKey(grid) : this.log.events.firstSince(grid, since);
		const deadline = performance.now() + this.statementMs;
		const portion = new Portion();
		const numbers: number[] = [];
		for (let after = first - 1; ; ) {
			// Events are read in portions and then filtered, so that each statement is short.
			const requested = portion.rows;
			const rows = portion.measure((limit) =>
				this.db.all<{ seq: number; seen: number }>(
					`SELECT e.seq, ${where} AS seen FROM (SELECT * FROM events AS e WHERE e.seq > ? ${ofEntity} AND e.seq < ? ORDER BY e.seq LIMIT ?) AS e`,
					...values,
					after,
					...bound,
					limit,
				),
			);
			for (const { seq, seen } of rows) if (seen === 1) numbers.push(seq);
			const last = rows.at(-1);
			if (!last || rows.length < requested) return numbers;
			after = last.seq;
			yield;
			if (performance.now() > deadline)
				throw unavailable(
					`The search through the changes took longer than ${this.statementMs} ms: request later changes`,
				);
		}
	}

	/**
	 * SQL for the visibility of an event `e`: its entity matches the condition, or did when it was
	 * deleted.
	 */
	private condition(grid: number, { condition, fieldIds }: Visible): { where: string; values: SqlValue[] } {
		const { text, values } = toSql(condition);
		const existing = `EXISTS (SELECT 1 FROM ${this.log.conversions.rows(grid)} WHERE id = e.entity AND ${text})`;
		// --keep-history may have deleted the creation event; a deletion event has all values.
		const before = `(SELECT json_group_object(value->>'$.fieldId', json(value->'$.oldValue')) FROM json_each(gone.changes))`;
		// Its last event, because a deleted entity may have been brought back and deleted again.
		const deleted = `EXISTS (SELECT 1 FROM (SELECT ${before} AS v, made.at AS at, made.user AS by
			FROM events AS gone LEFT JOIN events AS made
			ON made.seq = (SELECT min(seq) FROM events WHERE entity = gone.entity AND type = 'created')
			WHERE gone.seq = (SELECT max(seq) FROM events WHERE entity = e.entity) AND gone.type = 'deleted') WHERE ${text})`;
		const concerned = `(e.type <> 'updated' OR EXISTS (SELECT 1 FROM json_each(e.changes)
			WHERE value->>'$.fieldId' IN (SELECT value FROM json_each(?))))`;
		return {
			where: `(${concerned} AND (${existing} OR ${deleted}))`,
			values: [JSON.stringify(fieldIds), ...values, ...values],
		};
	}
}
