import { chosenGrid } from '../../shared/inputs/chosenGrid';
import { pickedBy } from '../../shared/inputs/locators';
import { requestsAtATime } from '../../shared/inputs/options';
import { expandLinkedRows } from '../../shared/inputs/linkedRows';
import { columnNaming, outputColumns, rowOutput } from '../../shared/inputs/outputOptions';
import { entityPicker } from '../../shared/inputs/pickers/entity';
import { expansionOf } from '../expandedRows';
import { concurrentOperation } from '../../shared/runner/operation';

export const get = concurrentOperation({
	value: 'get',
	name: 'Get',
	action: 'Get row',
	description: 'Get a row of a grid by its ID',
	on: chosenGrid,
	fields: [entityPicker, ...rowOutput, columnNaming],
	options: [expandLinkedRows, outputColumns, requestsAtATime],
	prepare: ({ grid, fields, ...context }) => ({
		grid,
		entityId: context.parameter(entityPicker),
		row: context.entityWriter(fields),
		expand: expansionOf(context, fields),
	}),
	perform: async ({ grid, entityId, row, expand }, client) =>
		await expand([row(await pickedBy(entityPicker, client.entities.get(grid, entityId)))]),
});
