import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { schemaRow } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { includeSchema } from './includeSchema';
import { gridRow } from './gridRow';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get grid',
	description:
		'Get the name, key, properties and columns of a grid, and if wanted the JSON schema of its rows',
	on: chosenGrid,
	fields: [includeSchema, simplify],
	async run({ client, grid, fields, parameter }) {
		const row = gridRow({ ...grid, fields }, parameter(simplify));
		return parameter(includeSchema) ? { ...row, schema: schemaRow(await client.grids.schema(grid)) } : row;
	},
});
