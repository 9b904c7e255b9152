import { badRequest } from '../../rules/errors';
import { LIMITS, sizeText } from '../../rules/limits';
import { fieldTypeSchema, type Field, type FieldType } from '../../rules/fieldTypes';
import type { Database } from '../files/database';
import { RecordCache } from '../recordCache';
import { newFieldId } from '../ids';
import { readColumn } from '../json';
import { isStorable, lengthOf } from '../../rules/text';
import { keyFor } from './spaces';

export interface NewField {
	readonly name: string;
	readonly key?: string | undefined;
	readonly description?: string | null | undefined;
	/** 0-based position; at the end if omitted. */
	readonly position?: number | undefined;
	readonly type: FieldType;
}

/** Members to update. */
export interface FieldChange {
	readonly name?: string | undefined;
	readonly key?: string | undefined;
	readonly description?: string | null | undefined;
	readonly type?: FieldType | undefined;
}

interface FieldRow {
	id: string;
	name: string;
	key: string;
	description: string | null;
	type: string;
}

interface RemovedRow extends FieldRow {
	position: number;
	removed_at: number;
}

/** A deleted field. */
export interface RemovedField {
	readonly field: Field;
	readonly position: number;
	/** Milliseconds since 1970. */
	readonly removedAt: number;
}

/** Names that layouts reserve, and one that is not an ordinary member of JavaScript objects. */
const reserved = new Set(['_id', '_representation', '_links', '_embedded', '__proto__']);

/** @throws ServiceError 400 for too many fields */
function checkFieldCount(count: number): void {
	if (count > LIMITS.fields) throw badRequest(`A grid has at most ${LIMITS.fields} fields, not ${count}`);
}

const sizes = new WeakMap<FieldType, number>();

/** Size of the type and description of a field as JSON. */
function sizeOf({ type, description }: Field): number {
	const size = sizes.get(type) ?? Buffer.byteLength(JSON.stringify(type));
	sizes.set(type, size);
	return size + Buffer.byteLength(description ?? '');
}

const sizeOfAll = (fields: readonly Field[]): number => fields.reduce((sum, one) => sum + sizeOf(one), 0);

/** What the fields of a grid take from further ones. */
class Taken {
	readonly id = new Set<string>();
	readonly name = new Set<string>();
	readonly key = new Set<string>();
	/** Keys derived from names (see keyFor). */
	readonly derived = new Map<string, number>();
	bytes = 0;

	constructor(fields: readonly Field[]) {
		for (const field of fields) this.add(field);
	}

	add(field: Field): void {
		for (const what of ['id', 'name', 'key'] as const) this[what].add(field[what]);
		this.bytes += sizeOf(field);
	}
}

/** The fields of each grid, in schema order. */
export class Fields {
	/** Cached, because every request needs them. */
	private readonly cache: RecordCache<number, readonly Field[]>;

	constructor(private readonly db: Database) {
		this.cache = new RecordCache(db, sizeOfAll);
	}

	list(grid: number): readonly Field[] {
		return this.cache.get(grid, () => this.read(grid));
	}

	private read(grid: number): readonly Field[] {
		return this.db
			.all<FieldRow>(
				'SELECT id, name, key, description, type FROM fields WHERE grid_no = ? ORDER BY position',
				grid,
			)
			.map((row) => ({ ...row, type: readColumn(fieldTypeSchema, row.type) }));
	}

	/** @throws ServiceError 400 if the name or key is taken within the grid */
	add(grid: number, given: NewField): Field {
		return this.db.transaction(() => {
			const fields = this.list(grid);
			checkFieldCount(fields.length + 1);
			const field = this.planned(new Taken(fields), given);
			const position = Math.min(given.position ?? fields.length, fields.length);
			this.makeRoom(grid, position);
			this.insert(grid, field, position);
			return field;
		});
	}

	/**
	 * Prepares the fields of a grid to be filled, with IDs; `addPlanned` writes them.
	 * @throws ServiceError 400 if names or keys are not unique
	 */
	plan(given: readonly NewField[]): Field[] {
		const taken = new Taken([]);
		return given.map((one) => {
			const field = this.planned(taken, one);
			taken.add(field);
			return field;
		});
	}

	/** Writes the fields of a new grid. */
	addPlanned(grid: number, fields: readonly Field[]): void {
		fields.forEach((field, position) => {
			this.insert(grid, field, position);
		});
	}

	/** @throws ServiceError 400 if the new name or key is taken */
	update(grid: number, field: Field, change: FieldChange): Field {
		return this.db.transaction(() => {
			const next: Field = {
				id: field.id,
				name: change.name ?? field.name,
				key: change.key ?? field.key,
				description: change.description === undefined ? field.description : change.description,
				type: change.type ?? field.type,
			};
			this.check(new Taken(this.list(grid).filter(({ id }) => id !== field.id)), next);
			this.db.run(
				'UPDATE fields SET name = ?, key = ?, description = ?, type = ? WHERE id = ?',
				next.name,
				next.key,
				next.description,
				JSON.stringify(next.type),
				field.id,
			);
			this.cache.forget(grid);
			return next;
		});
	}

