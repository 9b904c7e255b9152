import { InvalidInput, type MappedEntity, outcomeOf, type Values } from '../../../client';
import { unstableListError } from '../../shared/rows/unstableListError';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import type { ItemContext } from '../../shared/runner/context';
import { GridIndex, type IndexedRow } from '../keys/gridIndex';
import { PackedNumbers } from '../keys/packedTexts';
import { Listing } from '../writing/checks';
import { GridPlan, type MissingRows } from '../writing/gridPlan';
import { invalidRows } from '../writing/invalidRows';
import { rowsToWrite, rowsWithoutKeyOf } from '../writing/settings';
import type { Writing } from '../writing/unknownOptions';
import type { FileWriteReader } from './fileColumns';
import type { FileRow, RowFile } from './fileRows';

/** What a run writes, determined before the first write. */
export interface FilePlan {
	totals: GridPlan;
	/** Number of lines without a value in a key column. */
	skipped: number;
	/** `CREATE`, `UPDATE`, `INVALID` or 0 (nothing), by sequence number of the row in the file. */
	actions: PackedNumbers;
	/** Id of the first row to update. */
	firstUpdate?: string | undefined;
	/** Values with new options, one writing for each combination. */
	writings: Writing[];
}
export const CREATE = 1;
export const UPDATE = 2;
export const INVALID = 3;

/** A plan and all that is needed to carry it out. */
export interface FileExecution {
	context: ItemContext & ChosenGrid;
	file: RowFile;
	index: GridIndex;
	plan: FilePlan;
	reader: FileWriteReader;
	/** The rows that the file does not have. */
	missing: MissingRows;
	dryRun: boolean;
}

/** Reads the grid, page by page, into an index. @throws InvalidInput if the grid kept changing */
export async function indexGrid(reader: FileWriteReader): Promise<GridIndex> {
	const { client, grid, keys } = reader.keyed;
	const indexed = async (pages: AsyncIterable<Array<MappedEntity<IndexedRow>>>) => {
		const index = new GridIndex(keys.columns.length);
		for await (const page of pages) for (const { id, kept } of page) index.add(id, kept);
		return index;
	};
	const { needs } = reader;
	const reading = await client.entities.stream(grid, (row) => reader.indexed(row), {}, indexed, { needs });
	if (reading.unstable) throw unstableListError(grid);
	return reading.result;
}

export const rowsWithoutKey = rowsWithoutKeyOf('a line');

/** Compares the file with the grid. @throws InvalidInput listing all problems before any write */
export async function planFile(
	{ option }: ItemContext,
	reader: FileWriteReader,
	file: RowFile,
	index: GridIndex,
): Promise<FilePlan> {
	const skips = option(rowsWithoutKey) === 'skip';
	const skipsInvalid = option(invalidRows) === 'skip';
	const { keyed, isInScope } = reader;
	const totals = new GridPlan({ noun: 'line', index, keyed, isInScope, rowsToWrite: option(rowsToWrite) });
	const plan: FilePlan = { totals, skipped: 0, actions: new PackedNumbers(), writings: [] };
	const invalid = new Listing();
	const withoutKey = new Listing();
	const options = new Map<string, Values>();
	/** Advice for the first invalid line. */
	let advice: string | undefined;
	let number = 0;
	for await (const row of file.rows()) {
		const { line } = row;
		const at = number++;
		plan.actions.set(at, 0);
		const reading = await outcomeOf(reader.read(row));
		if (reading.state === 'failed') {
			const { error } = reading;
			if (!(error instanceof InvalidInput)) throw error;
			invalid.add(`line ${line}: ${error.message}`);
			advice ??= error.hint;
			plan.actions.set(at, INVALID);
			totals.leaveOut(line, error);
			continue;
		}
		const { value: write } = reading;
		if (!write) {
			plan.skipped++;
			if (!skips) withoutKey.add(`line ${line}: it has no value in a key column`);
			continue;
		}
		const { key, values, addsOptions } = write;
		const change = reader.changeOf(write, index);
		if (!totals.add({ key, number: line, values, written: values, ...change })) continue;
		const { kind } = change;
		plan.actions.set(at, kind === 'create' ? CREATE : UPDATE);
		if (kind === 'update') plan.firstUpdate ??= index.idOf(key.text);
		if (!addsOptions) continue;
		// Each combination of options is stored once, whatever the number of rows.
		const chosen = reader.optionsIn(values);
		options.set(JSON.stringify(chosen), chosen);
	}
	const { fields, grid } = keyed;
	plan.writings = [...options.values()].map((values) => ({ grid, fields, values, addsOptions: true }));
	const isListed = skipsInvalid && totals.rows > 0;
	const refused = isListed || invalid.count === 0 ? withoutKey : invalid;
	if (refused.count > 0)
		throw new InvalidInput(
			`${refused.count === 1 ? 'A line' : `${refused.count} lines`} of the file cannot be written; nothing was written: ${refused.text}`,
			refused === invalid
				? `${advice ?? ''} To write the other lines, choose "Skip and List" in "Invalid Rows".`
				: 'Correct the file, or choose "Skip" in "Rows Without Key".',
		);
	totals.refuseConflicts();
	return plan;
}

/** The rows of a file for which a plan has one of these actions. */
export async function* plannedRows(
	{ file, plan }: { file: RowFile; plan: FilePlan },
	actions: readonly number[],
): AsyncGenerator<{ row: FileRow; action: number }> {
	let number = 0;
	for await (const row of file.rows()) {
		const action = plan.actions.at(number++);
		if (actions.includes(action)) yield { row, action };
	}
}
