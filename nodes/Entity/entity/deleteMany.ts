import { InvalidInput } from '../../../client';
import { openGridWithFields } from '../../shared/inputs/pickers/chosenGrid';
import {
	combineConditions,
	IS_UNCONDITIONAL,
	jsonConditions,
	rowConditions,
} from '../../shared/inputs/selection/conditions';
import { combineWithView } from '../../shared/inputs/selection/filters';
import { columnNaming, outputColumns } from '../../shared/inputs/output/outputOptions';
import { toggle } from '../../shared/inputs/parameter';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import type { ItemContext } from '../../shared/runner/context';
import { operatorsIn } from '../../shared/rows/filterReading';
import { writeOperation } from '../writing/runLog';
import { selectionToChange } from '../reading/selectedRows';
import { writeSelected } from '../writing/selections';
import { changeLimit, limitPercent } from '../writing/changeLimits';
import { limits, writing } from '../writing/settings';

const allRows = toggle({
	displayName: 'All Rows',
	name: 'allRows',
	description:
		'Whether to delete all rows of the grid or view if there are no conditions. If off, the node fails without conditions.',
});
const limit = limitPercent(20);

export const deleteMany = writeOperation({
	value: 'deleteMany',
	name: 'Delete Many',
	action: 'Delete many rows',
	description: 'Delete all rows that meet conditions permanently',
	hintsBeforeRun: [
		{
			type: 'danger',
			when: `!$parameter.dryRun && $parameter.options?.allRows === true && ${IS_UNCONDITIONAL}`,
			message:
				'There are no conditions and "All Rows" is on: this run deletes every row of the grid or view, unless a limit stops it. Switch on "Dry Run" to see them first.',
		},
		{
			type: 'warning',
			when: `!$parameter.dryRun && $parameter.options?.limits?.values?.limitPercent >= 100 && !(${IS_UNCONDITIONAL})`,
			message:
				'"Limit (%)" is 100: if the conditions select every row, this run deletes them all, up to "Refuse Above". Switch on "Dry Run" to see them first.',
		},
	],
	fields: [optionalViewPicker, rowConditions('delete'), changeLimit],
	options: [
		allRows,
		combineConditions,
		combineWithView,
		jsonConditions,
		limits(limit),
		columnNaming,
		outputColumns,
		writing(),
	],
	async runAll(context) {
		return await writeSelected(context, { kind: 'delete', limit, select: selectToDelete });
	},
});

async function selectToDelete(item: ItemContext) {
	const { grid, fields } = await openGridWithFields(item.client, item.parameter);
	const selection = selectionToChange(item, fields);
	const mayBeAll = item.option(allRows);
	if (operatorsIn(selection.filter ?? {}).length === 0 && !mayBeAll)
		throw new InvalidInput(
			'There are no conditions, so all rows would be deleted',
			'Add a condition in "Conditions" or "Filter (JSON)", or switch on "All Rows" under Options.',
		);
	return { grid, fields, selection, values: {}, addsOptions: false };
}
