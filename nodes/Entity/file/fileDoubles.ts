import { outcomeOf } from '../../../client';
import { canonicalKey } from '../../shared/rows/equality';
import { unstableListError } from '../../shared/rows/unstableListError';
import { KeyedRows } from '../keys/keyedRows';
import { rowsToWrite } from '../writing/settings';
import {
	duplicatesMadeMeanwhile,
	FIRST_LOOK_DELAY_MS,
	hintUnchecked,
	type Settlement,
	settlementsOf,
} from '../writing/settling';
import type { FileWrite } from './fileColumns';
import { CREATE, plannedRows, type FileExecution } from './filePlan';

/** Maximum number of created rows that are all looked for; of more, only those found twice. */
const MAX_LOOKED_FOR = 1000;

/**
 * What became of created rows whose keys exist twice. The values are read from the file again
 * rather than held.
 * @param count number of created rows
 */
export async function fileSettlements(
	execution: FileExecution,
	count: number,
): Promise<Array<FileWrite & Settlement>> {
	const { context, index, reader } = execution;
	const { hint, option } = context;
	const doubling = count > MAX_LOOKED_FOR ? await outcomeOf(doubledKeys(execution)) : undefined;
	if (doubling?.state === 'failed') hintUnchecked(hint, doubling.error);
	if (doubling && (doubling.state === 'failed' || doubling.value.size === 0)) return [];
	const rows = new KeyedRows(context, reader.keyed.keys);
	const writes = new Map<string, FileWrite>();
	for await (const { row: line } of plannedRows(execution, [CREATE])) {
		const write = await reader.read(line);
		const row = write && index.createdRowOf(write.key.text);
		if (!write || !row || doubling?.value.has(write.key.text) === false) continue;
		const { key, values } = write;
		writes.set(row.id, write);
		rows.created.set(key.text, { key, values, ...row });
	}
	const settlements = await settlementsOf({ hint }, [rows], {
		doubles: option(duplicatesMadeMeanwhile),
		writesValues: option(rowsToWrite) !== 'onlyNew',
	});
	return [...settlements].flatMap(([id, settlement]) => {
		const write = writes.get(id);
		return write ? { ...write, ...settlement } : [];
	});
}

/**
 * The keys of created rows that another row has, too.
 * @throws InvalidInput if the grid kept changing
 */
async function doubledKeys({ context, index, reader }: FileExecution): Promise<Set<string>> {
	const { client, grid } = context;
	const { keys } = reader.keyed;
	const found = async (pages: AsyncIterable<Array<{ id: string; kept: string }>>) => {
		const doubled = new Set<string>();
		for await (const page of pages)
			for (const { id, kept } of page) if ((index.createdRowOf(kept)?.id ?? id) !== id) doubled.add(kept);
		return doubled;
	};
	await client.session.limiter.waitWithoutSlot(FIRST_LOOK_DELAY_MS);
	const needs = keys.map(({ id }) => id);
	const reading = await client.entities.stream(grid, (row) => canonicalKey(keys, row), {}, found, { needs });
	if (reading.unstable) throw unstableListError(grid);
	return reading.result;
}
