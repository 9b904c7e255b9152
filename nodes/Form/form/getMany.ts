import { listOperation } from '../../shared/runner/listOperation';
import { gridOfForms } from './chosenForm';

export const getMany = listOperation({
	action: 'Get many forms',
	description: 'List the forms of a grid',
	on: gridOfForms,
	list: ({ client, grid }) => client.forms.list(grid),
});
