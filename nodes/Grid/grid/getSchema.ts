import { gridOnly } from '../../shared/inputs/pickers/chosenGrid';
import { schemaRow } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';

export const getSchema = operation({
	value: 'getSchema',
	name: 'Get Schema',
	action: 'Get schema of grid',
	description: 'Get the JSON schema of the rows of a grid: its column IDs and the values that each accepts',
	on: gridOnly,
	fields: [],
	run: async ({ client, grid }) => schemaRow(await client.grids.schema(grid)),
});
