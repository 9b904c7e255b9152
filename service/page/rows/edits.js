import { counted } from '../elements/dom.js';
import { create, send } from '../session/api.js';
import { isComputed } from '../values/cells.js';
import { isRefusal, isSame, writeCells } from '../values/writtenCells.js';

const MAX_KEPT = 100;

/** The last edits of this user in an open grid, for Undo. */
export class Edits {
	kept = [];
	undoing = Promise.resolve();

	/** @param changed called when the list of edits changes */
	constructor(changed) {
		this.changed = changed;
	}

	/**
	 * @param edit `rows`: each with `id`, `self` and the written `cells`; `made`: added rows with
	 * their original values; `removed`: deleted rows as they were read; `structure`: a change of a
	 * column, with `name` and `takeBack()`, which returns what it did
	 */
	add({ rows = [], made = [], removed = [], structure }) {
		const changes = rows.filter(({ cells }) => cells.length > 0);
		if (changes.length + made.length + removed.length === 0 && !structure) return;
		this.kept.push({ rows: changes, made, removed, structure });
		if (this.kept.length > MAX_KEPT) this.kept.shift();
		this.changed();
	}

	get isEmpty() {
		return this.kept.length === 0;
	}

	/** Describes the next undo. */
	get next() {
		if (this.isEmpty) return 'There is nothing to undo';
		const { rows, made, removed, structure } = this.kept.at(-1);
		const cells = rows.reduce((sum, row) => sum + row.cells.length, 0);
		const parts = [
			cells > 0 && counted(cells, 'changed cell'),
			made.length > 0 && counted(made.length, 'added row'),
			removed.length > 0 && counted(removed.length, 'deleted row'),
			structure?.name,
		].filter(Boolean);
		return `Undo: ${parts.join(', ')} (Ctrl+Z)`;
	}

	/**
	 * Undoes the last edit, except for cells and rows that somebody changed later.
	 * @param fields the columns of the grid @param addEntity the link that adds a row
	 * @returns numbers of restored cells and rows, and what was not undone, each with a reason
	 */
	undo(fields, addEntity) {
		// In sequence, because two simultaneous calls would undo the same edit.
		this.undoing = this.undoing.catch(() => undefined).then(() => this.takeBackLast(fields, addEntity));
		return this.undoing;
	}

	async takeBackLast(fields, addEntity) {
		const edit = this.kept.at(-1);
		const result = { cells: 0, rows: 0, restored: 0, stayed: [] };
		if (!edit) return result;
		if (edit.structure) result.structure = await edit.structure.takeBack();
		for (const { self, cells } of edit.rows) {
			const back = cells.map(({ field, before, after }) => ({ field, before: after, after: before }));
			const { written, kept } = await writeCells(self, back);
			result.cells += written.length;
			result.stayed.push(...kept.map(({ field, reason }) => `${field.name} ${reason}`));
		}
		for (const row of edit.made) await takeBack(row, fields, result);
		// A restored row is removed from the edit at once, so that a retry does not add it twice.
		while (edit.removed.length > 0) {
			const [row] = edit.removed;
			const restored = await restore(row, fields, addEntity, result);
			edit.removed.shift();
			if (restored) this.moveTo(row._id, restored);
		}
		this.kept = this.kept.filter((one) => one !== edit);
		this.changed();
		return result;
	}

	/** Assigns earlier edits of a restored row to the new row. */
	moveTo(id, { _id, _links }) {
		for (const edit of this.kept) {
			edit.rows = edit.rows.map((row) => (row.id === id ? { ...row, id: _id, self: _links.self } : row));
			edit.made = edit.made.map((row) => (row._id === id ? { ...row, _id, _links } : row));
		}
	}
}

/** Deletes an added row if nobody has changed it. */
async function takeBack(before, fields, result) {
	const row = await send(before._links.self).catch((error) => {
		if (error.status !== 404) throw error;
	});
	if (!row) return;
	const changed = fields.find((field) => !isComputed(field) && !isSame(row[field.id], before[field.id]));
	if (changed) {
		result.stayed.push(`${changed.name} was filled in since then, so the added row stays`);
		return;
	}
	await send(row._links.remove);
	result.rows += 1;
}

/**
 * Adds a deleted row again, with its last values according to its history.
 * @returns the new row; undefined if it cannot be restored
 */
async function restore({ _links }, fields, addEntity, result) {
	const stays = (reason) => void result.stayed.push(`The deleted row is not restored: ${reason}`);
	if (!addEntity) return stays('you may not add rows here');
	const { items } = await send(_links.events, { query: { pageSize: 1 } });
	if (items[0]?.type !== 'deleted') return stays('its history no longer contains it');
	return addAgain(items[0], { fields, addEntity, result, stays });
}

/** Adds the row of a deletion event again. @param result counts it */
async function addAgain({ changes }, { fields, addEntity, result, stays }) {
	const fieldOf = ({ fieldId }) => fields.find(({ id }) => id === fieldId);
	const values = changes.filter((change) => fieldOf(change) && !isComputed(fieldOf(change)));
	const gone = changes.filter((change) => !fieldOf(change) && change.oldValue !== null).length;
	if (gone > 0)
		result.stayed.push(
			`${counted(gone, 'value')} of the deleted row had a column that no longer exists here`,
		);
	const body = Object.fromEntries(values.map(({ fieldId, oldValue }) => [fieldId, oldValue]));
	const href = await create(addEntity, { query: { layout: 'field' }, body }).catch((error) => {
		if (isRefusal(error)) return stays(error.message);
		throw new Error(`${error.message}. The deleted row may have been restored: check before you undo again`);
	});
	if (!href) return undefined;
	result.restored += 1;
	return send({ href, method: 'get' });
}

/**
 * Adds the row of a deletion event again.
 * @returns the new row, and what of it could not be restored
 * @throws Error with the refusal of the service
 */
export async function restoreRow(event, fields, addEntity) {
	const result = { restored: 0, stayed: [] };
	const stays = (reason) => {
		throw new Error(`The row is not restored: ${reason}`);
	};
	return { row: await addAgain(event, { fields, addEntity, result, stays }), stayed: result.stayed };
}
