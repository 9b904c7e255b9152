import type { Value } from '../../rules/fieldTypes';
import type { Values } from '../../rules/layouts';
import type { Database, Reader } from '../files/database';
import { readValues } from '../json';

type EventType = 'created' | 'updated' | 'deleted';

/** One changed value. */
export interface Change {
	readonly fieldId: string;
	readonly oldValue: Value;
	readonly newValue: Value;
}

/** A change of an entity, for history and updates feed. */
export interface ChangeEvent {
	readonly seq: number;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly type: EventType;
	readonly entityId: string;
	readonly userId: string;
	readonly changes: readonly Change[];
}

/** A row of the table of events. */
export interface EventRow {
	seq: number;
	at: number;
	type: EventType;
	entity: string;
	user: string;
	changes: string;
}

/**
 * Stored as the changes of a creation while the entity is unchanged: the row itself has the values.
 * Before the row is changed or deleted, triggers store its values here, as JSON (see tables.ts).
 */
export const AS_CREATED = '';

const isList = (value: unknown): value is Change[] => Array.isArray(value);

function readChanges(text: string): readonly Change[] {
	const changes: unknown = JSON.parse(text);
	return isList(changes) ? changes : creation(readValues(text));
}

const creation = (values: Values): Change[] =>
	Object.entries(values).map(([fieldId, newValue]) => ({ fieldId, oldValue: null, newValue }));

/** Converts stored events. */
export function readEvents(reader: Reader, grid: number, rows: readonly EventRow[]): ChangeEvent[] {
	const unchanged = rows.filter(({ changes }) => changes === AS_CREATED).map(({ entity }) => entity);
	const stored = reader.all<{ id: string; v: string }>(
		`SELECT id, v FROM rows_${grid} WHERE id IN (SELECT value FROM json_each(?))`,
		JSON.stringify(unchanged),
	);
	const values = new Map(stored.map(({ id, v }) => [id, v]));
	return rows.map(({ seq, at, type, entity, user, changes }) => ({
		seq,
		at,
		type,
		entityId: entity,
		userId: user,
		changes: readChanges(changes === AS_CREATED ? (values.get(entity) ?? '[]') : changes),
	}));
}

/** Numbers of events on a page, and the total. */
export interface EventNumbers {
	readonly numbers: readonly number[];
	readonly total: number;
}

/** The change log of each grid: written in the transaction that changes the entity, append-only. */
export class Events {
	/** Newest timestamp of each grid, so that events stay in order if the clock is set back. */
	private readonly newest = new Map<number, number>();

	constructor(
		private readonly db: Database,
		private readonly now: () => number,
	) {
		db.onRollback(() => {
			this.newest.clear();
		});
	}

	/** Timestamp of a change that is being written; never before an earlier change of the grid. */
	nextTimestamp(grid: number): number {
		let newest = this.newest.get(grid);
		newest ??= this.db.all<{ at: number | null }>(`SELECT max(at) AS at FROM events_${grid}`)[0]?.at ?? 0;
		const at = Math.max(this.now(), newest);
		this.newest.set(grid, at);
		return at;
	}

	/** Writes an event. Call within the transaction that changes the entity. */
	append(grid: number, { at, type, entityId, userId, changes }: Omit<ChangeEvent, 'seq'>): void {
		this.db.run(
			`INSERT INTO events_${grid} (at, type, entity, user, changes) VALUES (?, ?, ?, ?, ?)`,
			at,
			type,
			entityId,
			userId,
			type === 'created' ? AS_CREATED : JSON.stringify(changes),
		);
	}

	/**
	 * Numbers of the changes at or after a time, oldest first. New ones are appended, so pages do
	 * not shift.
	 */
	since(grid: number, from: number, offset: number, limit: number): EventNumbers {
		return this.numbers(grid, { text: 'at >= ?', value: from, order: 'at, seq' }, offset, limit);
	}

	/** Numbers of the history of one entity, newest first. */
	ofEntity(grid: number, entityId: string, offset: number, limit: number): EventNumbers {
		return this.numbers(grid, { text: 'entity = ?', value: entityId, order: 'seq DESC' }, offset, limit);
	}

	private numbers(
		grid: number,
		{ text, value, order }: { text: string; value: string | number; order: string },
		offset: number,
		limit: number,
	): EventNumbers {
		const [count] = this.db.all<{ n: number }>(
			`SELECT count(*) AS n FROM events_${grid} WHERE ${text}`,
			value,
		);
		const rows = this.db.all<{ seq: number }>(
			`SELECT seq FROM events_${grid} WHERE ${text} ORDER BY ${order} LIMIT ? OFFSET ?`,
			value,
			limit,
			offset,
		);
		return { numbers: rows.map(({ seq }) => seq), total: count?.n ?? 0 };
	}

	/** Drops cached data of a deleted grid. */
	forget(grid: number): void {
		this.newest.delete(grid);
	}
}
