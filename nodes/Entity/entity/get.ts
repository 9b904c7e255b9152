import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { expandLinkedRows } from '../../shared/inputs/columns/linkedRows';
import {
	columnNaming,
	outputColumns,
	rowOutput,
	simplifyRows,
} from '../../shared/inputs/output/outputOptions';
import { entityPicker } from '../../shared/inputs/pickers/entity';
import { expansionOf } from '../reading/expandedRows';
import { concurrentOperation } from '../../shared/runner/operation';

export const get = concurrentOperation({
	value: 'get',
	name: 'Get',
	action: 'Get row',
	description: 'Get a row of a grid by its ID',
	on: chosenGrid,
	fields: [entityPicker, ...rowOutput],
	options: [expandLinkedRows, columnNaming, outputColumns, simplifyRows],
	prepare: ({ grid, fields, ...context }) => ({
		grid,
		entityId: context.parameter(entityPicker),
		row: context.entityWriter(fields),
		expand: expansionOf(context, fields),
	}),
	perform: async ({ grid, entityId, row, expand }, client) =>
		await expand([row(await pickedBy(entityPicker, client.entities.get(grid, entityId)))]),
});
