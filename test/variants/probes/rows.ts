import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { same } from '../difference';
import { jsonSchema, without, type Json } from '../exchange';
import type { Cells, TrueRow } from '../truth';
import type { Trial } from '../trial';
import { byId } from '../../../testbed/world/parameters';

const record = z.record(z.string(), jsonSchema);

/** A moment in some spelling. */
export function momentSpelled(time: number, how: number): string {
	const iso = new Date(time).toISOString();
	return (
		[
			iso,
			iso.replace('.000Z', 'Z'),
			iso.replace('Z', '+00:00'),
			new Date(time + 7_200_000).toISOString().replace('.000Z', '+02:00'),
		][how % 4] ?? iso
	);
}

export const NOON = Date.UTC(2026, 2, 1, 12);

/** Cells of all types for a new row. */
export function newCells(trial: Trial): Cells {
	const { random } = trial;
	const number = random.below(1000);
	return {
		Article: trial.article(),
		Size: number,
		error: random.chance(0.5) ? 'none' : '',
		At: momentSpelled(NOON + number * 60_000, random.below(4)),
		Due: `2026-0${1 + random.below(9)}-1${random.below(9)}`,
		Price: number + 0.25,
		Open: random.chance(0.5),
		Kind: random.chance(0.5) ? 'new' : 'done',
		Tags: ['a', `b${number}`],
		Group: 'G-1',
		Note: random.chance(0.3) ? '' : `Line ${number}\nwith "signs" <&>`,
	};
}

/** Rows that are there before a run. @returns them as the grid holds them */
export async function someRows(trial: Trial, count: number): Promise<TrueRow[]> {
	await trial.grid.fill(Array.from({ length: count }, () => trial.kept(newCells(trial))));
	return await trial.grid.rows();
}

/**
 * The same cells in one spelling of moments and without what is unset, to be compared.
 */
export function comparable(trial: Trial, cells: Cells): Cells {
	const moment = cells['At'];
	// Numbers are milliseconds since 1970, or seconds, which are fewer than 1e11.
	const time = typeof moment === 'number' && moment < 1e11 ? moment * 1000 : moment;
	const isMoment = typeof time === 'string' || typeof time === 'number';
	const at = isMoment ? { At: new Date(time).toISOString() } : {};
	return trial.kept({ ...cells, ...at });
}

/** A cell that holds a text. */
export const textIn = (row: TrueRow, name: string): string => z.string().parse(row.cells[name]);

/**
 * A column as the nodes name it: one that n8n would take
 * for a failure has its key or id behind its name.
 */
export const columnNamed = (label: string): string =>
	label.replace(/^(error|json|binary|pairedItem) \(.*\)$/, '$1');

/** A row of output as a row of the grid. */
export function rowOf(trial: Trial, row: Json | undefined): TrueRow {
	const { _id, ...members } = record.parse(row);
	const cells = Object.fromEntries(
		Object.entries(without(members, '_outcome', '_changes', '_reasons')).map(([name, cell]) => [
			columnNamed(name),
			cell,
		]),
	);
	return { id: typeof _id === 'string' ? _id : '', cells: comparable(trial, cells) };
}

export const inOneSpelling = (trial: Trial, rows: readonly TrueRow[]): TrueRow[] =>
	rows.map(({ id, cells }) => ({ id, cells: comparable(trial, cells) }));

/**
 * Compares rows of the grid with what they have to be; the order counts only where it is asked for.
 */
export async function sameRows(
	trial: Trial,
	what: string,
	expected: readonly TrueRow[],
	inOrder = false,
): Promise<void> {
	const found = inOneSpelling(trial, await trial.grid.rows());
	const wanted = inOneSpelling(trial, expected);
	if (!inOrder) for (const rows of [found, wanted]) rows.sort((a, b) => (a.id < b.id ? -1 : 1));
	same(what, found, wanted);
}

/** Which row is meant, as the entity picker holds it. */
export const entityId = (trial: Trial, id: string) => ({ entity: byId(trial.shown(id)) });

/** Items of input, paired: output item n has to come of input item n. */
export function pairing(items: ReadonlyArray<{ pairedItem?: unknown }>): unknown[] {
	return items.map(({ pairedItem }) => pairedItem);
}

export const asInput = (cells: Cells): IDataObject => z.custom<IDataObject>().parse(cells);
