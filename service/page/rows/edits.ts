import { counted, shown } from '../elements/dom';
import { read, send } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, Link, Row, RowEvent } from '../session/schemas';
import { isComputed, textOf } from '../values/cells';
import { isSame, rowIfThere, writeCells, type CellChange } from '../values/writtenCells';

const MAX_KEPT = 100;

/** Written cells of a row. */
export interface WrittenRow {
	readonly self: Link;
	readonly cells: readonly CellChange[];
}

/** What one action of a person did. */
interface Edit {
	readonly rows: readonly WrittenRow[];
	/** Added rows with their original values. */
	readonly made: readonly Row[];
	/** Deleted rows as they were read. */
	readonly removed: Row[];
	/** A change of a column. */
	readonly structure: Structure | undefined;
}

interface Structure {
	readonly name: string;
	/** @returns what it did */
	readonly takeBack: () => Promise<string>;
}

/** What an undo did, and what it did not, each with a reason. */
interface Undone {
	cells: number;
	rows: number;
	restored: number;
	structure?: string;
	readonly stayed: string[];
}

/** The last edits of this user in an open grid, for Undo. */
export class Edits {
	private kept: Edit[] = [];
	private undoing: Promise<unknown> = Promise.resolve();

	/** @param changed called when the list of edits changes */
	constructor(private readonly changed: () => void) {}

	add({ rows = [], made = [], removed = [], structure }: Partial<Edit>) {
		const changes = rows.filter(({ cells }) => cells.length > 0);
		if (changes.length + made.length + removed.length === 0 && !structure) return;
		this.kept.push({ rows: changes, made, removed, structure });
		if (this.kept.length > MAX_KEPT) this.kept.shift();
		this.changed();
	}

	get isEmpty(): boolean {
		return this.kept.length === 0;
	}

	/** Describes the next undo. */
	get next() {
		const edit = this.kept.at(-1);
		if (!edit) return 'There is nothing to undo';
		const { rows, made, removed, structure } = edit;
		const cells = rows.reduce((sum, row) => sum + row.cells.length, 0);
		const parts = shown([
			cells > 0 && counted(cells, 'changed cell'),
			made.length > 0 && counted(made.length, 'added row'),
			removed.length > 0 && counted(removed.length, 'deleted row'),
			structure?.name,
		]);
		return `Undo: ${parts.join(', ')} (Ctrl+Z)`;
	}

	/**
	 * Undoes the last edit, except for cells and rows that somebody changed later.
	 * @param fields the columns of the grid
	 * @returns numbers of restored cells and rows, and what was not undone, each with a reason
	 */
	undo(fields: readonly Column[]): Promise<Undone> {
		// In sequence, because two simultaneous calls would undo the same edit.
		const undone = this.undoing.catch(() => undefined).then(() => this.takeBackLast(fields));
		this.undoing = undone;
		return undone;
	}

	private async takeBackLast(fields: readonly Column[]) {
		const edit = this.kept.at(-1);
		const result: Undone = { cells: 0, rows: 0, restored: 0, stayed: [] };
		if (!edit) return result;
		if (edit.structure) result.structure = await edit.structure.takeBack();
		for (const { self, cells } of edit.rows) {
			const back = cells.map(({ field, before, after }) => ({ field, before: after, after: before }));
			const { written, kept } = await writeCells(self, back);
			result.cells += written.length;
			result.stayed.push(...kept.map(({ field, reason }) => `${field.name} ${reason}`));
		}
		for (const row of edit.made) await takeBack(row, fields, result);
		// A restored row is removed from the edit at once, so that a retry does not restore it twice.
		for (let [row] = edit.removed; row; [row] = edit.removed) {
			await restore(row, fields, result);
			edit.removed.shift();
		}
		this.kept = this.kept.filter((one) => one !== edit);
		this.changed();
		return result;
	}
}

/** Deletes an added row if nobody has changed it. */
async function takeBack(before: Row, fields: readonly Column[], result: Undone) {
	const row = await rowIfThere(before._links.self);
	if (!row) return;
	const changed = fields.find((field) => !isComputed(field) && !isSame(row[field.id], before[field.id]));
	if (changed) {
		result.stayed.push(`${changed.name} was filled in since then, so the added row stays`);
		return;
	}
	await send(row._links.remove);
	result.rows += 1;
}

/** Brings a deleted row back, so that links to it work again. */
async function restore({ _links }: Row, fields: readonly Column[], result: Undone) {
	const { items } = await read(_links.events, schemas.pageOf(schemas.event), { query: { pageSize: 1 } });
	const [last] = items;
	if (last?.type !== 'deleted' || !last._links.restore) {
		result.stayed.push(`The deleted row is not restored: ${last?.type === 'deleted' ? 'you may not do that here' : 'its history no longer contains it'}`); // prettier-ignore
		return;
	}
	result.stayed.push(...(await restoreRow(last, fields)).stayed);
	result.restored += 1;
}

/**
 * Brings back the row of a deletion event.
 * @returns the row, and which of its values no longer fit
 * @throws Error with the refusal of the service
 */
export async function restoreRow({ changes, _links }: RowEvent, fields: readonly Column[]) {
	const row = await read(_links.restore, schemas.row);
	const stayed = changes.flatMap(({ fieldId, oldValue }) => {
		const field = fields.find(({ id }) => id === fieldId);
		if (!field || isComputed(field) || oldValue === null || !isSame(row[fieldId], null)) return [];
		return [`${field.name}: “${textOf(field, oldValue)}” no longer fits the column`];
	});
	const gone = changes.filter(({ fieldId, oldValue }) => oldValue !== null && !fields.some(({ id }) => id === fieldId)); // prettier-ignore
	if (gone.length > 0)
		stayed.push(`${counted(gone.length, 'value')} of the row had a column that no longer exists here`);
	return { row, stayed };
}
