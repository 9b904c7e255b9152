import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Step } from './n8n/workflows';
import { rowOf } from './target/shapes';

/** One of this many rows differs in the file. */
const CHANGED_EVERY = 100;

export const isChanged = (n: number) => n % CHANGED_EVERY === 0;

/** The row of the file for a row of the grid. */
export function rowOfFile(n: number) {
	const row = rowOf(n);
	return isChanged(n) ? { ...row, Amount: row.Amount + 1 } : row;
}

/**
 * Writes a CSV file with the rows of a grid, 1 % of them different.
 * @param options.rows of the grid
 * @param [options.added] number of new rows, distributed evenly
 */
export async function writeRows(path: string, { rows, added = 0 }: { rows: number; added?: number }) {
	const file = createWriteStream(path);
	const write = async (row: object) => {
		if (!file.write(`${Object.values(row).join(',')}\n`)) await once(file, 'drain');
	};
	file.write(`${Object.keys(rowOf(0)).join(',')}\n`);
	let next = rows;
	for (let n = 0; n < rows; n++) {
		await write(rowOfFile(n));
		if ((next - rows) * rows < n * added) await write(rowOf(next++));
	}
	while (next < rows + added) await write(rowOf(next++));
	file.end();
	await once(file, 'finish');
}

export const readFileNode = (path: string): Step => ({
	name: 'Read File',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1,
	parameters: { operation: 'read', fileSelector: path, options: { dataPropertyName: 'data' } },
});
