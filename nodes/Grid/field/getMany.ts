import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { operation } from '../../shared/runner/operation';
import { fieldRow } from '../grid/gridRow';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many columns',
	description: 'List the columns of a grid from left to right',
	on: chosenGrid,
	fields: [returnAll, limit, simplify],
	run: ({ fields, parameter }) =>
		fields.slice(0, resultLimit(parameter)).map((field) => fieldRow(field, parameter(simplify))),
});
