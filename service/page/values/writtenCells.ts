import { messageOf, read, Refusal } from '../session/api';
import * as schemas from '../session/schemas';
import type { Column, Link, Row } from '../session/schemas';
import { textOf } from './cells';

/** Whether two values of a cell are equal. */
export const isSame = (one: unknown, other: unknown) =>
	JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
const shown = (field: Column, value: unknown) => `“${textOf(field, value).slice(0, 100)}”`;

/** Whether an error concerns the sent values, not the connection or the login. */
const isRefusal = (error: unknown) => error instanceof Refusal && [400, 403, 404].includes(error.status);

/** A change of a cell. */
export interface CellChange {
	readonly field: Column;
	readonly before: unknown;
	readonly after: unknown;
}

/** A cell that was not written. */
export type KeptCell = CellChange & { readonly reason: string };

/**
 * The words for a refused value: the service names a column that was deleted by its id.
 * @param fields of the values that were sent
 */
export function worded(error: unknown, fields: readonly Column[]) {
	const unknown = error instanceof Refusal ? error.details.unknown : undefined;
	const gone = fields.find(({ id }) => id === unknown);
	if (!gone) return { message: messageOf(error), fieldId: undefined };
	const message = `The column “${gone.name}” was deleted in the meantime, so its value cannot be stored. Reload the page`;
	return { message, fieldId: gone.id };
}

/** Sends cells together; if refused, one by one, so that an invalid cell does not block others. */
async function sendCells(row: Row, cells: readonly CellChange[], kept: KeptCell[]): Promise<Row | undefined> {
	const [first] = cells;
	try {
		const body = Object.fromEntries(cells.map(({ field, after }) => [field.id, after]));
		return await read(row._links.update, schemas.row, { body });
	} catch (error) {
		if (!isRefusal(error)) throw error;
		if (first && cells.length === 1) {
			kept.push({ ...first, reason: worded(error, [first.field]).message });
			return undefined;
		}
	}
	let entity: Row | undefined;
	for (const cell of cells) entity = (await sendCells(row, [cell], kept)) ?? entity;
	return entity;
}

/** Reads a row; undefined if it was deleted. */
export async function rowIfThere(self: Link): Promise<Row | undefined> {
	try {
		return await read(self, schemas.row);
	} catch (error) {
		if (error instanceof Refusal && error.status === 404) return undefined;
		throw error;
	}
}

/**
 * Writes cells of a row, except those that somebody else changed in the meantime.
 * @param self the link to the row
 * @param cells `{ field, before, after }` each
 * @returns the row in its new state, the written cells with their new values, and the unchanged
 * ones, each with a reason
 */
export async function writeCells(self: Link, cells: readonly CellChange[]) {
	const kept: KeptCell[] = [];
	const row = await rowIfThere(self);
	const keep = (cell: CellChange, reason: string) => {
		kept.push({ ...cell, reason });
	};
	for (const cell of cells) {
		const { field, before } = cell;
		if (!row) keep(cell, 'the row was deleted in the meantime');
		else if (!row._links.update) keep(cell, 'you may not change this row');
		else if (!isSame(row[field.id], before)) keep(cell, `was changed to ${shown(field, row[field.id])} in the meantime`); // prettier-ignore
	}
	const free = cells.filter(({ field }) => !kept.some((one) => one.field === field));
	const entity = row && free.length > 0 ? await sendCells(row, free, kept) : undefined;
	const written = free.filter(({ field }) => !kept.some((one) => one.field === field));
	return {
		entity: entity ?? row,
		kept,
		written: entity ? written.map((cell) => ({ ...cell, after: entity[cell.field.id] })) : [],
	};
}
