import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { combineConditions, jsonConditions, rowConditions } from '../../shared/inputs/selection/conditions';
import { combineWithView } from '../../shared/inputs/selection/filters';
import { fittingView } from '../../shared/inputs/pickers/fittingView';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { operation } from '../../shared/runner/operation';
import { countRows, selectionIn } from '../reading/selectedRows';

export const count = operation({
	value: 'count',
	name: 'Count',
	action: 'Count rows',
	description: 'Count the rows of a grid or view that meet conditions, without reading them all',
	on: chosenGrid,
	fields: [optionalViewPicker, rowConditions('count')],
	options: [combineConditions, combineWithView, jsonConditions],
	async run(context) {
		const { client, grid, fields, parameter, hint } = context;
		const selection = selectionIn(context, fields);
		await fittingView(client, context, selection.viewId, hint);
		return { count: await countRows(client, { grid, fields }, { selection, read: parameter }) };
	},
});
