import {
	digestOf,
	type Field,
	type Grid,
	InvalidInput,
	type MappedEntity,
	outcomeOf,
	type Values,
} from '../../../client';
import { hasKeyValue } from '../../shared/rows/equality';
import { unstableListError } from '../../shared/rows/unstableListError';
import type { ItemContext } from '../../shared/runner/context';
import type { ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { Listing, refuseKeysOutside, refuseLeaving, sameKeys } from '../writing/checks';
import { InvalidRows } from '../writing/invalidRows';
import type { Writing } from '../writing/unknownOptions';
import type { FileWrite, FileWriteReader } from './fileColumns';
import type { FileRow, RowFile } from './fileRows';
import type { RowsToWrite } from '../writing/settings';
import { GridIndex } from './gridIndex';
import { PackedNumbers } from './packedTexts';

/** What a run writes, determined before the first write. */
export interface FilePlan {
	/** Numbers of rows. */
	create: number;
	update: number;
	unchanged: number;
	/** Numbers of rows that "Rows to Write" leaves out. */
	omitted: { create: number; update: number };
	/** Number of lines without a value in a key column. */
	skipped: number;
	/** Lines that are left out. */
	invalid: InvalidRows;
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

/**
 * Reads the grid, page by page, into an index.
 * @throws InvalidInput if rows have the same key, or the grid kept changing
 */
export async function indexGrid(
	{ client, grid }: Pick<ItemContext, 'client'> & ChosenGrid,
	keys: readonly Field[],
	reader: FileWriteReader,
): Promise<GridIndex> {
	const keep = (entity: Readonly<Record<string, unknown>>) => {
		const filled = keys.filter((field) => hasKeyValue(field, entity)).length;
		return { filled, isInScope: reader.isInScope(entity), ...reader.indexed(entity) };
	};
	const indexed = async (pages: AsyncIterable<Array<MappedEntity<ReturnType<typeof keep>>>>) => {
		const index = new GridIndex();
		const duplicates = new Map<string, readonly string[]>();
		for await (const page of pages)
			for (const { id, kept } of page) {
				if (!kept.isInScope) {
					index.addOutside(id, kept.key);
					continue;
				}
				const ids = index.add(id, kept, kept.filled > 0);
				// Rows with an incomplete key are duplicates only if a line has the same key.
				if (ids && kept.filled === keys.length) duplicates.set(kept.key, ids);
			}
		return { index, duplicates };
	};
	const { needs } = reader;
	const reading = await client.entities.stream(grid, keep, {}, indexed, { needs });
	if (reading.unstable) throw unstableListError(grid);
	const { index, duplicates } = reading.result;
	if (duplicates.size > 0)
		throw sameKeys(
			'The grid has several rows',
			[...duplicates].map(([key, ids]) => `${key} (rows ${ids.join(', ')})`),
			duplicates.size,
		);
	return index;
}

/**
 * Reads the file and compares it with the grid.
 * @throws InvalidInput listing all problems of the file: nothing was written
 */
export async function planFileSync(
	{ grid }: ChosenGrid,
	file: RowFile,
	index: GridIndex,
	settings: FileSettings,
): Promise<FilePlan> {
	const planner = new FilePlanner(grid, index, settings);
	for await (const row of file.rows()) await planner.add(row);
	planner.refuseProblems();
	return planner.plan;
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

interface FileSettings {
	reader: FileWriteReader;
	/** Whether to skip lines without a value in a key column. */
	skips: boolean;
	/** Whether to leave out invalid lines. */
	skipsInvalid: boolean;
	writes: RowsToWrite;
}

class FilePlanner {
	readonly plan: FilePlan = {
		create: 0,
		update: 0,
		unchanged: 0,
		omitted: { create: 0, update: 0 },
		skipped: 0,
		invalid: new InvalidRows('line'),
		actions: new PackedNumbers(),
		writings: [],
	};
	private rows = 0;
	private readonly invalid = new Listing();
	private readonly withoutKey = new Listing();
	private readonly duplicateLines = new Listing();
	private readonly duplicateRows = new Listing();
	private readonly outside = new Listing();
	private readonly leaving = new Listing();
	/** Advice for the first invalid line. */
	private advice: string | undefined;
	private readonly plannedOptions = new Set<string>();

	constructor(
		private readonly grid: Grid,
		private readonly index: GridIndex,
		private readonly settings: FileSettings,
	) {}

	/** Plans the next row of the file. */
	async add(row: FileRow): Promise<void> {
		const number = this.rows++;
		this.plan.actions.set(number, 0);
		const write = await this.read(row, number);
		if (!write) return;
		const { plan, index } = this;
		const { reader, writes } = this.settings;
		const { key, values, line } = write;
		this.checkKey(write);
		const present = index.rowOf(key.text, digestOf(reader.textOf(values)));
		const kind = present ? (reader.isChange(write, present) ? 'update' : 'unchanged') : 'create';
		const isOmitted =
			(kind === 'create' && writes === 'onlyChanged') || (kind === 'update' && writes === 'onlyNew');
		if (isOmitted) {
			plan.omitted[kind]++;
			return;
		}
		plan[kind]++;
		if (kind === 'unchanged') return;
		if (!reader.staysInScope(write, present?.held))
			this.leaving.add(`${reader.describe(values)} (line ${line})`);
		if (kind === 'update') plan.firstUpdate ??= index.idOf(key.text);
		plan.actions.set(number, kind === 'create' ? CREATE : UPDATE);
		if (write.addsOptions) this.planOptions(values);
	}

	/** @returns undefined for a line that is invalid or skipped */
	private async read(row: FileRow, number: number): Promise<FileWrite | undefined> {
		const { plan, settings } = this;
		const { reader } = settings;
		const { line } = row;
		const outcome = await outcomeOf(reader.read(row));
		if (outcome.state === 'failed') {
			const { error } = outcome;
			if (!(error instanceof InvalidInput)) throw error;
			this.invalid.add(`line ${line}: ${error.message}`);
			this.advice ??= error.hint;
			plan.actions.set(number, INVALID);
			// Its row is in the file, so it is not deleted.
			if (plan.invalid.add(line, error, reader.keys) && reader.hasKey(error.values))
				this.checkKey({ line, key: reader.keyOf(error.values), values: error.values });
			return undefined;
		}
		if (!outcome.value) {
			plan.skipped++;
			if (!settings.skips) this.withoutKey.add(`line ${line}: it has no value in a key column`);
		}
		return outcome.value;
	}

	private checkKey({ line, key, values }: Omit<FileWrite, 'addsOptions'>): void {
		const { index } = this;
		const { reader } = this.settings;
		const before = index.claim(key.text, line);
		if (before !== undefined)
			this.duplicateLines.add(`${reader.describe(values)} (lines ${before}, ${line})`);
		const ids = index.duplicatesOf(key.text);
		if (ids) this.duplicateRows.add(`${reader.describe(values)} (rows ${ids.join(', ')})`);
		const outside = index.outsideIdOf(key.text);
		if (outside !== undefined) this.outside.add(`${reader.describe(values)} (row ${outside})`);
	}

	/** Stores each combination of options once, whatever the number of rows. */
	private planOptions(values: Values): void {
		const { fields } = this.settings.reader;
		const choices = fields.filter(({ type }) => type.options);
		const chosen = Object.fromEntries(choices.map(({ id }) => [id, values[id]]));
		const text = JSON.stringify(chosen);
		if (this.plannedOptions.has(text)) return;
		this.plannedOptions.add(text);
		this.plan.writings.push({ grid: this.grid, fields, values: chosen, addsOptions: true });
	}

	/** @throws InvalidInput listing all problems of one kind */
	refuseProblems(): void {
		const { invalid, withoutKey, duplicateLines, duplicateRows, outside, leaving, plan } = this;
		const isListed = this.settings.skipsInvalid && rowsIn(plan) > 0;
		const refused = isListed || invalid.count === 0 ? withoutKey : invalid;
		if (refused.count > 0)
			throw new InvalidInput(
				`${refused.count === 1 ? 'A line' : `${refused.count} lines`} of the file cannot be written; nothing was written: ${refused.text}`,
				refused === invalid
					? `${this.advice ?? ''} To write the other lines, choose "Skip and List" in "Invalid Rows".`
					: 'Correct the file, or choose "Skip" in "Rows Without Key".',
			);
		if (duplicateLines.count > 0)
			throw sameKeys('The file has several lines', duplicateLines.entries, duplicateLines.count);
		if (duplicateRows.count > 0)
			throw sameKeys('The grid has several rows', duplicateRows.entries, duplicateRows.count);
		refuseKeysOutside(outside.count, outside.entries, 'a line');
		refuseLeaving(leaving.count, leaving.entries);
	}
}

/** Number of lines that have a key and can be written. */
export const rowsIn = ({ create, update, unchanged, omitted }: FilePlan): number =>
	create + update + unchanged + omitted.create + omitted.update;
