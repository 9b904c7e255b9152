import { deepCopy } from 'n8n-workflow';
import {
	Cache,
	type Client,
	type EntitiesQuery,
	type Entity,
	type Field,
	type Items,
	oncePer,
	ownMember,
} from '../../../client';
import { chosenGrid, type ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { combineConditions, jsonConditions, rowConditions } from '../../shared/inputs/selection/conditions';
import { combineWithView, jsonSort, rowSelectionOf, rowSort } from '../../shared/inputs/selection/filters';
import { fittingView } from '../../shared/inputs/pickers/fittingView';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { expandLinkedRows } from '../../shared/inputs/columns/linkedRows';
import {
	columnNaming,
	outputColumns,
	rowOutput,
	simplifyRows,
} from '../../shared/inputs/output/outputOptions';
import { limit, returnAll } from '../../shared/inputs/selection/paging';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { unstableHint } from '../../shared/rows/output';
import { batchOf, batchCursor } from '../reading/batchRows';
import { expansionOf } from '../reading/expandedRows';
import { ConditionsCheck, firstSortedColumn, ignoresSorting } from '../reading/listChecks';
import type { ItemContext } from '../../shared/runner/context';
import { shownFor } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';
import { onlyFirstColumns, searchedRows, searchText, withoutSearch } from '../reading/search';

const optionWithoutSearch = { '/searchText': [''] };
const batches = shownFor(batchCursor, optionWithoutSearch);
const combine = shownFor(combineWithView, optionWithoutSearch);

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many rows',
	description:
		'Get the rows of a grid or view that meet conditions or contain a text, in an order you choose',
	on: chosenGrid,
	fields: [
		optionalViewPicker,
		searchText,
		returnAll,
		limit,
		shownFor(rowConditions('return'), withoutSearch),
		...rowOutput,
	],
	options: [
		batches,
		combine,
		expandLinkedRows,
		shownFor(combineConditions, optionWithoutSearch),
		shownFor(jsonConditions, optionWithoutSearch),
		columnNaming,
		onlyFirstColumns,
		outputColumns,
		simplifyRows,
		shownFor(rowSort, optionWithoutSearch),
		shownFor(jsonSort, optionWithoutSearch),
	],
	async run(context) {
		const { client, grid, fields, parameter, option, entityWriter, timezone, hint } = context;
		const expand = expansionOf(context, fields);
		const isPreview = option(onlyFirstColumns);
		if (parameter(searchText) !== '')
			return await expand((await searchedRows(context, isPreview)).map(entityWriter(fields)));
		const viewId = parameter(optionalViewPicker);
		const compose = option(combine);
		const query = {
			...rowSelectionOf(parameter, fields, timezone),
			...(viewId === undefined ? {} : { viewId, compose }),
		};
		// §4.5: conditions that replace the view's filter make its own irrelevant.
		if (compose || query.filter === undefined) await fittingView(client, context, viewId, hint);
		const row = entityWriter(fields);
		const check = new ConditionsCheck(grid, fields, query);
		const checked = (entity: Entity) => {
			check.see(entity);
			return row(entity);
		};
		const lists = listsOf(client)(row);
		const batch = batchOf(context, query, checked);
		if (!batch) return await expand(await rowsOfList(context, { query, lists, checked, check }));
		// All rows of a batch have the same cursor, so the next batch is read for the first row only.
		if (lists.has(batch.key)) return [];
		const reading = lists.get(batch.key, async () => {
			const items = await batch.read();
			check.end();
			return { items };
		});
		return await expand((await pickedBy(optionalViewPicker, reading)).items);
	},
});

interface ListRequest {
	query: EntitiesQuery;
	lists: ListCache;
	/** Writes a row, and checks it against the conditions. */
	checked: (entity: Entity) => object;
	check: ConditionsCheck;
}

/** Reads a list, once for all items with the same query. */
async function rowsOfList(
	{ client, grid, fields, parameter, hint }: ItemContext & ChosenGrid,
	{ query, lists, checked, check }: ListRequest,
): Promise<object[]> {
	const max = parameter(returnAll) ? undefined : parameter(limit);
	const sortedBy = firstSortedColumn(fields, query.sorting);
	/** By row, the values in the column that the list is sorted by. */
	const values = new Map<object, unknown>();
	const keep = (entity: Entity): object => {
		const row = checked(entity);
		if (sortedBy) values.set(row, ownMember(entity, sortedBy.id));
		return row;
	};
	const key = JSON.stringify([grid.address, query, max]);
	const isRead = lists.has(key);
	const reading = lists.get(key, async () => {
		const list = await client.entities.manyAs(grid, keep, query, max);
		check.end();
		const inOrder = sortedBy ? list.items.map((row) => values.get(row)) : [];
		values.clear();
		if (sortedBy && !list.unstable && ignoresSorting(sortedBy, query.sorting, inOrder))
			hint(unsortedHint(sortedBy, max), 'warning');
		return list;
	});
	const { items, unstable } = await pickedBy(optionalViewPicker, reading);
	if (unstable) hint(unstableHint(unstable, grid.name), 'warning');
	// Items must not share objects, because a later node may change one of them.
	return isRead ? items.map((item) => deepCopy(item)) : items;
}

function unsortedHint({ name }: Field, max: number | undefined): string {
	const effect =
		max === undefined
			? 'Sort them in a later node.'
			: 'The first rows may not be the right ones: switch on Return All, then sort and limit the rows in later nodes.';
	return `The service did not sort the rows by "${name}" as requested. ${effect}`;
}

type ListCache = Cache<Items<object>>;

/** The lists read by this execution, by row writer: items with the same query share one request. */
const listsOf = oncePer<Client, (row: object) => ListCache>(() => oncePer(() => new Cache()));
