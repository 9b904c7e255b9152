import type { IDataObject } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';
import { z } from 'zod/v4';
import type { NodeRun } from '../../../testbed/engine/engine';
import type { GridRunOptions, WorldGrid } from '../../../testbed/world/worldGrid';
import { importFile } from './sync/stockGrid';

/** The operations that write rows by key. */
export const OPERATIONS = ['upsert', 'create', 'sync', 'importFile'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Runs an operation on the rows of some mails, with a number of visits. */
export async function runAt(
	grid: WorldGrid,
	operation: Operation,
	mails: readonly string[],
	visits: number,
	settings: GridRunOptions = {},
	options: object = {},
): Promise<NodeRun> {
	if (operation === 'importFile') {
		const file = `Mail,Visits\n${mails.map((mail) => `${mail},${visits}\n`).join('')}`;
		return await importFile(grid, file, { keyColumns: ['Mail'], options }, settings);
	}
	const input = mails.map((Mail) => ({ Mail, Visits: visits }));
	const keys = operation === 'create' ? { avoidDuplicatesBy: ['Mail'] } : {};
	const columns = grid.auto(operation === 'create' ? [] : ['Mail']);
	return await grid.run(operation, { ...columns, options: { ...keys, ...options } }, input, settings);
}

const line = z.object({ _id: z.string(), _outcome: z.string(), _error: z.string(), Mail: z.string() });

/** What a run says of its rows; Sync From File does so in its file. */
export function reportOf({ items, rows }: Pick<NodeRun, 'items' | 'rows'>): IDataObject[] {
	const file = items[0]?.binary?.['changes'];
	if (!file) return rows;
	const lines = z.array(line).parse(parse(Buffer.from(file.data, 'base64'), { columns: true, bom: true }));
	return lines.map(({ _error, ...rest }) => ({ ...rest, _reasons: [_error] }));
}
