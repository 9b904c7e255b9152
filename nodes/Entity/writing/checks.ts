import { type Client, type Grid, InvalidInput } from '../../../client';
import { CLEAN_UP } from '../keys/keyedRows';
import type { RowChange } from './steps';

/** Maximum number of rows that a message names. */
const MAX_NAMED = 10;

/** Counts entries and stores the first ones for a message. */
export class Listing {
	count = 0;
	private readonly entries: string[] = [];

	add(entry: string): void {
		this.count++;
		if (this.entries.length < MAX_NAMED) this.entries.push(entry);
	}

	get text(): string {
		const more = this.count > MAX_NAMED ? `; and ${this.count - MAX_NAMED} more` : '';
		return `${this.entries.join('; ')}${more}`;
	}
}

const ADVICE = {
	'The grid has several rows': CLEAN_UP,
	'The input has several rows':
		'Remove the duplicate items (the node "Remove Duplicates" does), or add a key column that tells them apart.',
	'The file has several lines': 'Remove the duplicate lines, or add a key column that tells them apart.',
};

/**
 * @param keys keys that occur several times, with their rows, items or lines
 * @throws InvalidInput if there are any
 */
export function refuseSameKeys(keys: Listing, what: keyof typeof ADVICE): void {
	if (keys.count === 0) return;
	throw new InvalidInput(`${what} with the same key: ${keys.text}; nothing was written`, ADVICE[what]);
}

const SCOPE = 'Only Rows Where';

/**
 * @param rows outside of the rows to compare with that have the key of an input row
 * @param input such as `an item`
 * @throws InvalidInput if there are any
 */
export function refuseKeysOutside(rows: Listing, input: string): void {
	if (rows.count === 0) return;
	throw new InvalidInput(
		`${rows.count === 1 ? 'A row' : `${rows.count} rows`} that "${SCOPE}" leaves out already ${rows.count === 1 ? 'has' : 'have'} the key of ${input}: ${rows.text}; nothing was written`,
		`Another source may feed that row. Add a key column that tells the sources apart, correct the conditions, or remove the ${input.replace(/^an? /, '')}.`,
	);
}

/**
 * @param rows rows that would not meet the conditions after they are written
 * @throws InvalidInput if there are any
 */
export function refuseLeaving(rows: Listing): void {
	if (rows.count === 0) return;
	throw new InvalidInput(
		`${rows.count === 1 ? 'A row' : `${rows.count} rows`} would not meet the conditions of "${SCOPE}" after this run: ${rows.text}; nothing was written`,
		'The next run would not find them. Map a value that meets the conditions to the columns in them, or correct the conditions.',
	);
}

/** The error for a row that was added while the grid was read. @param rows its key and id */
export function addedMeanwhile(rows: string, { isOutside }: { isOutside: boolean }): InvalidInput {
	const what = isOutside
		? `A row that "${SCOPE}" leaves out was added with this key`
		: 'Several rows with this key were added';
	return new InvalidInput(`${what} while the grid was read, so it was not written: ${rows}`, CLEAN_UP);
}

/** An empty or broken source must not look like a successful run. */
export function noKeys(what: string, advice: string): InvalidInput {
	return new InvalidInput(`${what} has a value in all key columns; nothing was written`, advice);
}

/** Checks the permission for each kind of change to each grid, on one row. @throws LinkMissing */
export async function checkPermissions(
	client: Client,
	changes: ReadonlyArray<RowChange & { grid: Grid }>,
): Promise<void> {
	const checked = { create: new Set<Grid>(), update: new Set<Grid>(), delete: new Set<Grid>() };
	for (const { kind, grid, entity } of changes) {
		if (kind === 'unchanged' || checked[kind].has(grid)) continue;
		checked[kind].add(grid);
		if (kind === 'create') client.entities.mayCreate(grid);
		else await client.entities.writeLink(grid, entity, kind === 'update' ? 'update' : 'remove');
	}
}
