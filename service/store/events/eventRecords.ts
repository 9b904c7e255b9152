import type { Condition } from '../../rules/filter';
import type { Database } from '../files/database';
import type { Entities, Entity } from '../rows/entities';
import { AS_CREATED, readEvents, type ChangeEvent, type EventNumbers, type EventRow } from './events';
import { storedPage, type StoredItems, type StoredPage } from '../rows/storedPage';

/** An event and the current state of its entity, unless it was deleted. */
export interface EventRecord {
	readonly event: ChangeEvent;
	readonly entity: Entity | undefined;
}

/** Reads events with their entities. */
export class EventRecords {
	constructor(
		private readonly db: Database,
		private readonly entities: Entities,
	) {}

	/** @param condition condition for entities to be included */
	page(
		grid: number,
		{ numbers, total }: EventNumbers,
		condition: Condition | undefined,
	): StoredPage<EventRecord> {
		const records = this.db.all<{ key: number; bytes: number }>(
			`SELECT e.seq AS key, octet_length(e.changes) + iif(e.changes = '${AS_CREATED}', 3, 1) * coalesce(octet_length(r.v), 0) AS bytes
			 FROM json_each(?) AS wanted JOIN events AS e ON e.seq = wanted.value
			 LEFT JOIN rows AS r ON r.id = e.entity ORDER BY wanted.key`,
			JSON.stringify(numbers),
		);
		return storedPage(this.db, total, records, (keys) => this.read(grid, keys, condition));
	}

	private read(
		grid: number,
		numbers: readonly number[],
		condition: Condition | undefined,
	): StoredItems<EventRecord> {
		const rows = this.db.all<EventRow>(
			'SELECT e.* FROM json_each(?) AS wanted JOIN events AS e ON e.seq = wanted.value ORDER BY wanted.key',
			JSON.stringify(numbers),
		);
		const events = readEvents(this.db, grid, rows);
		const ids = [...new Set(events.map((event) => event.entityId))];
		const current = this.entities.byIds(grid, ids, condition);
		return events.map((event) => () => ({ event, entity: current.get(event.entityId) }));
	}
}
