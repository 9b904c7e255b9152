import { deepCopy } from 'n8n-workflow';
import type { Client } from '../../../client';
import { ownMember } from '../../../client/formats/json';
import type { EntitiesQuery, Entity } from '../../../client/resources/entities';
import type { Field } from '../../../client/resources/fields';
import { Cache } from '../../../client/session/cache';
import type { Items } from '../../../client/session/paging';
import { chosenGrid, type ChosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { combineWithView, selectionFields, selectionOf } from '../../shared/inputs/selection/filters';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { requestsAtATime } from '../../shared/inputs/options';
import { expandLinkedRows } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, outputColumns, rowOutput } from '../../shared/inputs/output/outputOptions';
import { limit, returnAll } from '../../shared/inputs/selection/paging';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { unstableHint, FailedRow, unreadableRow } from '../../shared/rows/output';
import { batchOf } from '../batch/batchRows';
import { batchCursor } from '../batch/cursor';
import { expansionOf } from '../output/expandedRows';
import { ConditionsCheck } from '../selection/ignoredConditions';
import { firstSortedColumn, ignoresSorting } from '../selection/ignoredSorting';
import type { ItemContext } from '../../shared/runner/context';
import { operation } from '../../shared/runner/operation';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many rows',
	description: 'Get rows of a grid or view, filtered and sorted',
	on: chosenGrid,
	fields: [optionalViewPicker, returnAll, limit, ...selectionFields, ...rowOutput, columnNaming],
	options: [batchCursor, combineWithView, expandLinkedRows, outputColumns, requestsAtATime],
	async run(context) {
		const { client, grid, fields, parameter, option, entityWriter, timezone } = context;
		const expand = expansionOf(context, fields);
		const viewId = parameter(optionalViewPicker);
		const compose = option(combineWithView);
		const query = {
			...selectionOf(parameter, fields, timezone),
			...(viewId === undefined ? {} : { viewId, compose }),
		};
		const row = entityWriter(fields);
		const check = new ConditionsCheck(grid, fields, query);
		const checked = (entity: Entity) => {
			check.see(entity);
			return row(entity);
		};
		const lists = listsOf(client, row);
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

interface ListReading {
	query: EntitiesQuery;
	lists: Lists;
	/** Writes a row, and checks it against the conditions. */
	checked: (entity: Entity) => object;
	check: ConditionsCheck;
}

/** Reads a list, once for all items with the same query. */
async function rowsOfList(
	{ client, grid, fields, parameter, hint, node }: ItemContext & ChosenGrid,
	{ query, lists, checked, check }: ListReading,
): Promise<object[]> {
	const max = parameter(returnAll) ? undefined : parameter(limit);
	const sortedBy = firstSortedColumn(fields, query.sorting);
	/** By row, the values in the column that the list is sorted by. */
	const values = new Map<object, unknown>();
	const keep = {
		row: (entity: Entity): object => {
			const row = checked(entity);
			if (sortedBy) values.set(row, ownMember(entity, sortedBy.id));
			return row;
		},
		unreadable: (position: number, error: Error): object => unreadableRow(node, position, error),
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
	const copy = (item: object) => (item instanceof FailedRow ? item : deepCopy(item));
	return isRead ? items.map(copy) : items;
}

function unsortedHint({ name }: Field, max: number | undefined): string {
	const effect =
		max === undefined
			? 'Sort them in a later node.'
			: 'The first rows may not be the right ones: switch on Return All, then sort and limit the rows in later nodes.';
	return `The service did not sort the rows by "${name}" as requested. ${effect}`;
}

type Lists = Cache<Items<object>>;

/** Lists by client (one per execution) and by row writer. */
const listsByClient = new WeakMap<Client, WeakMap<object, Lists>>();

/** The lists read by this execution: items with the same query share one request. */
function listsOf(client: Client, row: object): Lists {
	const ofClient = listsByClient.get(client) ?? new WeakMap<object, Lists>();
	listsByClient.set(client, ofClient);
	const lists = ofClient.get(row) ?? new Cache<Items<object>>();
	ofClient.set(row, lists);
	return lists;
}
