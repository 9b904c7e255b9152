import { type InvalidInput, parseJson, type Values } from '../../../client';
import type { Parameter } from '../../shared/inputs/parameter';
import type { ItemContext } from '../../shared/runner/context';
import type { GridIndex } from '../keys/gridIndex';
import type { KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { excessiveShare, stopAt } from './changeLimits';
import { Listing, refuseKeysOutside, refuseLeaving, refuseSameKeys } from './checks';
import { EmptiedValues } from './emptiedValues';
import { InvalidRows } from './invalidRows';
import { RunCounts } from './runCounts';
import {
	columnsToSet,
	deletionLimit,
	onlyRowsWhere,
	refuseOverLimits,
	rowsToWrite,
	type RowsToWrite,
} from './settings';

interface GridPlanSource {
	/** What the input consists of. */
	noun: 'item' | 'line';
	/** The rows of the grid; all of them are added. */
	index: GridIndex;
	keyed: KeyedRows;
	/** Whether a row belongs to the rows to compare with. */
	isInScope: (row: Values) => boolean;
	rowsToWrite: RowsToWrite;
}

/** A row of the input, compared with the row of the grid that has its key. */
export interface ComparedRow {
	key: RowKey;
	/** Its number in the input. */
	number: number;
	values: Values;
	/** The change that it needs. */
	kind: 'create' | 'update' | 'unchanged';
	/** The row after that change, as far as conditions need it. */
	state: () => Values;
	/** What the row of the grid holds, to count the values that become empty. */
	held?: Values | undefined;
	/** The values that differ. */
	written: Values;
}

/** What happens to the rows of the grid that are not in the input. */
export interface MissingRows {
	kind: 'keep' | 'delete' | 'setColumns';
	/** Number of rows to delete or mark. */
	rows: number;
}

/** Counts and checks the changes that make a grid match an input, before the first write. */
export class GridPlan {
	readonly counts = { create: 0, update: 0, unchanged: 0 };
	private readonly emptied = new EmptiedValues();
	/** Rows of the input that are left out. */
	readonly invalid: InvalidRows;
	/** Number of creations and updates that "Rows to Write" leaves out. */
	private omitted = 0;
	private readonly sameKeys = new Listing();
	private readonly sameRows = new Listing();
	private readonly outside = new Listing();
	private readonly leaving = new Listing();

	constructor(private readonly source: GridPlanSource) {
		this.invalid = new InvalidRows(source.noun);
		for (const [key, ids] of source.index.duplicates)
			this.sameRows.add(this.named(this.valuesOf(key), `rows ${ids.join(', ')}`));
	}

	/** Number of rows of the input that have a key and can be written. */
	get rows(): number {
		const { create, update, unchanged } = this.counts;
		return create + update + unchanged + this.omitted;
	}

	/** Adds a row of the input. @returns whether to make the change */
	add({ key, number, values, kind, state, held, written }: ComparedRow): boolean {
		this.claim(key, number);
		const { rowsToWrite: writes, noun } = this.source;
		if ((kind === 'create' && writes === 'onlyChanged') || (kind === 'update' && writes === 'onlyNew')) {
			this.omitted++;
			return false;
		}
		this.counts[kind]++;
		if (held) this.emptied.add(values, held, written);
		if (kind === 'unchanged') return false;
		this.requireScope(key.values, state, `${noun} ${number}`);
		return true;
	}

	/** The planned changes in numbers. @param missing what happens to rows not in the input */
	planned({ kind: change, rows: missing }: MissingRows): RunCounts {
		const { grid } = this.source.keyed;
		const planned = new RunCounts(true);
		for (const kind of ['create', 'update', 'unchanged'] as const)
			planned.add({ kind }, grid, this.counts[kind]);
		planned.add({ kind: change === 'delete' ? 'delete' : 'update' }, grid, missing);
		return planned;
	}

	/** Leaves out an invalid row of the input: the row of the grid with its key stays as it is. */
	leaveOut(number: number, error: InvalidInput): void {
		const { keyed } = this.source;
		if (this.invalid.add(number, error, keyed.keys.columns) && !keyed.keys.emptyKeyOf(error.values))
			this.claim(keyed.keys.keyOf(error.values), number);
	}

	/** Notes a row that does not meet the conditions after it is written. */
	requireScope(key: Values, state: () => Values, name?: string): void {
		const { isInScope } = this.source;
		if (!isInScope(state())) this.leaving.add(this.named(key, name));
	}

	private claim({ text, values }: RowKey, number: number): void {
		const { index, noun } = this.source;
		const before = index.claim(text, number);
		if (before !== undefined) this.sameKeys.add(this.named(values, `${noun}s ${before}, ${number}`));
		const ids = index.duplicates.has(text) ? undefined : index.duplicatesOf(text);
		if (ids) this.sameRows.add(this.named(values, `rows ${ids.join(', ')}`));
		const outside = index.outsideIdOf(text);
		if (outside !== undefined) this.outside.add(this.named(values, `row ${outside}`));
	}

	private named(values: Values, name: string | undefined): string {
		return `${this.source.keyed.keys.describe(values)}${name === undefined ? '' : ` (${name})`}`;
	}

	/** The values in the canonical text of a key. */
	private valuesOf(key: string): Values {
		const json = parseJson(`[${key}]`);
		const values: unknown[] = 'value' in json && Array.isArray(json.value) ? json.value : [];
		return Object.fromEntries(this.source.keyed.keys.columns.map(({ id }, at) => [id, values[at]]));
	}

	/** @throws InvalidInput naming rows with the same key, or that the conditions leave out */
	refuseConflicts(): void {
		const isItems = this.source.noun === 'item';
		refuseSameKeys(this.sameKeys, isItems ? 'The input has several rows' : 'The file has several lines');
		refuseSameKeys(this.sameRows, 'The grid has several rows');
		refuseKeysOutside(this.outside, isItems ? 'an item' : 'a line');
		refuseLeaving(this.leaving);
	}

	/**
	 * Checks the limits and shows what is left out.
	 * @param emptiedLimit see `EmptiedValues.refuse`, as `cleared`
	 * @throws InvalidInput: nothing was written
	 */
	check(
		item: ItemContext,
		{ kind, rows: missing }: MissingRows,
		emptiedLimit: Parameter<number>,
		cleared?: readonly string[],
	): void {
		const { invalid, omitted, counts } = this;
		const { noun, index, keyed } = this.source;
		const { grid } = keyed;
		const { option, hint } = item;
		const source = noun === 'item' ? 'input' : 'file';
		invalid.showHint(hint, this.rows + invalid.report.invalid);
		if (kind !== 'keep') invalid.refuseWithoutKey(kind === 'delete' ? 'delete' : 'mark', item);
		refuseOverLimits(item, grid, counts, source);
		// An empty or broken source would delete many rows. If the grid has rows of the input, another
		// source may feed the others.
		const isShared = index.rows > missing && option(onlyRowsWhere).length === 0;
		const { displayName } = onlyRowsWhere.property;
		const shared = isShared ? `If another source feeds these rows, add "${displayName}". ` : '';
		const excess = excessiveShare({
			...{ grid, rows: missing, all: index.rows, percent: option(deletionLimit) },
			verb: kind === 'delete' ? 'deleted' : `marked by "${columnsToSet.property.displayName}"`,
			advice: `${shared}Check that the ${source} is complete. To change this many rows, raise "Deletion Limit (%)" under Options → Limits.`,
		});
		stopAt(excess, item);
		if (omitted > 0)
			hint(`Left out by "${rowsToWrite.property.displayName}": ${omitted} of ${this.rows} ${noun}s`);
		this.emptied.refuse(item, keyed, emptiedLimit, cleared);
	}
}
