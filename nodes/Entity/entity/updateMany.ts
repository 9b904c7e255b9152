import type { Entity } from '../../../client/resources/entities';
import type { Grid } from '../../../client/resources/grids';
import { writableGridFields } from '../../shared/inputs/chosenGrid';
import { columnMapper } from '../../shared/inputs/columnMapper';
import { rowConditions } from '../../shared/inputs/conditions';
import { dryRun } from '../../shared/inputs/dryRun';
import { combineWithView } from '../../shared/inputs/filters';
import { columnsToClear, optionsOf, requestsAtATime } from '../../shared/inputs/options';
import { columnNaming, outputColumns } from '../../shared/inputs/outputOptions';
import { optionalViewPicker } from '../../shared/inputs/pickers/view';
import { namesOf, rowWriter } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { differing } from '../outcome';
import { runOnSelection } from '../selectionRun';
import { atMost, limitPercent } from '../selectedRows';
import { refuseNothing, WriteReader } from '../write';

const columns = columnMapper('update');
const limit = limitPercent(100);
const options = optionsOf(columnsToClear, combineWithView, limit, outputColumns, requestsAtATime);

export const updateMany: Operation = {
	value: 'updateMany',
	name: 'Update Many',
	action: 'Update many entities',
	description: 'Write the same values to all rows that meet conditions',
	fields: [
		...writableGridFields,
		optionalViewPicker,
		...rowConditions('update'),
		columns,
		atMost,
		dryRun,
		columnNaming,
		options,
	],
	async runAll(context) {
		const reader = new WriteReader(columns);
		/** What each row holds after the items before. */
		const planned = new Map<Grid, Map<string, Entity>>();
		const results = await runOnSelection(context, { options, limit, verb: 'updated' }, async (item) => {
			const option = item.parameter(options);
			const write = await reader.read(item, option(columnsToClear));
			refuseNothing(write);
			const { grid, fields, values } = write;
			const by = item.parameter(columnNaming);
			const row = rowWriter(fields, { by, only: option(outputColumns), hint: context.hint });
			const names = namesOf(fields, by);
			const states = planned.get(grid) ?? new Map<string, Entity>();
			planned.set(grid, states);
			return {
				grid,
				fields,
				step: (read) => {
					const entity = states.get(read._id) ?? read;
					const changed = differing(fields, entity, values);
					states.set(read._id, { ...entity, ...changed });
					const kind = Object.keys(changed).length > 0 ? 'update' : 'unchanged';
					return { kind, itemIndex: item.itemIndex, grid, entity, values: changed, row, names };
				},
			};
		});
		reader.tell(context);
		return results;
	},
};
