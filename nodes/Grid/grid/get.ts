import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { operation } from '../../shared/runner/operation';
import { gridRow } from './gridRow';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get grid',
	description: 'Get the name, key, properties and columns of a grid',
	on: chosenGrid,
	fields: [simplify],
	run: ({ grid, fields, parameter }) => gridRow({ ...grid, fields }, parameter(simplify)),
});
