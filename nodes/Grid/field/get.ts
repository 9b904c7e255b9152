import { simplify } from '../../shared/inputs/output/outputOptions';
import { operation } from '../../shared/runner/operation';
import { chosenField } from './chosenField';
import { fieldRow } from '../grid/gridRow';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get column',
	description: 'Get the name, key, type and description of a column',
	on: chosenField,
	fields: [simplify],
	run: async ({ client, grid, field, parameter }) =>
		fieldRow(await client.fields.get(grid, field), parameter(simplify)),
});
