import { unavailable } from '../../rules/errors';
import {
	convertValue,
	fieldTypeSchema,
	type Field,
	type FieldType,
	type Value,
} from '../../rules/fieldTypes';
import type { Database, Reader, SqlValue } from '../files/database';
import type { Events } from '../events/events';
import { BackgroundWork } from '../files/backgroundWork';
import { readColumn, readValues } from '../json';
import { firstKey } from '../keys';
import type { StoredRows } from './storedRows';
import { runAll, type Slices, type Steps } from '../files/slices';

/** Grids up to this size are converted within the request. */
const MAX_ROWS_AT_ONCE = 1000;
/** Rows per step of a slice, which takes some milliseconds. */
const ROWS_PER_STEP = 64;

/**
 * A field with a changed type: rows from `done` to `until` still have values of the former type.
 */
interface Conversion {
	readonly fieldId: string;
	readonly gridNo: number;
	readonly userId: string;
	readonly type: FieldType;
	readonly done: number;
	readonly until: number;
}

interface ConversionRow {
	field_id: string;
	grid_no: number;
	user_id: string;
	type: string;
	done: number;
	until: number;
}

interface StoredRow {
	pos: number;
	id: string;
	v: string;
}

const toConversion = (row: ConversionRow): Conversion => ({
	fieldId: row.field_id,
	gridNo: row.grid_no,
	userId: row.user_id,
	type: readColumn(fieldTypeSchema, row.type),
	done: row.done,
	until: row.until,
});

const fieldOf = (id: string, type: FieldType): Field => ({ id, name: '', key: '', description: null, type });

/** Cache of types by JSON, so that the schema of their values is built once, not for each row. */
const types = new Map<string, FieldType>();
/** Maximum number of cached types: one for each field of a grid. */
const MAX_TYPES = 1000;

function typeOf(json: string): FieldType {
	const known = types.get(json);
	if (known) return known;
	const type = readColumn(fieldTypeSchema, json);
	if (types.size >= MAX_TYPES) types.clear();
	types.set(json, type);
	return type;
}

/** SQL function for `rowsOf`: the values of a row as JSON, with one of them converted. */
function converted(json: SqlValue, fieldId: SqlValue, type: SqlValue): SqlValue {
	if (typeof json !== 'string' || typeof fieldId !== 'string' || typeof type !== 'string') return json;
	const values = readValues(json);
	const before = values[fieldId] ?? null;
	const after = convertValue(fieldOf(fieldId, typeOf(type)), before);
	return before === after ? json : JSON.stringify({ ...values, [fieldId]: after });
}

const conversionsOf = (reader: Reader, grid: number): Conversion[] =>
	reader.all<ConversionRow>('SELECT * FROM conversions WHERE grid_no = ?', grid).map(toConversion);

/**
 * Table expression for entities. A condition has to limit it to those of the grid. During a type
 * change it converts values that are not converted yet.
 */
export function rowsOf(reader: Reader, grid: number, pending = conversionsOf(reader, grid)): string {
	if (pending.length === 0) return 'rows';
	const values = pending.reduce((v, { fieldId, until }) => {
		const record = `FROM conversions WHERE field_id = '${fieldId}'`;
		return `CASE WHEN pos >= (SELECT done ${record}) AND pos < ${until} THEN converted(${v}, '${fieldId}', (SELECT type ${record})) ELSE ${v} END`;
	}, 'v');
	return `(SELECT pos, id, at, by, ${values} AS v FROM rows)`;
}

/**
 * Changes types in grids of any size. The change is one small transaction, after which all requests
 * use the new type. Stored values are converted in slices between other requests, each with its
 * event; the next start continues after a kill.
 */
export class Conversions {
	private readonly work: BackgroundWork;
	/** Grids with pending conversions, so that not every query reads them. */
	private converting: ReadonlySet<number> | undefined;

	/** @param onFault called for errors of a slice, which is retried later */
	constructor(
		private readonly db: Database,
		private readonly events: Events,
		private readonly storedRows: StoredRows,
		slices: Slices,
		onFault: (error: unknown) => void,
	) {
		db.define('converted', converted);
		db.onRollback(() => {
			this.converting = undefined;
		});
		this.work = new BackgroundWork(slices, () => this.convertAll(), onFault);
	}

