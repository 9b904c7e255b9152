import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import { combineWithView, selectionFields, selectionOf } from '../../shared/inputs/filters';
import { pickedBy } from '../../shared/inputs/locators';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/outputOptions';
import { rowWriter, driftHint, rawRow, unreadableRow } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { limit, returnAll } from '../../shared/inputs/paging';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';

const options = optionsOf(combineWithView, outputColumns, requestsAtATime);

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many entities',
	description: 'Read rows of a grid or of one of its views, filtered and sorted',
	fields: [
		...gridFields,
		optionalViewPicker,
		returnAll,
		limit,
		...selectionFields,
		simplify,
		columnNaming,
		options,
	],
	async run({ client: unlimited, parameter, hint, node }) {
		const option = parameter(options);
		const client = unlimited.limitedTo(option(requestsAtATime));
		const { grid, fields } = await chosenGrid(client, parameter);
		const viewId = parameter(optionalViewPicker);
		const compose = option(combineWithView);
		const query = {
			...selectionOf(parameter, fields, node.getTimezone()),
			...(viewId === undefined ? {} : { viewId, compose }),
		};
		const wanted = parameter(returnAll) ? undefined : parameter(limit);
		const row = parameter(simplify)
			? rowWriter(fields, { by: parameter(columnNaming), only: option(outputColumns), hint })
			: rawRow;
		const unreadable = (position: number, error: Error) => unreadableRow(node, position, error);
		const reading = client.entities.manyAs<object>(grid, { row, unreadable }, query, wanted);
		const { items, drift } = await pickedBy(optionalViewPicker, reading);
		if (drift) hint(driftHint(drift, grid.name));
		return items;
	},
};
