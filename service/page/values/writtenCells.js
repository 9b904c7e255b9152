import { send } from '../session/api';
import { textOf } from './cells';

/** Whether two values of a cell are equal. */
export const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
const shown = (field, value) => `“${textOf(field, value).slice(0, 100)}”`;

/** Whether an error concerns the sent values, not the connection or the login. */
const isRefusal = ({ status }) => status === 400 || status === 403 || status === 404;

/**
 * The words for a refused value: the service names a column that was deleted by its id.
 * @param fields of the values that were sent
 */
export function worded(error, fields) {
	const gone = fields.find(({ id }) => id === error.details?.unknown);
	if (!gone) return error;
	const message = `The column “${gone.name}” was deleted in the meantime, so its value cannot be stored. Reload the page`;
	return Object.assign(new Error(message), { status: error.status, fieldId: gone.id });
}

/** Sends cells together; if refused, one by one, so that an invalid cell does not block others. */
async function sendCells(row, cells, kept) {
	try {
		const body = Object.fromEntries(cells.map(({ field, after }) => [field.id, after]));
		return await send(row._links.update, { body });
	} catch (error) {
		if (!isRefusal(error)) throw error;
		if (cells.length === 1) {
			kept.push({ ...cells[0], reason: worded(error, [cells[0].field]).message });
			return undefined;
		}
	}
	let entity;
	for (const cell of cells) entity = (await sendCells(row, [cell], kept)) ?? entity;
	return entity;
}

/**
 * Writes cells of a row, except those that somebody else changed in the meantime.
 * @param self the link to the row
 * @param cells `{ field, before, after }` each
 * @returns the row in its new state, the written cells with their new values, and the unchanged
 * ones, each with a reason
 */
export async function writeCells(self, cells) {
	const kept = [];
	const row = await send(self).catch((error) => {
		if (error.status !== 404) throw error;
	});
	const keep = (cell, reason) => kept.push({ ...cell, reason });
	for (const cell of cells) {
		const { field, before } = cell;
		if (!row) keep(cell, 'the row was deleted in the meantime');
		else if (!row._links.update) keep(cell, 'you may not change this row');
		else if (!isSame(row[field.id], before)) keep(cell, `was changed to ${shown(field, row[field.id])} in the meantime`); // prettier-ignore
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
