import type { Entity } from '../../../client/resources/entities';
import type { Grid } from '../../../client/resources/grids';
import { changeableGridFields } from '../../shared/inputs/pickers/chosenGrid';
import { columnMapper } from '../../shared/inputs/columns/columnMapper';
import { IS_UNCONDITIONAL, rowConditions } from '../../shared/inputs/selection/conditions';
import { dryRun } from '../../shared/inputs/dryRun';
import { combineWithView } from '../../shared/inputs/selection/filters';
import { columnsToClear, requestsAtATime } from '../../shared/inputs/options';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, outputColumns } from '../../shared/inputs/output/outputOptions';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { batchOperation } from '../../shared/runner/operation';
import { updateOf } from '../writing/rowChanges';
import { selectionIn } from '../selection/selectedRows';
import { runOnSelection } from '../selection/selectionRun';
import { changeLimit, limitPercent } from '../selection/changeLimits';
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
				'There are no conditions: this run writes to all rows of the grid or view, up to "At Most". Switch on "Dry Run" to see them first.',
		},
	],
	fields: [
		...changeableGridFields,
		optionalViewPicker,
		...rowConditions('update'),
		columns,
		changeLimit,
		dryRun,
		columnNaming,
	],
	options: [
		findLinkedRowsBy,
		columnsToClear,
		combineWithView,
		limit,
		outputColumns,
		requestsAtATime,
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
			return {
				grid,
				fields,
				addsOptions,
				selection: selectionIn(item, fields),
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
