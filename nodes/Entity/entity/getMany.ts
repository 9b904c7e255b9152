import { chosenGrid } from '../../shared/inputs/chosenGrid';
import { combineWithView, selectionFields, selectionOf } from '../../shared/inputs/selection/filters';
import { pickedBy } from '../../shared/inputs/locators';
import { requestsAtATime } from '../../shared/inputs/options';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll } from '../../shared/inputs/selection/paging';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { driftHint, unreadableRow } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many rows',
	description: 'Get rows of a grid or view, filtered and sorted',
	on: chosenGrid,
	fields: [optionalViewPicker, returnAll, limit, ...selectionFields, simplify, columnNaming],
	options: [combineWithView, outputColumns, requestsAtATime],
	async run({ client, grid, fields, parameter, option, entityWriter, timezone, hint, node }) {
		const viewId = parameter(optionalViewPicker);
		const compose = option(combineWithView);
		const query = {
			...selectionOf(parameter, fields, timezone),
			...(viewId === undefined ? {} : { viewId, compose }),
		};
		const max = parameter(returnAll) ? undefined : parameter(limit);
		const row = entityWriter(fields);
		const unreadable = (position: number, error: Error) => unreadableRow(node, position, error);
		const reading = client.entities.manyAs<object>(grid, { row, unreadable }, query, max);
		const { items, drift } = await pickedBy(optionalViewPicker, reading);
		if (drift) hint(driftHint(drift, grid.name));
		return items;
	},
});