	/**
	 * Deletes a field. Its values remain in the history, and in the rows for `restore`.
	 * @param isRestorable whether all its values have its type
	 */
	remove(grid: number, field: Field, isRestorable: boolean): void {
		this.db.transaction(() => {
			if (isRestorable)
				this.db.run(
					`INSERT INTO removed_fields
					 SELECT id, grid_no, position, name, key, description, type, ? FROM fields WHERE id = ?`,
					Date.now(),
					field.id,
				);
			this.db.run('DELETE FROM fields WHERE id = ?', field.id);
			this.cache.forget(grid);
			this.list(grid).forEach((one, index) =>
				this.db.run('UPDATE fields SET position = ? WHERE id = ?', index, one.id),
			);
		});
	}

	/** The deleted fields of a grid that can be restored, newest first. */
	removed(grid: number): RemovedField[] {
		return this.db
			.all<RemovedRow>(
				'SELECT * FROM removed_fields WHERE grid_no = ? ORDER BY removed_at DESC, id LIMIT ?',
				grid,
				LIMITS.fields,
			)
			.map(({ removed_at: removedAt, position, id, name, key, description, type }) => ({
				field: { id, name, key, description, type: readColumn(fieldTypeSchema, type) },
				position,
				removedAt,
			}));
	}

	/**
	 * Restores a deleted field with the values of the rows that still exist.
	 * @returns it; undefined if there is none
	 * @throws ServiceError 400 if its name or key is taken
	 */
	restore(grid: number, id: string): Field | undefined {
		return this.db.transaction(() => {
			const removed = this.removed(grid).find(({ field }) => field.id === id);
			if (!removed) return undefined;
			const fields = this.list(grid);
			checkFieldCount(fields.length + 1);
			this.check(new Taken(fields), removed.field);
			this.db.run('DELETE FROM removed_fields WHERE id = ?', id);
			this.makeRoom(grid, Math.min(removed.position, fields.length));
			this.insert(grid, removed.field, Math.min(removed.position, fields.length));
			return removed.field;
		});
	}

	/** Moves the fields from a position on, for another one. */
	private makeRoom(grid: number, position: number): void {
		this.db.run(
			'UPDATE fields SET position = position + 1 WHERE grid_no = ? AND position >= ?',
			grid,
			position,
		);
	}

	private planned(taken: Taken, given: NewField): Field {
		const key = given.key ?? keyFor(given.name, (candidate) => taken.key.has(candidate), taken.derived);
		const { name, description = null, type } = given;
		const isTaken = (candidate: string) =>
			this.db.has(
				'SELECT 1 FROM fields WHERE id = ?1 UNION ALL SELECT 1 FROM removed_fields WHERE id = ?1',
				candidate,
			);
		const field = { id: newFieldId(isTaken), name, key, description, type };
		this.check(taken, field);
		return field;
	}

	private insert(grid: number, { id, name, key, description, type }: Field, position: number): void {
		this.db.run(
			'INSERT INTO fields (id, grid_no, position, name, key, description, type) VALUES (?, ?, ?, ?, ?, ?, ?)',
			id,
			grid,
			position,
			name,
			key,
			description,
			JSON.stringify(type),
		);
		this.cache.forget(grid);
	}

	/** Drops cached data of a deleted grid. */
	forget(grid: number): void {
		this.cache.forget(grid);
	}

	private check(taken: Taken, candidate: Field): void {
		for (const what of ['name', 'key'] as const) {
			if (!isStorable(candidate[what]) || lengthOf(candidate[what]) > LIMITS.textLength)
				throw badRequest(
					`The ${what} of a field must have at most ${LIMITS.textLength} characters and contain neither NUL nor a lone surrogate`,
				);
			if (reserved.has(candidate[what]))
				throw badRequest(`A field cannot have the ${what} "${candidate[what]}"`);
			if (taken[what].has(candidate[what])) {
				throw badRequest(`There is already a field with the ${what} "${candidate[what]}" in this grid`);
			}
		}
		if (taken.bytes + sizeOf(candidate) > LIMITS.schemaBytes)
			throw badRequest(
				`The types and descriptions of the fields of a grid have at most ${sizeText(LIMITS.schemaBytes)} as JSON`,
			);
		// In the layout keyAndField, a key that equals another field's ID would be ambiguous
		// (§2.7).
		if (taken.id.has(candidate.key) || taken.key.has(candidate.id))
			throw badRequest('The key of a field cannot be the ID of another field');
	}
}
