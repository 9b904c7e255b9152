import { z } from 'zod/v4';
import { InvalidInput } from '../../../client/errors';
import { chosenGrid, writableGridFields } from '../../shared/inputs/chosenGrid';
import { conditionsOf, rowConditions } from '../../shared/inputs/conditions';
import { dryRun } from '../../shared/inputs/dryRun';
import { combineWithView } from '../../shared/inputs/filters';
import { optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { columnNaming, outputColumns } from '../../shared/inputs/outputOptions';
import { parameter as input } from '../../shared/inputs/parameter';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { namesOf, rowWriter } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { runOnSelection } from '../selectionRun';
import { atMost, limitPercent } from '../selectedRows';

const allRows = input(
	{
		displayName: 'All Rows',
		name: 'allRows',
		type: 'boolean',
		default: false,
		description:
			'Whether to delete all rows of the grid or view if there is no condition. If off, no condition is refused.',
	},
	z.boolean(),
);
const limit = limitPercent(20);
const options = optionsOf(allRows, combineWithView, limit, outputColumns, requestsAtATime);

export const deleteMany: Operation = {
	value: 'deleteMany',
	name: 'Delete Many',
	action: 'Delete many entities',
	description: 'Delete all rows that meet conditions; they cannot be brought back',
	fields: [
		...writableGridFields,
		optionalViewPicker,
		...rowConditions('delete'),
		atMost,
		dryRun,
		columnNaming,
		options,
	],
	async runAll(context) {
		const known = new Set<string>();
		return await runOnSelection(context, { options, limit, verb: 'deleted' }, async (item) => {
			const { client, parameter, timezone, itemIndex } = item;
			const { grid, fields } = await chosenGrid(client, parameter);
			const option = parameter(options);
			const isAll = option(allRows);
			if (!conditionsOf(parameter, fields, timezone) && !isAll)
				throw new InvalidInput(
					'There is no condition, so all rows would be deleted',
					'Add one in "Conditions" or "Filter (JSON)", or switch on "All Rows" under Options.',
				);
			const by = parameter(columnNaming);
			const row = rowWriter(fields, { by, only: option(outputColumns), hint: context.hint });
			const names = namesOf(fields, by);
			return {
				grid,
				fields,
				step: (entity) => {
					const key = `${grid.id} ${entity._id}`;
					// Another item selects it, too, and deletes it.
					if (known.has(key)) return undefined;
					known.add(key);
					return { kind: 'delete', itemIndex, grid, entity, values: {}, row, names };
				},
			};
		});
	},
};
