import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { operation } from '../../shared/runner/operation';
import { gridOfForms } from './chosenForm';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many forms',
	description: 'List the forms of a grid',
	on: gridOfForms,
	fields: [returnAll, limit, simplify],
	run: async ({ client, grid, parameter, representAll }) =>
		representAll(await client.forms.many(grid, resultLimit(parameter))),
});
