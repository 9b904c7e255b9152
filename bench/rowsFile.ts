import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { rowOf } from './target/shapes';

/** One of this many rows differs in the file. */
const CHANGED_EVERY = 100;

export const isChanged = (n: number) => n % CHANGED_EVERY === 0;

/** The row of the file for a row of the grid. */
export function rowOfFile(n: number) {
	const row = rowOf(n);
	return isChanged(n) ? { ...row, Amount: row.Amount + 1 } : row;
}

function* linesOf(rows: number, added: number) {
	const line = (cells: readonly unknown[]) => `${cells.join(',')}\n`;
	yield line(Object.keys(rowOf(0)));
	let next = rows;
	for (let n = 0; n < rows; n++) {
		yield line(Object.values(rowOfFile(n)));
		if ((next - rows) * rows < n * added) yield line(Object.values(rowOf(next++)));
	}
	while (next < rows + added) yield line(Object.values(rowOf(next++)));
}

/**
 * Writes a CSV file with the rows of a grid, 1 % of them different.
 * @param rows of the grid
 * @param added number of new rows, distributed evenly
 */
export async function writeRows(path: string, rows: number, added: number) {
	await pipeline(Readable.from(linesOf(rows, added)), createWriteStream(path));
}
