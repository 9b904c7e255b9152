import { InvalidInput } from '../../../../client/errors';
import { outcomeOf } from '../../../../client/http/limiter';
import type { Field } from '../../../../client/resources/fields';
import { canonicalKey } from '../../../shared/rows/equality';
import { keepsChanging } from '../../../shared/rows/keepsChanging';
import type { ItemContext } from '../../../shared/runner/context';
import type { ChosenGrid } from '../../../shared/inputs/pickers/chosenGrid';
import type { Writing } from '../../writing/unknownOptions';
import type { FileWriteReader } from './fileColumns';
import type { RowFile } from './fileRows';
import { digestOf, GridIndex } from './gridIndex';
import { Numbers } from './packedTexts';

/** Maximum number of lines or keys that a message lists. */
const MAX_NAMED = 10;

/** What is to be done, found out before the first write. */
export interface FilePlan {
	create: number;
	update: number;
	unchanged: number;
	/** Lines without a value in a key column. */
	skipped: number;
	/** What a row of the file is, by its sequence number: 0 for nothing to do. */
	marks: Numbers;
	/** Id of the first row to update. */
	firstUpdate?: string | undefined;
	/** One value for each option that is to be added to a column. */
	writings: Writing[];
}
const CREATE = 1;
export const UPDATE = 2;

/**
 * Reads the grid, page by page, into an index.
 * @throws InvalidInput if rows have the same key, or the grid kept changing
 */
export async function indexOf(
	{ client, grid }: Pick<ItemContext, 'client'> & ChosenGrid,
	keys: readonly Field[],
	reader: FileWriteReader,
): Promise<GridIndex> {
	const keep = (entity: Readonly<Record<string, unknown>>) => {
		const filled = keys.filter(({ id }) => (entity[id] ?? '') !== '').length;
		return { filled, key: canonicalKey(keys, entity), digest: digestOf(reader.textOf(entity)) };
	};
	const reading = await client.entities.stream(grid, keep, {}, async (pages) => {
		const index = new GridIndex();
		const several = new Map<string, readonly string[]>();
		for await (const page of pages)
			for (const { id, kept } of page) {
				const ids = index.add(id, kept, kept.filled > 0);
				// Of a row without a value in a key column only a line with the same can be meant.
				if (ids && kept.filled === keys.length) several.set(kept.key, ids);
			}
		return { index, several };
	});
	if (reading.unstable) throw keepsChanging(grid);
	const { index, several } = reading.result;
	if (several.size > 0)
		throw sameKey(
			'The grid has several rows',
			[...several].map(([key, ids]) => `${key} (rows ${ids.join(', ')})`),
			several.size,
		);
	return index;
}

/**
 * Reads the file and finds all that is wrong with it.
 * @throws InvalidInput naming lines: nothing was written
 */
export async function planOf(
	{ grid }: ChosenGrid,
	file: RowFile,
	index: GridIndex,
	{ reader, skips }: { reader: FileWriteReader; skips: boolean },
): Promise<FilePlan> {
	const plan: FilePlan = {
		create: 0,
		update: 0,
		unchanged: 0,
		skipped: 0,
		marks: new Numbers(),
		writings: [],
	};
	const invalid = new Named();
	const twice = new Named();
	const ambiguous = new Named();
	const added = new Set<string>();
	let advice: string | undefined;
	let number = -1;
	for await (const row of file.rows()) {
		number++;
		plan.marks.set(number, 0);
		const outcome = await outcomeOf(reader.read(row));
		if (outcome.state === 'failed') {
			if (!(outcome.error instanceof InvalidInput)) throw outcome.error;
			invalid.add(`line ${row.line}: ${outcome.error.message}`);
			advice ??= outcome.error.hint;
			continue;
		}
		const write = outcome.value;
		if (!write) {
			plan.skipped++;
			if (!skips) invalid.add(`line ${row.line}: it has no value in a key column`);
			continue;
		}
		const { key, values, addsOptions } = write;
		const before = index.claim(key, row.line);
		if (before !== undefined) twice.add(`${reader.describe(values)} (lines ${before}, ${row.line})`);
		const rows = index.severalWith(key);
		if (rows) ambiguous.add(`${reader.describe(values)} (rows ${rows.join(', ')})`);
		const kind = index.compare({ key, digest: digestOf(reader.textOf(values)) });
		plan[kind]++;
		if (kind === 'update') plan.firstUpdate ??= index.idOf(key);
		if (kind !== 'unchanged') plan.marks.set(number, kind === 'create' ? CREATE : UPDATE);
		if (addsOptions && kind !== 'unchanged')
			noteOptions(plan, added, { grid, fields: reader.fields, values });
	}
	if (invalid.count > 0)
		throw new InvalidInput(
			`${invalid.count === 1 ? 'A line' : `${invalid.count} lines`} of the file cannot be written; nothing was written: ${invalid.text}`,
			advice ?? 'Correct the file, or choose "Skip" in "Rows Without Key".',
		);
	if (twice.count > 0) throw sameKey('The file has several lines', twice.names, twice.count);
	if (ambiguous.count > 0) throw sameKey('The grid has several rows', ambiguous.names, ambiguous.count);
	return plan;
}

/** Keeps one row for each set of new options, whatever the number of rows. */
function noteOptions(plan: FilePlan, added: Set<string>, writing: Omit<Writing, 'addsOptions'>): void {
	const choices = writing.fields.filter(({ type }) => type.options);
	const values = Object.fromEntries(choices.map(({ id }) => [id, writing.values[id]]));
	const text = JSON.stringify(values);
	if (added.has(text)) return;
	added.add(text);
	plan.writings.push({ ...writing, values, addsOptions: true });
}

/** The first few of many. */
class Named {
	count = 0;
	readonly names: string[] = [];

	add(name: string): void {
		this.count++;
		if (this.names.length < MAX_NAMED) this.names.push(name);
	}

	get text(): string {
		return listed(this.names, this.count);
	}
}

function listed(names: readonly string[], count: number): string {
	const more = count > MAX_NAMED ? `; and ${count - MAX_NAMED} more` : '';
	return `${names.slice(0, MAX_NAMED).join('; ')}${more}`;
}

function sameKey(what: string, names: readonly string[], count: number): InvalidInput {
	return new InvalidInput(
		`${what} with the same key: ${listed(names, count)}; nothing was written`,
		'Remove the duplicates, or add a key column that tells them apart.',
	);
}
