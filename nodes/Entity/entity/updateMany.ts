import type { Entity, Grid } from '../../../client';
import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper } from '../../shared/inputs/columns/columnMapper';
import {
	combineConditions,
	IS_UNCONDITIONAL,
	jsonConditions,
	rowConditions,
} from '../../shared/inputs/selection/conditions';
import { dryRun, columnsToClear } from '../../shared/inputs/options';
import { combineWithView } from '../../shared/inputs/selection/filters';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, outputColumns } from '../../shared/inputs/output/outputOptions';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { batchOperation } from '../../shared/runner/operation';
import { updateOf } from '../writing/plan';
import { selectionIn, refuseEmptyTexts } from '../reading/selectedRows';
import { rowsPerRun } from '../writing/rowsPerRun';
import { runOnSelection } from '../writing/selectionRun';
import { changeLimit, limitPercent } from '../writing/changeLimits';
import { limits } from '../writing/settings';
import { unknownOptions } from '../writing/unknownOptions';
import { requireValues, WriteReader } from '../writing/write';

const columns = columnMapper('update');
const limit = limitPercent(100);
const WITHOUT_VALUES =
	'Map a value to at least one column; with automatic mapping, name the fields of the item like the columns. To clear columns, choose them in "Columns to Clear".';

export const updateMany = batchOperation({
	value: 'updateMany',
	name: 'Update Many',
	action: 'Update many rows',
	description: 'Write the same values to all rows that meet conditions',
	hintsBeforeRun: [
		{
			type: 'warning',
			when: `!$parameter.dryRun && ${IS_UNCONDITIONAL}`,
			message:
				'There are no conditions: this run writes to all rows of the grid or view, up to "Refuse Above". Switch on "Dry Run" to see them first.',
		},
	],
	fields: [
		...changeableGridFields,
		optionalViewPicker,
		rowConditions('update'),
		columns,
		changeLimit,
		dryRun,
		rowsPerRun,
	],
	options: [
		findLinkedRowsBy,
		columnsToClear,
		combineConditions,
		combineWithView,
		jsonConditions,
		limits(limit),
		columnNaming,
		outputColumns,
		unknownOptions,
	],
	async runAll(context) {
		const reader = new WriteReader(context, columns);
		/** Each row as the preceding items leave it. */
		const planned = new Map<Grid, Map<string, Entity>>();
		const results = await runOnSelection(context, { limit, verb: 'updated' }, async (item) => {
			const cleared = item.option(columnsToClear);
			const write = await reader.read(item, cleared);
			if (cleared.length === 0) requireValues(write, WITHOUT_VALUES);
			const { grid, fields, values, addsOptions } = write;
			const row = item.rowWriter(fields);
			const names = item.columnNames(fields);
			const states = planned.get(grid) ?? new Map<string, Entity>();
			planned.set(grid, states);
			const selection = selectionIn(item, fields);
			refuseEmptyTexts(selection, fields);
			return {
				grid,
				fields,
				addsOptions,
				selection,
				needs: Object.keys(values),
				step: (read) => {
					const entity = states.get(read._id) ?? read;
					const change = updateOf(fields, entity, values);
					states.set(read._id, { ...entity, ...change.values });
					return { ...change, itemIndex: item.itemIndex, grid, row, names };
				},
			};
		});
		reader.showHints(context);
		return results;
	},
});