	/** Table expression for entities of a grid with converted values (see rowsOf). */
	rows(grid: number): string {
		return rowsOf(this.db, grid, this.pending(grid));
	}

	/** Whether stored values of this field may still have its former type. */
	includes(grid: number, fieldId: string): boolean {
		return this.pending(grid).some((one) => one.fieldId === fieldId);
	}

	/** @throws ServiceError 503 during an earlier type change of this field */
	requireConverted(grid: number, field: Field): void {
		if (this.includes(grid, field.id))
			throw unavailable(
				`The values of "${field.name}" are still being converted to its type: try again soon`,
			);
	}

	/**
	 * Call within the transaction that changes the type.
	 * @param end position after the last one of the grid
	 */
	begin(grid: number, { id, type }: Field, userId: string, end: number): void {
		this.db.run(
			'INSERT INTO conversions (field_id, grid_no, user_id, type, done, until) VALUES (?, ?, ?, ?, ?, ?)',
			id,
			grid,
			userId,
			JSON.stringify(type),
			firstKey(grid),
			end,
		);
		this.converting = undefined;
		if (end - firstKey(grid) > MAX_ROWS_AT_ONCE) this.resume();
		else runAll(this.convert(grid, id));
	}

	/** Continues pending conversions between other requests. */
	resume(): void {
		this.work.wake();
	}

	/** Converts an entity before it is updated, so that its history has both changes. */
	convertEntity(grid: number, id: string): void {
		const pending = this.pending(grid);
		if (pending.length === 0) return;
		const [row] = this.db.all<StoredRow>('SELECT pos, id, v FROM rows WHERE id = ?', id);
		if (row) this.convertRow(row, pending);
	}

	private pending(grid: number): Conversion[] {
		this.converting ??= new Set(
			this.db.all<{ grid_no: number }>('SELECT grid_no FROM conversions').map(({ grid_no }) => grid_no),
		);
		return this.converting.has(grid) ? conversionsOf(this.db, grid) : [];
	}

	private *convertAll(): Steps<void> {
		for (;;) {
			const [next] = this.db.all<ConversionRow>('SELECT * FROM conversions ORDER BY rowid LIMIT 1');
			if (!next) {
				types.clear();
				return;
			}
			yield* this.convert(next.grid_no, next.field_id);
		}
	}

	/**
	 * Converts the remaining values of a field. The field or its grid may be deleted during each
	 * pause.
	 */
	private *convert(grid: number, fieldId: string): Steps<void> {
		for (;;) {
			const conversion = conversionsOf(this.db, grid).find((one) => one.fieldId === fieldId);
			if (!conversion) return;
			const rows = this.db.all<StoredRow>(
				'SELECT pos, id, v FROM rows WHERE pos >= ? AND pos < ? ORDER BY pos LIMIT ?',
				conversion.done,
				conversion.until,
				ROWS_PER_STEP,
			);
			for (const row of rows) this.convertRow(row, [conversion]);
			const last = rows.at(-1);
			if (last) this.db.run('UPDATE conversions SET done = ? WHERE field_id = ?', last.pos + 1, fieldId);
			else {
				this.db.run('DELETE FROM conversions WHERE field_id = ?', fieldId);
				this.converting = undefined;
			}
			yield;
		}
	}

	private convertRow(row: StoredRow, pending: readonly Conversion[]): void {
		let values: Record<string, Value> = readValues(row.v);
		for (const { fieldId, gridNo, userId, type, done, until } of pending) {
			const oldValue = values[fieldId] ?? null;
			if (oldValue === null || row.pos < done || row.pos >= until) continue;
			const newValue = convertValue(fieldOf(fieldId, type), oldValue);
			if (JSON.stringify(newValue) === JSON.stringify(oldValue)) continue;
			values = { ...values, [fieldId]: newValue };
			const at = this.events.nextTimestamp(gridNo);
			this.storedRows.update(gridNo, row, values, [fieldId]);
			const changes = [{ fieldId, oldValue, newValue }];
			this.events.append(gridNo, { at, type: 'updated', entityId: row.id, userId, changes });
		}
	}
}
