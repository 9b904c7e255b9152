import { columnMapper } from '../../shared/inputs/columns/columnMapper';
import {
	combineConditions,
	IS_UNCONDITIONAL,
	jsonConditions,
	rowConditions,
} from '../../shared/inputs/selection/conditions';
import { columnsToClear } from '../../shared/inputs/options';
import { combineWithView } from '../../shared/inputs/selection/filters';
import { findLinkedRowsBy } from '../../shared/inputs/columns/linkedRows';
import { columnNaming, outputColumns } from '../../shared/inputs/output/outputOptions';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import type { ItemContext } from '../../shared/runner/context';
import { writeOperation } from '../writing/runLog';
import { selectionToChange } from '../reading/selectedRows';
import { writeSelected } from '../writing/selections';
import { changeLimit, limitPercent } from '../writing/changeLimits';
import { limits, writing } from '../writing/settings';
import { unknownOptions } from '../writing/unknownOptions';
import { requireValues, WriteReader } from '../writing/write';

const columns = columnMapper('update');
const limit = limitPercent(100);
const WITHOUT_VALUES =
	'Map a value to at least one column; with automatic mapping, name the fields of the item like the columns. To clear columns, choose them in "Columns to Clear".';

export const updateMany = writeOperation({
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
	fields: [optionalViewPicker, rowConditions('update'), columns, changeLimit],
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
		writing(),
	],
	async runAll(context) {
		const reader = new WriteReader(context, columns);
		const select = async (item: ItemContext) => {
			const cleared = item.option(columnsToClear);
			const write = await reader.read(item, cleared);
			if (cleared.length === 0) requireValues(write, WITHOUT_VALUES);
			return { ...write, selection: selectionToChange(item, write.fields) };
		};
		const results = await writeSelected(context, { kind: 'update', limit, select });
		reader.showHints(context);
		return results;
	},
});
