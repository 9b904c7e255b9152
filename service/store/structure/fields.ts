import { badRequest } from '../../rules/errors';
import { fieldTypeSchema, type Field, type FieldType } from '../../rules/fieldTypes';
import type { Database } from '../files/database';
import { newFieldId } from '../ids';
import { readColumn } from '../json';
import { MAX_TEXT_LENGTH, isStorable, lengthOf } from '../../rules/text';
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

/** Names that layouts reserve, and one that is not an ordinary member of JavaScript objects. */
const reserved = new Set(['_id', '_representation', '_links', '_embedded', '__proto__']);

/** Maximum number of fields of a grid. */
const MAX_FIELDS = 1000;

/** @throws ServiceError 400 for too many fields */
export function checkFieldCount(count: number): void {
	if (count > MAX_FIELDS) throw badRequest(`A grid has at most ${MAX_FIELDS} fields, not ${count}`);
}

/** The fields of each grid, in schema order. */
export class Fields {
	/** Cached, because every request needs them. */
	private readonly cache = new Map<number, readonly Field[]>();

	constructor(private readonly db: Database) {
		db.onRollback(() => {
			this.cache.clear();
		});
	}

	list(grid: number): readonly Field[] {
		let fields = this.cache.get(grid);
		if (!fields) {
			fields = this.db
				.all<FieldRow>(
					'SELECT id, name, key, description, type FROM fields WHERE grid_no = ? ORDER BY position',
					grid,
				)
				.map((row) => ({ ...row, type: readColumn(fieldTypeSchema, row.type) }));
			this.cache.set(grid, fields);
		}
		return fields;
	}

	/** @throws ServiceError 400 if the name or key is taken within the grid */
	add(grid: number, given: NewField): Field {
		return this.db.transaction(() => {
			const fields = this.list(grid);
			checkFieldCount(fields.length + 1);
			const field = this.planned(fields, given);
			const position = Math.min(given.position ?? fields.length, fields.length);
			this.db.run(
				'UPDATE fields SET position = position + 1 WHERE grid_no = ? AND position >= ?',
				grid,
				position,
			);
			this.insert(grid, field, position);
			return field;
		});
	}

	/**
	 * Prepares the fields of a grid to be filled, with IDs; `addPlanned` writes them.
	 * @throws ServiceError 400 if names or keys are not unique
	 */
	plan(given: readonly NewField[]): Field[] {
		return given.reduce<Field[]>((fields, one) => [...fields, this.planned(fields, one)], []);
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
			this.check(this.list(grid), next);
			this.db.run(
				'UPDATE fields SET name = ?, key = ?, description = ?, type = ? WHERE id = ?',
				next.name,
				next.key,
				next.description,
				JSON.stringify(next.type),
				field.id,
			);
			this.cache.delete(grid);
			return next;
		});
	}

	/** Deletes a field; its values remain in the history only. */
	remove(grid: number, field: Field): void {
		this.db.transaction(() => {
			this.db.run('DELETE FROM fields WHERE id = ?', field.id);
			this.cache.delete(grid);
			this.list(grid).forEach((one, index) =>
				this.db.run('UPDATE fields SET position = ? WHERE id = ?', index, one.id),
			);
		});
	}

	private planned(fields: readonly Field[], given: NewField): Field {
		// A set, because 1,000 similar names try half a million keys.
		const keys = new Set(fields.map((field) => field.key));
		const key = given.key ?? keyFor(given.name, (candidate) => keys.has(candidate));
		const { name, description = null, type } = given;
		const isTaken = (candidate: string) => this.db.has('SELECT 1 FROM fields WHERE id = ?', candidate);
		const field = { id: newFieldId(isTaken), name, key, description, type };
		this.check(fields, field);
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
		this.cache.delete(grid);
	}

	/** Drops cached data of a deleted grid. */
	forget(grid: number): void {
		this.cache.delete(grid);
	}

	private check(fields: readonly Field[], candidate: Field): void {
		const others = fields.filter((field) => field.id !== candidate.id);
		for (const what of ['name', 'key'] as const) {
			if (!isStorable(candidate[what]) || lengthOf(candidate[what]) > MAX_TEXT_LENGTH)
				throw badRequest(
					`The ${what} of a field must have at most ${MAX_TEXT_LENGTH} characters and contain neither NUL nor a lone surrogate`,
				);
			if (reserved.has(candidate[what]))
				throw badRequest(`A field cannot have the ${what} "${candidate[what]}"`);
			if (others.some((field) => field[what] === candidate[what])) {
				throw badRequest(`There is already a field with the ${what} "${candidate[what]}" in this grid`);
			}
		}
		// In the layout keyAndField, a key that equals another field's ID would be ambiguous
		// (§2.7).
		if (others.some((field) => field.id === candidate.key))
			throw badRequest('The key of a field cannot be the ID of another field');
	}
}
