import type { Condition } from '../../rules/filter';
import type { Value } from '../../rules/fieldTypes';
import type { Values } from '../../rules/layouts';
import { toSql } from './conditions';
import type { Conversions } from './conversions';
import type { Database } from '../files/database';
import type { Change, Events } from '../events/events';
import { newId } from '../ids';
import { readValues } from '../json';
import { endKey, firstKey } from '../keys';
import type { Positions } from './positions';
import { stored, type StoredRows } from './storedRows';

/** A stored entity: its values by field ID, creator and creation time. */
export interface Entity {
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly createdAt: number;
	readonly createdBy: string;
	readonly values: Values;
}

/** A row of the table of entities. */
export interface Row {
	pos: number;
	id: string;
	at: number;
	by: string;
	v: string;
}

export const toEntity = (row: Row): Entity => ({
	id: row.id,
	createdAt: row.at,
	createdBy: row.by,
	values: readValues(row.v),
});

const same = (a: Value, b: Value) =>
	a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** The entities of all grids. Every write also writes its event, in the same transaction. */
export class Entities {
	/** @param storedRows makes the changes */
	constructor(
		private readonly db: Database,
		private readonly events: Events,
		private readonly conversions: Conversions,
		private readonly storedRows: StoredRows,
		readonly positions: Positions,
	) {}

	create(grid: number, values: Values, userId: string, id = newId()): Entity {
		return this.db.transaction(() => {
			const at = this.events.nextTimestamp(grid);
			return this.insert(grid, { id, createdAt: at, createdBy: userId, values }, { at, userId });
		});
	}

	/** Adds an entity as the last one, with the event of its creation. */
	private insert(grid: number, entity: Entity, { at, userId }: { at: number; userId: string }): Entity {
		const { id, createdAt, createdBy, values } = entity;
		const pos = this.positions.allocate(grid);
		this.db.run(
			'INSERT INTO rows (pos, id, at, by, v) VALUES (?, ?, ?, ?, ?)',
			pos,
			id,
			createdAt,
			createdBy,
			stored(values),
		);
		const changes = difference({}, values);
		this.events.append(grid, { at, type: 'created', entityId: id, userId, changes });
		return entity;
	}

	/**
	 * Brings back a deleted entity with its ID, creator and creation time, as the last one. Its
	 * history continues with another creation.
	 * @param fit returns what the columns accept now of the values that it had
	 * @returns undefined if it exists, or its history no longer contains its deletion
	 */
	restore(grid: number, id: string, fit: (values: Values) => Values, userId: string): Entity | undefined {
		return this.db.transaction(() => {
			const { newest, creation } = this.events.endsOf(grid, id);
			if (newest?.type !== 'deleted') return undefined;
			const before = newest.changes.map(({ fieldId, oldValue }) => [fieldId, oldValue] as const);
			const values = fit(Object.fromEntries(before));
			const at = this.events.nextTimestamp(grid);
			const { at: createdAt = at, userId: createdBy = userId } = creation ?? {};
			return this.insert(grid, { id, createdAt, createdBy, values }, { at, userId });
		});
	}

	/** @param condition additional condition, e.g. the filter of a virtual grid */
	get(grid: number, id: string, condition?: Condition): Entity | undefined {
		const row = this.row(grid, id, condition);
		return row && toEntity(row);
	}

	/**
	 * Updates the named values. Reads and writes in one transaction, so concurrent writers of
	 * different fields do not overwrite each other. An update without a change creates no event.
	 */
	update(grid: number, id: string, named: Values, userId: string): Entity | undefined {
		return this.db.transaction(() => {
			this.conversions.convertEntity(grid, id);
			const row = this.row(grid, id);
			if (!row) return undefined;
			const before = toEntity(row);
			const changes = difference(before.values, named);
			if (changes.length === 0) return before;
			const values = { ...before.values, ...named };
			const at = this.events.nextTimestamp(grid);
			const changed = changes.map(({ fieldId }) => fieldId);
			this.storedRows.update(grid, row, values, changed);
			this.events.append(grid, { at, type: 'updated', entityId: id, userId, changes });
			return { ...before, values };
		});
	}

	/** @returns whether it existed */
	remove(grid: number, id: string, userId: string): boolean {
		return this.db.transaction(() => {
			this.conversions.convertEntity(grid, id);
			const row = this.row(grid, id);
			if (!row) return false;
			const at = this.events.nextTimestamp(grid);
			this.storedRows.remove(grid, row);
			this.positions.release(grid, row.pos);
			const before = toEntity(row).values;
			const cleared = Object.fromEntries(Object.keys(before).map((fieldId) => [fieldId, null]));
			const changes = difference(before, cleared);
			this.events.append(grid, { at, type: 'deleted', entityId: id, userId, changes });
			return true;
		});
	}

	/** Existing entities with these IDs, by ID. @param condition additional condition */
	byIds(grid: number, ids: readonly string[], condition?: Condition): ReadonlyMap<string, Entity> {
		const rows = this.rows(grid, ids, condition);
		return new Map(rows.map((row) => [row.id, toEntity(row)]));
	}

	private row(grid: number, id: string, condition?: Condition): Row | undefined {
		return this.rows(grid, [id], condition)[0];
	}

	private rows(grid: number, ids: readonly string[], condition?: Condition): Row[] {
		const where = condition ? toSql(condition) : { text: '1', values: [] };
		return this.db.all<Row>(
			`SELECT * FROM ${this.conversions.rows(grid)}
			 WHERE id IN (SELECT value FROM json_each(?)) AND +pos >= ? AND +pos < ? AND ${where.text}`,
			JSON.stringify(ids),
			firstKey(grid),
			endKey(grid),
			...where.values,
		);
	}
}

/** Changes from `before` to `after`. */
function difference(before: Values, after: Values): Change[] {
	return Object.entries(after)
		.filter(([fieldId, value]) => !same(before[fieldId] ?? null, value))
		.map(([fieldId, value]) => ({ fieldId, oldValue: before[fieldId] ?? null, newValue: value }));
}
