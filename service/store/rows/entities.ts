import type { Condition } from '../../rules/filter';
import type { Value } from '../../rules/fieldTypes';
import type { Values } from '../../rules/layouts';
import { toSql } from './conditions';
import { rowsOf, type Conversions } from './conversions';
import type { Database } from '../files/database';
import type { Change, Events } from '../events/events';
import { newId } from '../ids';
import { readValues } from '../json';
import { Positions } from './positions';

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

/** Empty cells are not stored. */
function stored(values: Values): string {
	return JSON.stringify(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)));
}

const same = (a: Value, b: Value) =>
	a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** The entities of all grids. Every write also writes its event, in the same transaction. */
export class Entities {
	readonly positions: Positions;

	constructor(
		private readonly db: Database,
		private readonly events: Events,
		private readonly conversions: Conversions,
	) {
		this.positions = new Positions(db);
	}

	create(grid: number, values: Values, userId: string): Entity {
		return this.db.transaction(() => {
			const id = newId();
			const at = this.events.nextTimestamp(grid);
			const pos = this.positions.allocate(grid);
			this.db.run(
				`INSERT INTO rows_${grid} (pos, id, at, by, v) VALUES (?, ?, ?, ?, ?)`,
				pos,
				id,
				at,
				userId,
				stored(values),
			);
			const changes = difference({}, values);
			this.events.append(grid, { at, type: 'created', entityId: id, userId, changes });
			return { id, createdAt: at, createdBy: userId, values };
		});
	}

	/** @param condition additional condition, e.g. the filter of a virtual grid */
	get(grid: number, id: string, condition?: Condition): Entity | undefined {
		const where = condition ? toSql(condition) : { text: '1', values: [] };
		const [row] = this.db.all<Row>(
			`SELECT * FROM ${rowsOf(this.db, grid)} WHERE id = ? AND ${where.text}`,
			id,
			...where.values,
		);
		return row && toEntity(row);
	}

	/**
	 * Updates the named values. Reads and writes in one transaction, so concurrent writers of
	 * different fields do not overwrite each other. An update without a change creates no event.
	 */
	update(grid: number, id: string, named: Values, userId: string): Entity | undefined {
		return this.db.transaction(() => {
			this.conversions.convertEntity(grid, id);
			const before = this.get(grid, id);
			if (!before) return undefined;
			const changes = difference(before.values, named);
			if (changes.length === 0) return before;
			const values = { ...before.values, ...named };
			const at = this.events.nextTimestamp(grid);
			this.db.run(`UPDATE rows_${grid} SET v = ? WHERE id = ?`, stored(values), id);
			this.events.append(grid, { at, type: 'updated', entityId: id, userId, changes });
			return { ...before, values };
		});
	}

	/** @returns whether it existed */
	remove(grid: number, id: string, userId: string): boolean {
		return this.db.transaction(() => {
			this.conversions.convertEntity(grid, id);
			const [row] = this.db.all<Row>(`SELECT * FROM rows_${grid} WHERE id = ?`, id);
			if (!row) return false;
			const at = this.events.nextTimestamp(grid);
			this.db.run(`DELETE FROM rows_${grid} WHERE pos = ?`, row.pos);
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
		const where = condition ? toSql(condition) : { text: '1', values: [] };
		const rows = this.db.all<Row>(
			`SELECT * FROM ${rowsOf(this.db, grid)} WHERE id IN (SELECT value FROM json_each(?)) AND ${where.text}`,
			JSON.stringify(ids),
			...where.values,
		);
		return new Map(rows.map((row) => [row.id, toEntity(row)]));
	}
}

/** Changes from `before` to `after`. */
function difference(before: Values, after: Values): Change[] {
	return Object.entries(after)
		.filter(([fieldId, value]) => !same(before[fieldId] ?? null, value))
		.map(([fieldId, value]) => ({ fieldId, oldValue: before[fieldId] ?? null, newValue: value }));
}
