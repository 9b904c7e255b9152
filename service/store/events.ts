import type { Value } from '../fieldTypes';
import type { Database } from './database';

export type EventType = 'created' | 'updated' | 'deleted';

/** One changed value. */
export interface Change {
	readonly fieldId: string;
	readonly oldValue: Value;
	readonly newValue: Value;
}

/** One change of one entity, as history and updates feed show it. */
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

const isList = (value: unknown): value is Change[] => Array.isArray(value);

function readChanges(text: string): Change[] {
	const changes: unknown = JSON.parse(text);
	return isList(changes) ? changes : [];
}

export const toEvent = (row: EventRow): ChangeEvent => ({
	seq: row.seq,
	at: row.at,
	type: row.type,
	entityId: row.entity,
	userId: row.user,
	changes: readChanges(row.changes),
});

/** The change log of each grid: written in the transaction that changes the entity, never changed afterwards. */
export class Events {
	/** The newest timestamp of each grid, so that a clock that is set back cannot put a new event before an older one. */
	private readonly newest = new Map<number, number>();

	constructor(
		private readonly db: Database,
		private readonly now: () => number,
	) {
		db.onRollback(() => {
			this.newest.clear();
		});
	}

	/** The time of a change that is being written now: never before that of an earlier change of the grid. */
	tick(grid: number): number {
		let newest = this.newest.get(grid);
		newest ??= this.db.all<{ at: number | null }>(`SELECT max(at) AS at FROM events_${grid}`)[0]?.at ?? 0;
		const at = Math.max(this.now(), newest);
		this.newest.set(grid, at);
		return at;
	}

	append(
		grid: number,
		at: number,
		type: EventType,
		entityId: string,
		userId: string,
		changes: readonly Change[],
	): void {
		this.db.run(
			`INSERT INTO events_${grid} (at, type, entity, user, changes) VALUES (?, ?, ?, ?, ?)`,
			at,
			type,
			entityId,
			userId,
			JSON.stringify(changes),
		);
	}

	/** Changes at or after a time, oldest first; new ones only ever join at the end, so pages do not shift. */
	since(grid: number, from: number, offset: number, limit: number): { events: ChangeEvent[]; total: number } {
		const total =
			this.db.all<{ n: number }>(`SELECT count(*) AS n FROM events_${grid} WHERE at >= ?`, from)[0]?.n ?? 0;
		const rows = this.db.all<EventRow>(
			`SELECT * FROM events_${grid} WHERE at >= ? ORDER BY at, seq LIMIT ? OFFSET ?`,
			from,
			limit,
			offset,
		);
		return { events: rows.map(toEvent), total };
	}

	/** The history of one entity, newest first. */
	ofEntity(
		grid: number,
		entityId: string,
		offset: number,
		limit: number,
	): { events: ChangeEvent[]; total: number } {
		const total =
			this.db.all<{ n: number }>(`SELECT count(*) AS n FROM events_${grid} WHERE entity = ?`, entityId)[0]
				?.n ?? 0;
		const rows = this.db.all<EventRow>(
			`SELECT * FROM events_${grid} WHERE entity = ? ORDER BY seq DESC LIMIT ? OFFSET ?`,
			entityId,
			limit,
			offset,
		);
		return { events: rows.map(toEvent), total };
	}

	/** Forgets a deleted grid. */
	forget(grid: number): void {
		this.newest.delete(grid);
	}
}
