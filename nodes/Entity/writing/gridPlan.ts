import { type InvalidInput, parseJson, type Values } from '../../../client';
import type { ItemContext } from '../../shared/runner/context';
import type { GridIndex } from '../keys/gridIndex';
import type { KeyedRows } from '../keys/keyedRows';
import type { RowKey } from '../keys/keyColumns';
import { Listing, refuseKeysOutside, refuseLeaving, refuseSameKeys } from './checks';
import { InvalidRows } from './invalidRows';
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

/** What happens to the rows of the grid that are not in the input. */
interface MissingRows {
	kind: 'keep' | 'delete' | 'setColumns';
	/** Number of rows to delete or mark. */
	rows: number;
}

/** Counts and checks the changes that make a grid match an input, before the first write. */
export class GridPlan {
	readonly counts = { create: 0, update: 0, unchanged: 0 };
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

	/**
	 * Adds a row of the input.
	 * @param number its number in the input
	 * @param kind the change that it needs
	 * @param state the row after that change
	 * @returns whether to make the change
	 */
	add(key: RowKey, number: number, kind: keyof GridPlan['counts'], state: () => Values): boolean {
		this.claim(key, number);
		const { rowsToWrite: writes, noun } = this.source;
		if ((kind === 'create' && writes === 'onlyChanged') || (kind === 'update' && writes === 'onlyNew')) {
			this.omitted++;
			return false;
		}
		this.counts[kind]++;
		if (kind === 'unchanged') return false;
		this.requireScope(key.values, state, `${noun} ${number}`);
		return true;
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

	/** Checks the limits and shows what is left out. @throws InvalidInput: nothing was written */
	check(
		{ option, hint }: Pick<ItemContext, 'option' | 'hint'>,
		{ kind, rows: missing }: MissingRows,
		isDryRun: boolean,
	): void {
		const { invalid, omitted, counts } = this;
		const { noun, index, keyed } = this.source;
		invalid.showHint(hint, this.rows + invalid.report.invalid);
		const run = { isDryRun, hint };
		if (kind !== 'keep') invalid.refuseWithoutKey(kind === 'delete' ? 'delete' : 'mark', run);
		// An empty or broken source would delete many rows.
		refuseOverLimits(
			{ ...counts, missing, compared: index.rows },
			{
				...{ grid: keyed.grid, read: option, run },
				source: noun === 'item' ? 'input' : 'file',
				others: {
					participle: kind === 'delete' ? 'deleted' : `marked by "${columnsToSet.property.displayName}"`,
					percent: option(deletionLimit),
					isScoped: option(onlyRowsWhere).length > 0,
				},
			},
		);
		if (omitted > 0)
			hint(`Left out by "${rowsToWrite.property.displayName}": ${omitted} of ${this.rows} ${noun}s`);
	}
}
