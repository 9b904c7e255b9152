import { type Field, InvalidInput, type Outcome } from '../../../client';
import { KEY_COLUMNS, keyColumns, keysOf } from '../../shared/inputs/columns/columnMapper';
import type { Mapping } from '../../shared/inputs/columns/storedColumns';
import { columnsToClear } from '../../shared/inputs/options';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { markNotTried, prepareAll, resultsOf } from '../../shared/runner/bulk';
import type { ItemContext, ItemsContext, Result } from '../../shared/runner/context';
import { compareAs, comparedFields } from '../keys/compareAs';
import { KeyedGrids, type KeyedRows } from '../keys/keyedRows';
import { RunTurns } from '../keys/turns';
import { noKeys } from './checks';
import { invalidRows } from './invalidRows';
import { missingColumns, newKeyColumns } from './missingColumns';
import type { SyncItem, SyncPlanSource } from './syncPlan';
import type { Write, WriteReader } from './write';

/** An item, read and checked. */
interface SyncWrite extends SyncItem, Pick<Write, 'grid' | 'addsOptions'> {
	/** The columns without the rules of "Compare As". */
	exactFields: Write['fields'];
	rows: KeyedRows;
}

/** The items of a sync, all of one grid. */
interface SyncItems {
	first: SyncWrite;
	items: readonly SyncWrite[];
	/** Items that are left out. */
	invalid: SyncPlanSource['invalid'];
}

/**
 * Reads and checks the items.
 * @param skips whether an item without a value in a key column is skipped
 * @returns the results of all items instead, if one stops the run
 * @throws InvalidInput if they have no keys, or select several grids
 */
export async function readSyncItems(
	context: ItemsContext,
	reader: WriteReader,
	skips: (item: ItemContext) => boolean,
): Promise<SyncItems | Array<Result | Error>> {
	const { client, node, hint } = context;
	const keyed = new KeyedGrids(client, new RunTurns(context));
	const prepared = await prepareAll(context, async (item): Promise<SyncWrite | undefined> => {
		const write = await reader.read(item, item.option(columnsToClear));
		const { grid, mapping, values, addsOptions, fields: exactFields } = write;
		const fields = comparedFields(item.option(compareAs), exactFields);
		const rows = keyed.of(grid, keysIn(mapping, item.option, fields), fields);
		if (skips(item) && rows.keys.emptyKeyOf(values)) return undefined;
		const key = rows.keys.keyOf(values);
		return { grid, values, addsOptions, exactFields, rows, key, itemIndex: item.itemIndex };
	});
	reader.showHints(context);
	const items = prepared.flatMap((outcome) => (outcome.state === 'done' ? (outcome.value ?? []) : []));
	const invalid = invalidItemsOf(prepared);
	const isListed = context.at(0).option(invalidRows) === 'skip' && items.length > 0;
	// Which rows to delete depends on the whole input, so one invalid item stops the run.
	if (!(isListed && invalid) && prepared.some(({ state }) => state !== 'done'))
		return resultsOf(node, markNotTried(prepared));
	const [first] = items;
	if (!first || !invalid)
		throw noKeys(
			'No item',
			'Check that the source returned its rows, and that "Columns" maps a value to each key column.',
		);
	const other = items.find((item) => item.grid.id !== first.grid.id);
	if (other)
		throw new InvalidInput(
			`Item ${other.itemIndex} selects a different grid from item 0`,
			'Sync works on one grid at a time. Choose a fixed grid, or split the items into one run per grid.',
		);
	const skipped = prepared.length - items.length - invalid.length;
	if (skipped > 0)
		hint(`${skipped} of ${prepared.length} items have no value in a key column and were skipped.`, 'warning');
	return { first, items, invalid };
}

/** The key columns chosen in the mapper and those in `newKeyColumns`. @throws InvalidInput */
function keysIn(mapping: Mapping, option: ReadParameter, fields: readonly Field[]): Field[] {
	const { matchingColumns: chosen } = mapping;
	const named = option(newKeyColumns);
	const { displayName: label } = newKeyColumns.property;
	const where = option(missingColumns) === 'add' ? `${KEY_COLUMNS}" or "${label}` : KEY_COLUMNS;
	if (named.length === 0) return keyColumns(chosen, fields, where);
	const keys = chosen.length > 0 ? keysOf(mapping, fields) : [];
	return [...new Set([...keys, ...keyColumns(named, fields, label)])];
}

/** The invalid items; undefined if something else is wrong with an item. */
function invalidItemsOf(prepared: ReadonlyArray<Outcome<unknown>>) {
	const items: Array<SyncPlanSource['invalid'][number]> = [];
	for (const [itemIndex, outcome] of prepared.entries()) {
		if (outcome.state === 'done') continue;
		if (outcome.state === 'untried' || !(outcome.error instanceof InvalidInput)) return undefined;
		items.push({ itemIndex, error: outcome.error });
	}
	return items;
}
