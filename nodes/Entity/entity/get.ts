import { chosenGrid } from '../../shared/inputs/chosenGrid';
import { pickedBy } from '../../shared/inputs/locators';
import { requestsAtATime } from '../../shared/inputs/options';
import { columnNaming, outputColumns, simplify } from '../../shared/inputs/outputOptions';
import { entityPicker } from '../../shared/inputs/pickers/entity';
import { concurrentOperation } from '../../shared/runner/operation';

export const get = concurrentOperation({
	value: 'get',
	name: 'Get',
	action: 'Get row',
	description: 'Get a row of a grid by its ID',
	on: chosenGrid,
	fields: [entityPicker, simplify, columnNaming],
	options: [outputColumns, requestsAtATime],
	prepare: ({ grid, fields, parameter, entityWriter }) => ({
		grid,
		entityId: parameter(entityPicker),
		row: entityWriter(fields),
	}),
	perform: async ({ grid, entityId, row }, client) =>
		row(await pickedBy(entityPicker, client.entities.get(grid, entityId))),
});
