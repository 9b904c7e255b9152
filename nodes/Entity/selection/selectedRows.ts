import type { Client } from '../../../client';
import type { Entity, Filter } from '../../../client/resources/entities';
import { NotFound } from '../../../client/errors';
import { outcomeOf } from '../../../client/http/limiter';
import { absentColumns } from '../../../client/resources/summaries';
import type { Field } from '../../../client/resources/fields';
import type { Grid } from '../../../client/resources/grids';
import { filterOf } from '../../../client/resources/views';
import { chosenReference } from '../../shared/inputs/pickers/chosenGrid';
import { conditionsOf } from '../../shared/inputs/selection/conditions';
import { combineWithView } from '../../shared/inputs/selection/filters';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { unstableListError } from '../../shared/rows/unstableListError';
import type { ItemContext } from '../../shared/runner/context';
import { columnsIn, comparisonsIn, rowTest } from '../../shared/rows/matching';
import { ignoredConditions } from './ignoredConditions';
import { isCheaperToReadAll } from '../keys/requestCost';

/** Which rows an item selects. */
export interface Selection {
	viewId: string | undefined;
	filter: Filter | undefined;
}

/** How the rows of a selection are read. */
interface SelectionReading {
	selection: Selection;
	read: ReadParameter;
	/** Maximum number of rows to read. */
	limit?: number;
	/** IDs of further columns whose values decide what is written. */
	needs?: readonly string[] | undefined;
}

/** Where rows are selected. */
interface Place {
	grid: Grid;
	fields: readonly Field[];
}

/** The selection that the inputs of an item describe. @throws InvalidInput */
export function selectionIn(
	{ parameter: read, option, timezone }: Pick<ItemContext, 'parameter' | 'option' | 'timezone'>,
	fields: readonly Field[],
): Selection {
	const filter = conditionsOf(read, fields, timezone);
	// §4.5: conditions that replace the view's filter make the view irrelevant to the selection.
	const viewId = filter && !option(combineWithView) ? undefined : read(optionalViewPicker);
	return { viewId, filter };
}

/**
 * Reads the full rows of a selection and checks each against the conditions and, if the service
 * returns it, the filter of the view.
 * @throws InvalidInput if the service returned a row that does not meet the conditions, or the list
 *   kept changing
 */
export async function selectedRows(
	client: Client,
	{ grid, fields }: Place,
	{ selection, read, limit, needs: further = [] }: SelectionReading,
): Promise<Entity[]> {
	const meetsConditions = rowTest(selection.filter ?? {}, fields);
	const view = await viewOf(client, fields, selection, read);
	const needs = [...columnsIn(selection.filter ?? {}), ...view.columns, ...further];
	const reading = client.entities.many(grid, { ...selection }, { limit, needs });
	const { items, unstable } = await pickedBy(optionalViewPicker, reading);
	if (unstable) throw unstableListError(grid);
	const isPartial = view.hidden.size > 0 || absentColumns(fields, items).length > 0;
	const rows = selection.viewId !== undefined && isPartial ? await inFull(client, grid, items, needs) : items;
	refuseNonMatching(grid, rows, (row) => meetsConditions(row) && view.test(row));
	return rows;
}

/** What a view hides of the rows read through it. */
interface ViewOfRows {
	/** Ids of the grid's columns that its rows lack. */
	hidden: ReadonlySet<string>;
	/** Ids of the columns in its filter. */
	columns: readonly string[];
	/** Its own filter; accepts every row if the filter is unknown or has unknown operators. */
	test: (row: Entity) => boolean;
}

async function viewOf(
	client: Client,
	fields: readonly Field[],
	{ viewId }: Selection,
	read: ReadParameter,
): Promise<ViewOfRows> {
	if (viewId === undefined) return { hidden: new Set(), columns: [], test: () => true };
	const { spaceId } = chosenReference(read);
	const view = await pickedBy(optionalViewPicker, client.grids.open({ spaceId, gridId: viewId }));
	// If the service does not return the columns of a view, the view may hide any column.
	const shown = new Set((await client.fields.of(view).catch(() => [])).map(({ id }) => id));
	const hidden = new Set(fields.flatMap(({ id }) => (shown.has(id) ? [] : [id])));
	const filter = filterOf(view) ?? {};
	return { hidden, columns: columnsIn(filter), test: knownTest(filter, fields) };
}

/** Accepts every row if the filter has an unknown operator. */
function knownTest(filter: Filter, fields: readonly Field[]): (row: Entity) => boolean {
	try {
		return rowTest(filter, fields);
	} catch {
		return () => true;
	}
}

/** The same rows with all columns, without rows deleted in the meantime. */
async function inFull(
	client: Client,
	grid: Grid,
	rows: readonly Entity[],
	needs: readonly string[],
): Promise<Entity[]> {
	const ids = rows.map(({ _id }) => _id);
	if (await isCheaperToReadAll(client, grid, ids.length)) {
		const wanted = new Set(ids);
		const keep = (entity: Entity) => (wanted.has(entity._id) ? entity : undefined);
		const { items, unstable } = await client.entities.manyAs(grid, keep, {}, { needs });
		if (unstable) throw unstableListError(grid);
		return items.filter((entity) => entity !== undefined);
	}
	const { outcomes, stoppedBy } = await client.session.limiter.run(
		ids,
		async (id) => {
			const reading = await outcomeOf(client.entities.get(grid, id));
			if (reading.state === 'done') return reading.value;
			if (reading.error instanceof NotFound) return undefined;
			throw reading.error;
		},
		{ stopOn: () => true },
	);
	if (stoppedBy) throw stoppedBy.error;
	return outcomes.flatMap((outcome) => (outcome.state === 'done' && outcome.value ? [outcome.value] : []));
}

/** The number of rows of a selection, from a single page if that proves it. */
export async function countRows(
	client: Client,
	{ grid, fields }: Place,
	{ selection, read }: { selection: Selection; read: ReadParameter },
): Promise<number> {
	const { viewId, filter } = selection;
	const meets = rowTest(filter ?? {}, fields);
	const reading = client.entities.page(grid, { ...selection });
	const { items, numberOfItems } = await pickedBy(optionalViewPicker, reading);
	if (numberOfItems !== undefined && !filter) return numberOfItems;
	const { hidden } = await viewOf(client, fields, selection, read);
	const notShown = new Set([...hidden, ...absentColumns(fields, items)]);
	const canBeChecked = !columnsIn(filter ?? {}).some((id) => notShown.has(id));
	if (canBeChecked) refuseNonMatching(grid, items, meets);
	if (numberOfItems !== undefined) {
		if (canBeChecked && items.length >= numberOfItems) return numberOfItems;
		// A lower count than without conditions proves that the service filters, but it may ignore
		// some of several comparisons.
		const all = comparisonsIn(filter ?? {}) === 1 ? await client.entities.count(grid, { viewId }) : 0;
		if (all !== undefined && numberOfItems < all) return numberOfItems;
	}
	return (await selectedRows(client, { grid, fields }, { selection, read })).length;
}

function refuseNonMatching(grid: Grid, rows: readonly Entity[], meets: (row: Entity) => boolean): void {
	const nonMatching = rows.filter((entity) => !meets(entity)).length;
	if (nonMatching > 0) throw ignoredConditions(grid, { nonMatching, all: rows.length });
}
