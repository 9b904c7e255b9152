import { deepCopy } from 'n8n-workflow';
import type { Client } from '../../../client';
import type { Entity } from '../../../client/resources/entities';
import { Cache } from '../../../client/session/cache';
import type { Items } from '../../../client/session/paging';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
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
		const { client, grid, fields, parameter, option, entityWriter, timezone, hint, node } = context;
		const expand = expansionOf(context, fields);
		const viewId = parameter(optionalViewPicker);
		const compose = option(combineWithView);
		const query = {
			...selectionOf(parameter, fields, timezone),
			...(viewId === undefined ? {} : { viewId, compose }),
		};
		const row = entityWriter(fields);
		const lists = listsOf(client, row);
		const batch = batchOf(context, query, row);
		if (batch) {
			// Every row of a batch leads to the next one: it is read for the first of them only.
			if (lists.has(batch.key)) return [];
			const reading = lists.get(batch.key, async () => ({ items: await batch.read() }));
			return await expand((await pickedBy(optionalViewPicker, reading)).items);
		}
		const max = parameter(returnAll) ? undefined : parameter(limit);
		const unreadable = (position: number, error: Error) => unreadableRow(node, position, error);
		const key = JSON.stringify([grid.address, query, max]);
		const isRead = lists.has(key);
		const reading = lists.get(key, async () => {
			const check = new ConditionsCheck(grid, fields, query);
			const checked = (entity: Entity) => {
				check.see(entity);
				return row(entity);
			};
			const list = await client.entities.manyAs<object>(grid, { row: checked, unreadable }, query, max);
			check.end();
			return list;
		});
		const { items, unstable } = await pickedBy(optionalViewPicker, reading);
		if (unstable) hint(unstableHint(unstable, grid.name), 'warning');
		// Items must not share objects, because a later node may change one of them.
		const copy = (item: object) => (item instanceof FailedRow ? item : deepCopy(item));
		return await expand(isRead ? items.map(copy) : items);
	},
});

type Lists = Cache<Items<object>>;

/** Lists by client (one per execution) and by row writer. */
const known = new WeakMap<Client, WeakMap<object, Lists>>();

/** The lists read by this execution: items with the same query share one request. */
function listsOf(client: Client, row: object): Lists {
	const ofClient = known.get(client) ?? new WeakMap<object, Lists>();
	known.set(client, ofClient);
	const lists = ofClient.get(row) ?? new Cache<Items<object>>();
	ofClient.set(row, lists);
	return lists;
}
