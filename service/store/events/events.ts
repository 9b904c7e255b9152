import type { Value } from '../../rules/fieldTypes';
import { badRequest } from '../../rules/errors';
import type { Values } from '../../rules/layouts';
import type { Database, Reader } from '../files/database';
import { readValues } from '../json';
import { endKey, firstKey } from '../keys';
import { RecordCache } from '../recordCache';

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
 * Before the row is changed or deleted, its values are stored here, as JSON (see storedRows.ts).
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
		'SELECT id, v FROM rows WHERE id IN (SELECT value FROM json_each(?))',
		JSON.stringify(unchanged),
	);
	const values = new Map(stored.map(({ id, v }) => [id, v]));
	return rows.map(({ seq, at, type, entity, user, changes }) => ({
		seq: seq - firstKey(grid),
		at,
		type,
		entityId: entity,
		userId: user,
		changes: readChanges(changes === AS_CREATED ? (values.get(entity) ?? '[]') : changes),
	}));
}

/** Keys of events on a page, and the total. */
export interface EventNumbers {
	readonly numbers: readonly number[];
	readonly total: number;
}

/** Key and timestamp of the newest event of a grid. */
interface Newest {
	seq: number;
	at: number;
}

/**
 * The change log of each grid: written in the transaction that changes the entity, append-only.
 * Timestamps never decrease, so the events have the order of their keys, which have no gaps.
 */
export class Events {
	private readonly newest: RecordCache<number, Newest>;

	constructor(
		private readonly db: Database,
		private readonly now: () => number,
	) {
		this.newest = new RecordCache(db);
	}

	/**
	 * Timestamp of a change that is being written; never before an earlier change of the grid, even
	 * if the clock is set back.
	 */
	nextTimestamp(grid: number): number {
		const newest = this.newestOf(grid);
		newest.at = Math.max(this.now(), newest.at);
		return newest.at;
	}

	/** Writes an event. Call within the transaction that changes the entity. */
	append(grid: number, { at, type, entityId, userId, changes }: Omit<ChangeEvent, 'seq'>): void {
		const newest = this.newestOf(grid);
		newest.seq += 1;
		if (newest.seq === endKey(grid)) throw badRequest('The history of the grid is full');
		this.db.run(
			'INSERT INTO events (seq, at, type, entity, user, changes) VALUES (?, ?, ?, ?, ?, ?)',
			newest.seq,
			at,
			type,
			entityId,
			userId,
			type === 'created' ? AS_CREATED : JSON.stringify(changes),
		);
	}

	/**
	 * Keys of the changes at or after a time, oldest first. New ones are appended, so pages do not
	 * shift.
	 */
	since(grid: number, from: number, offset: number, limit: number): EventNumbers {
		const first = this.firstSince(grid, from);
		const total = this.newestOf(grid).seq + 1 - first;
		const count = Math.max(0, Math.min(limit, total - offset));
		return { numbers: Array.from({ length: count }, (_, n) => first + offset + n), total };
	}

	/** Key of the first change at or after a time; the key after the newest one if there is none. */
	firstSince(grid: number, from: number): number {
		const end = this.newestOf(grid).seq + 1;
		let low = this.oldest(grid) ?? end;
		let high = end;
		// From the end, because most polls ask for the latest changes.
		for (let step = 1; low < high; step *= 2) {
			const tried = Math.max(low, end - step, Math.floor((low + high) / 2));
			if (this.timeOf(tried) >= from) {
				high = tried;
			} else {
				low = tried + 1;
				step = Infinity;
			}
		}
		return high;
	}

	/** Keys of the history of one entity, newest first. */
	ofEntity(grid: number, entityId: string, offset: number, limit: number): EventNumbers {
		const where = 'WHERE entity = ? AND +seq >= ? AND +seq < ?';
		const values = [entityId, firstKey(grid), endKey(grid)];
		const [count] = this.db.all<{ n: number }>(`SELECT count(*) AS n FROM events ${where}`, ...values);
		const rows = this.db.all<{ seq: number }>(
			`SELECT seq FROM events ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`,
			...values,
			limit,
			offset,
		);
		return { numbers: rows.map(({ seq }) => seq), total: count?.n ?? 0 };
	}

	/** The newest change of an entity, and its first creation, as far as the history has them. */
	endsOf(grid: number, entityId: string): { newest?: ChangeEvent; creation?: ChangeEvent } {
		const one = (where: string, order: string) => {
			const rows = this.db.all<EventRow>(
				`SELECT * FROM events WHERE entity = ? AND +seq >= ? AND +seq < ? AND ${where} ORDER BY seq ${order} LIMIT 1`,
				entityId,
				firstKey(grid),
				endKey(grid),
			);
			return readEvents(this.db, grid, rows)[0];
		};
		const [newest, creation] = [one('1', 'DESC'), one("type = 'created'", 'ASC')];
		return { ...(newest ? { newest } : {}), ...(creation ? { creation } : {}) };
	}

	/** Sequence number of the newest change: the entities of a grid are the same while it is. */
	version(grid: number): number {
		return this.newestOf(grid).seq;
	}

	/** Drops cached data of a deleted grid. */
	forget(grid: number): void {
		this.newest.forget(grid);
	}

	private oldest(grid: number): number | undefined {
		return this.db.all<{ seq: number }>(
			'SELECT seq FROM events WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT 1',
			firstKey(grid),
			endKey(grid),
		)[0]?.seq;
	}

	private timeOf(seq: number): number {
		return this.db.all<{ at: number }>('SELECT at FROM events WHERE seq = ?', seq)[0]?.at ?? 0;
	}

	private newestOf(grid: number): Newest {
		return this.newest.get(grid, () => {
			const [newest] = this.db.all<Newest>(
				'SELECT seq, at FROM events WHERE seq >= ? AND seq < ? ORDER BY seq DESC LIMIT 1',
				firstKey(grid),
				endKey(grid),
			);
			return newest ?? { seq: firstKey(grid), at: 0 };
		});
	}
}
