import {
	absentColumns,
	type Client,
	type Entity,
	type Field,
	type Filter,
	filterOf,
	type Grid,
	InvalidInput,
	isJsonObject,
	NotFound,
} from '../../../client';
import { chosenReference } from '../../shared/inputs/pickers/chosenGrid';
import { rowFilterOf } from '../../shared/inputs/selection/conditions';
import { combineWithView } from '../../shared/inputs/selection/filters';
import { fittingView } from '../../shared/inputs/pickers/fittingView';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import type { ReadParameter } from '../../shared/inputs/parameter';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { unstableListError } from '../../shared/rows/unstableListError';
import type { GridColumns } from '../../shared/rows/viewFit';
import { valuesOf } from '../../shared/runner/bulk';
import type { ItemContext } from '../../shared/runner/context';
import {
	columnsIn,
	filterReading,
	looseFilterReading,
	operatorsIn,
	type Answer,
} from '../../shared/rows/filterReading';
import { ignoredConditions } from './listChecks';
import { isCheaperToReadAll } from '../keys/findRows';

/** Which rows an item selects. */
export interface Selection {
	viewId: string | undefined;
	filter: Filter | undefined;
}

interface SelectionReading {
	selection: Selection;
	read: ReadParameter;
	/** Maximum number of rows to read. */
	limit?: number;
	/** IDs of further columns whose values decide what is written. */
	needs?: readonly string[] | undefined;
}

/** The ids of the columns that a filter compares with an empty text. */
function columnsWithEmptyText(filter: Filter): string[] {
	return Object.entries(filter).flatMap(([name, condition]) => {
		if (!name.startsWith('$')) return hasEmptyText(condition) ? [name] : [];
		return [condition].flat().filter(isJsonObject).flatMap(columnsWithEmptyText);
	});
}

function hasEmptyText(part: unknown): boolean {
	// An expression may return an object with undefined members, which JSON leaves out.
	if (part === undefined) return true;
	if (typeof part === 'string') return part.trim() === '';
	return typeof part === 'object' && part !== null && Object.values(part).some(hasEmptyText);
}

/** The selection that the inputs of an item describe. @throws InvalidInput */
export function selectionIn(
	{ parameter: read, option, timezone }: Pick<ItemContext, 'parameter' | 'option' | 'timezone'>,
	fields: readonly Field[],
): Selection {
	const filter = rowFilterOf(read, fields, timezone);
	// §4.5: conditions that replace the view's filter make the view irrelevant to the selection.
	const viewId = filter && !option(combineWithView) ? undefined : read(optionalViewPicker);
	return { viewId, filter };
}

/**
 * The same for an operation that writes. An empty text in a condition, which an expression without
 * a value returns, would select every row that has a text.
 * @throws InvalidInput
 */
export function selectionToChange(item: ItemContext, fields: readonly Field[]): Selection {
	const selection = selectionIn(item, fields);
	const [column] = columnsWithEmptyText(selection.filter ?? {});
	if (column === undefined) return selection;
	const { name } = fields.find(({ id }) => id === column) ?? { name: column };
	throw new InvalidInput(
		`The condition on "${name}" compares with an empty text; nothing was written`,
		'Enter a value in "Conditions" or "Filter (JSON)", check the expression that returns it, or choose "Is Empty".',
	);
}

/**
 * Reads the rows of a selection in order to change them. Rows that the service included although a
 * text differs in case, or a compared cell is empty, are left out.
 * @throws InvalidInput if the view no longer fits the columns, the service returned a row that does
 *   not meet the conditions, or the list kept changing
 */
export async function selectedRows(
	client: Client,
	place: GridColumns,
	reading: SelectionReading,
): Promise<Entity[]> {
	const { limit, ...unlimited } = reading;
	await fittingView(client, place, reading.selection.viewId);
	const answerOf = filterReading(reading.selection.filter ?? {}, place.fields);
	const { rows, isCut } = await checkedRows(client, place, reading);
	const selected = rows.filter((row) => answerOf(row, true) !== 'fails');
	// After the rows that are left out, the list may go on with others.
	return isCut && selected.length !== limit ? await selectedRows(client, place, unlimited) : selected;
}

/**
 * Reads the full rows of a selection and checks each against the conditions and, if the service
 * returns it, the filter of the view. `isCut`: the list may have more rows than the limit.
 * @throws what `selectedRows` throws
 */
