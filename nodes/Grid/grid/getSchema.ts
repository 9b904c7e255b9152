import { gridFields, openedGrid } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { schemaRow } from '../../shared/rows/output';

export const getSchema: Operation = {
	value: 'getSchema',
	name: 'Get Schema',
	action: 'Get the schema of a grid',
	description:
		'Read the JSON schema of the rows of a grid: which column IDs exist and which value each column allows',
	fields: gridFields,
	async run({ client, parameter }) {
		return schemaRow(await client.grids.schema(await openedGrid(client, parameter)));
	},
};
