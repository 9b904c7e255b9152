import { gridFields } from '../../shared/chosenGrid';
import type { Operation } from '../../shared/operation';
import { gridPicker, gridReference } from '../../shared/pickers/grid';
import { gridSpacePicker } from '../../shared/pickers/space';
import { schemaRow } from '../representation';

export const getSchema: Operation = {
	value: 'getSchema',
	name: 'Get Schema',
	action: 'Get the schema of a grid',
	description:
		'Read the JSON schema of the rows of a grid: which column IDs exist and which value each column allows',
	fields: gridFields,
	async run({ client, parameter }) {
		const grid = await client.grids.open(gridReference(parameter(gridPicker), parameter(gridSpacePicker)));
		return schemaRow(await client.grids.schema(grid));
	},
};