async function checkedRows(
	client: Client,
	{ grid, fields }: GridColumns,
	{ selection, read, limit, needs: further = [] }: SelectionReading,
): Promise<{ rows: Entity[]; isCut: boolean }> {
	const { filter = {} } = selection;
	const answerOf = filterReading(filter, fields);
	const view = await viewOf(client, fields, selection, read);
	const needs = [...columnsIn(filter), ...view.columns, ...further];
	const reading = client.entities.many(grid, { ...selection }, { limit, needs });
	const { items, unstable } = await pickedBy(optionalViewPicker, reading);
	if (unstable) throw unstableListError(grid);
	const isPartial = view.hidden.size > 0 || absentColumns(fields, items).length > 0;
	const rows = selection.viewId !== undefined && isPartial ? await inFull(client, grid, items, needs) : items;
	refuseNonMatching(grid, filter, rows, answerOf);
	refuseNonMatching(grid, view.filter, rows, view.answerOf);
	return { rows, isCut: items.length === limit };
}

/** What a view hides of the rows read through it. */
interface ViewOfRows {
	/** Ids of the grid's columns that its rows lack. */
	hidden: ReadonlySet<string>;
	/** Ids of the columns in its filter. */
	columns: readonly string[];
	/** Its own filter, if the service returns it. */
	filter: Filter;
	answerOf: (row: Entity) => Answer;
}

async function viewOf(
	client: Client,
	fields: readonly Field[],
	{ viewId }: Selection,
	read: ReadParameter,
): Promise<ViewOfRows> {
	if (viewId === undefined) return { hidden: new Set(), columns: [], filter: {}, answerOf: () => 'meets' };
	const { spaceId } = chosenReference(read);
	const view = await pickedBy(optionalViewPicker, client.grids.open({ spaceId, gridId: viewId }));
	// If the service does not return the columns of a view, the view may hide any column.
	const shown = new Set((await client.fields.of(view).catch(() => [])).map(({ id }) => id));
	const hidden = new Set(fields.flatMap(({ id }) => (shown.has(id) ? [] : [id])));
	const filter = filterOf(view) ?? {};
	return { hidden, columns: columnsIn(filter), filter, answerOf: looseFilterReading(filter, fields) };
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
	return await readPresent(client, ids, async (id) => await client.entities.get(grid, id));
}

/** Reads rows one by one. Those deleted meanwhile are left out. */
export async function readPresent<Row>(
	client: Client,
	rows: readonly Row[],
	read: (row: Row) => Promise<Entity>,
): Promise<Entity[]> {
	const stopOn = (error: unknown) => !(error instanceof NotFound);
	const { outcomes, stoppedBy } = await client.session.limiter.run(rows, read, { stopOn });
	if (stoppedBy) throw stoppedBy.error;
	return valuesOf(outcomes);
}

/** The number of rows of a selection, from a single page if that proves it. */
export async function countRows(
	client: Client,
	{ grid, fields }: GridColumns,
	{ selection, read }: { selection: Selection; read: ReadParameter },
): Promise<number> {
	const { viewId, filter } = selection;
	const answerOf = filterReading(filter ?? {}, fields);
	const reading = client.entities.page(grid, { ...selection });
	const { items, numberOfItems } = await pickedBy(optionalViewPicker, reading);
	if (!filter) return numberOfItems;
	const { hidden } = await viewOf(client, fields, selection, read);
	const notShown = new Set([...hidden, ...absentColumns(fields, items)]);
	const canBeChecked = !columnsIn(filter).some((id) => notShown.has(id));
	if (canBeChecked) refuseNonMatching(grid, filter, items, answerOf);
	if (canBeChecked && items.length >= numberOfItems) return numberOfItems;
	// A lower count than without conditions proves that the service filters, but it may ignore some
	// of several comparisons.
	const all = operatorsIn(filter).length === 1 ? await client.entities.count(grid, { viewId }) : 0;
	if (numberOfItems < all) return numberOfItems;
	return (await checkedRows(client, { grid, fields }, { selection, read })).rows.length;
}

function refuseNonMatching(
	grid: Grid,
	filter: Filter,
	rows: readonly Entity[],
	answerOf: (row: Entity) => Answer,
): void {
	const nonMatching = rows.filter((row) => answerOf(row) === 'fails').length;
	if (nonMatching > 0) throw ignoredConditions(grid, filter, { nonMatching, all: rows.length });
}
