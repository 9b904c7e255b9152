import { listOperation } from '../../shared/runner/listOperation';
import { chosenGrid } from '../../shared/inputs/pickers/chosenGrid';

export const getMany = listOperation({
	action: 'Get many forms',
	description: 'List the forms of a grid',
	on: chosenGrid,
	list: ({ client, grid }) => client.forms.list(grid),
});
