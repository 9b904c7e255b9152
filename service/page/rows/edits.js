import { send } from '../session/api.js';
import { textOf } from '../values/cells.js';

const MAX_KEPT = 100;

const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
const shown = (field, value) => `“${textOf(field, value).slice(0, 100)}”`;

/** Refusals that concern what was sent, not the connection or the login. */
const isRefusal = ({ status }) => status === 400 || status === 403 || status === 404;

/** Sends cells together; if that is refused, one by one, so that one wrong cell keeps no other. */
async function sendCells(row, cells, kept) {
	try {
		const body = Object.fromEntries(cells.map(({ field, after }) => [field.id, after]));
		return await send(row._links.update, { body });
	} catch (error) {
		if (!isRefusal(error)) throw error;
		if (cells.length === 1) {
			kept.push({ ...cells[0], reason: error.message });
			return undefined;
		}
	}
	let entity;
	for (const cell of cells) entity = (await sendCells(row, [cell], kept)) ?? entity;
	return entity;
}

/**
 * Writes cells of a row, but none that somebody else changed meanwhile.
 * @param self the link to the row
 * @param cells `{ field, before, after }` each
 * @returns the row in its new state, the cells written with the values they have now, and those
 * kept as they are, each with a reason
 */
export async function writeCells(self, cells) {
	const kept = [];
	const row = await send(self).catch((error) => {
		if (error.status !== 404) throw error;
	});
	const keep = (cell, reason) => kept.push({ ...cell, reason });
	for (const cell of cells) {
		const { field, before } = cell;
		if (!row) keep(cell, 'the row was deleted meanwhile');
		else if (!row._links.update) keep(cell, 'you may not change this row');
		else if (!isSame(row[field.id], before)) keep(cell, `was changed to ${shown(field, row[field.id])} meanwhile`); // prettier-ignore
	}
	const free = cells.filter(({ field }) => !kept.some((one) => one.field === field));
	const entity = free.length > 0 ? await sendCells(row, free, kept) : undefined;
	const written = free.filter(({ field }) => !kept.some((one) => one.field === field));
	return {
		entity: entity ?? row,
		kept,
		written: entity ? written.map((cell) => ({ ...cell, after: entity[cell.field.id] })) : [],
	};
}

/** The last edits of this person in an open grid, to be undone. */
export class Edits {
	kept = [];

	/** @param changed called when there is more or less to undo */
	constructor(changed) {
		this.changed = changed;
	}

	/**
	 * @param edit `rows`, each with `self` and the `cells` that were written, and `made`, the rows
	 * that were added, as they were then
	 */
	add({ rows = [], made = [] }) {
		const changes = rows.filter(({ cells }) => cells.length > 0);
		if (changes.length === 0 && made.length === 0) return;
		this.kept.push({ rows: changes, made });
		if (this.kept.length > MAX_KEPT) this.kept.shift();
		this.changed();
	}

	get isEmpty() {
		return this.kept.length === 0;
	}

	/**
	 * Takes back the last edit, but no cell or row that somebody changed after it.
	 * @param fields the columns of the grid
	 * @returns how many cells and rows went back, and what stayed, each with a reason
	 */
	async undo(fields) {
		const edit = this.kept.at(-1);
		const result = { cells: 0, rows: 0, stayed: [] };
		for (const { self, cells } of edit.rows) {
			const back = cells.map(({ field, before, after }) => ({ field, before: after, after: before }));
			const { written, kept } = await writeCells(self, back);
			result.cells += written.length;
			result.stayed.push(...kept);
		}
		for (const row of edit.made) await takeBack(row, fields, result);
		this.kept = this.kept.filter((one) => one !== edit);
		this.changed();
		return result;
	}
}

/** Deletes a row that was added, if it still is as it was then. */
async function takeBack(before, fields, result) {
	const row = await send(before._links.self).catch((error) => {
		if (error.status !== 404) throw error;
	});
	if (!row) return;
	const changed = fields.find(({ id }) => !isSame(row[id], before[id]));
	if (changed) {
		result.stayed.push({ field: changed, reason: 'was filled in meanwhile, so the added row stays' });
		return;
	}
	await send(row._links.remove);
	result.rows += 1;
}
