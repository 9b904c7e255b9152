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
import { complete, type Slices, type Steps } from '../files/slices';

/** Grids up to this size are converted at once, within the request that changes the type. */
const MAX_ROWS_AT_ONCE = 1000;
/** Rows between two points at which a slice may end: some milliseconds. */
const ROWS_PER_STEP = 64;

/**
 * A field whose type was changed: the rows from `done` to `until` still hold values of the former
 * type.
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

/**
 * Types by their JSON: parsed once for all rows, so that the schema of their values is built once.
 */
const types = new Map<string, FieldType>();

function typeOf(json: string): FieldType {
	const known = types.get(json);
	if (known) return known;
	const type = readColumn(fieldTypeSchema, json);
	types.clear();
	types.set(json, type);
	return type;
}

/** The values of a row with one of them converted, as JSON: a function for the SQL of `rowsOf`. */
function converted(json: SqlValue, fieldId: SqlValue, type: SqlValue): SqlValue {
	if (typeof json !== 'string' || typeof fieldId !== 'string' || typeof type !== 'string') return json;
	const values = readValues(json);
	const before = values[fieldId] ?? null;
	const after = convertValue(fieldOf(fieldId, typeOf(type)), before);
	return before === after ? json : JSON.stringify({ ...values, [fieldId]: after });
}

const conversionsOf = (reader: Reader, grid: number): Conversion[] =>
	reader.all<ConversionRow>('SELECT * FROM conversions WHERE grid_no = ?', grid).map(toConversion);

/** Whether stored values of this field may still be of its former type. */
export const isConverting = (reader: Reader, grid: number, fieldId: string): boolean =>
	conversionsOf(reader, grid).some((one) => one.fieldId === fieldId);

/**
 * The table to read the entities of a grid from. While a type is being changed it shows every value
 * in the new type, whether it was converted already or not.
 */
export function rowsOf(reader: Reader, grid: number): string {
	const pending = conversionsOf(reader, grid);
	if (pending.length === 0) return `rows_${grid}`;
	const values = pending.reduce((v, { fieldId, until }) => {
		const record = `FROM conversions WHERE field_id = '${fieldId}'`;
		return `CASE WHEN pos >= (SELECT done ${record}) AND pos < ${until} THEN converted(${v}, '${fieldId}', (SELECT type ${record})) ELSE ${v} END`;
	}, 'v');
	return `(SELECT pos, id, at, by, ${values} AS v FROM rows_${grid})`;
}

/**
 * Changes of types in grids of any size. The change itself is one small transaction: from then on
 * everybody reads and writes values of the new type. Stored values follow in slices between other
 * requests, each with its event; what a killed process left is done by the next.
 */
export class Conversions {
	private readonly work: BackgroundWork;

	/** @param onFault told when a slice failed; it is tried again later */
	constructor(
		private readonly db: Database,
		private readonly events: Events,
		slices: Slices,
		onFault: (error: unknown) => void,
	) {
		db.define('converted', converted);
		this.work = new BackgroundWork(slices, () => this.convertAll(), onFault);
	}

	/** @throws ServiceError 503 while an earlier change of this field goes on */
	refusePending(grid: number, field: Field): void {
		if (isConverting(this.db, grid, field.id))
			throw unavailable(
				`The values of "${field.name}" are still being converted to its type: try again soon`,
			);
	}

	/**
	 * Call within the transaction that changes the type.
	 * @param end one past the last position of the grid
	 */
	begin(grid: number, { id, type }: Field, userId: string, end: number): void {
		this.db.run(
			'INSERT INTO conversions (field_id, grid_no, user_id, type, done, until) VALUES (?, ?, ?, ?, 0, ?)',
			id,
			grid,
			userId,
			JSON.stringify(type),
			end,
		);
		if (end > MAX_ROWS_AT_ONCE) this.resume();
		else complete(this.convert(grid, id));
	}

	/** Goes on with what is not done yet, between other requests. */
	resume(): void {
		this.work.wake();
	}

	/** Writes an entity in the new types before it is changed, so that its history tells both. */
	settle(grid: number, id: string): void {
		const pending = conversionsOf(this.db, grid);
		if (pending.length === 0) return;
		const [row] = this.db.all<StoredRow>(`SELECT pos, id, v FROM rows_${grid} WHERE id = ?`, id);
		if (row) this.settleRow(row, pending);
	}

	private *convertAll(): Steps<void> {
		for (;;) {
			const [next] = this.db.all<ConversionRow>('SELECT * FROM conversions ORDER BY rowid LIMIT 1');
			if (!next) return;
			yield* this.convert(next.grid_no, next.field_id);
		}
	}

	/** Converts what is left of a field. At each pause the field or its grid may go. */
	private *convert(grid: number, fieldId: string): Steps<void> {
		for (;;) {
			const conversion = conversionsOf(this.db, grid).find((one) => one.fieldId === fieldId);
			if (!conversion) return;
			const rows = this.db.all<StoredRow>(
				`SELECT pos, id, v FROM rows_${grid} WHERE pos >= ? AND pos < ? ORDER BY pos LIMIT ?`,
				conversion.done,
				conversion.until,
				ROWS_PER_STEP,
			);
			for (const row of rows) this.settleRow(row, [conversion]);
			const last = rows.at(-1);
			if (last) this.db.run('UPDATE conversions SET done = ? WHERE field_id = ?', last.pos + 1, fieldId);
			else this.db.run('DELETE FROM conversions WHERE field_id = ?', fieldId);
			yield;
		}
	}

	private settleRow(row: StoredRow, pending: readonly Conversion[]): void {
		let values: Record<string, Value> = readValues(row.v);
		for (const { fieldId, gridNo, userId, type, done, until } of pending) {
			const oldValue = values[fieldId] ?? null;
			if (oldValue === null || row.pos < done || row.pos >= until) continue;
			const newValue = convertValue(fieldOf(fieldId, type), oldValue);
			if (JSON.stringify(newValue) === JSON.stringify(oldValue)) continue;
			// Empty cells are not stored.
			const kept = Object.entries({ ...values, [fieldId]: newValue }).filter(([, value]) => value !== null);
			values = Object.fromEntries(kept);
			const at = this.events.tick(gridNo);
			this.db.run(`UPDATE rows_${gridNo} SET v = ? WHERE pos = ?`, JSON.stringify(values), row.pos);
			this.events.append(gridNo, at, 'updated', row.id, userId, [{ fieldId, oldValue, newValue }]);
		}
	}
}
