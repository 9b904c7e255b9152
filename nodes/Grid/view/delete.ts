import { notice } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';
import { changeableView } from './chosenView';

export const deleteView = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete view',
	description: 'Delete a view; the rows of the grid remain',
	on: changeableView,
	notice: notice('notice', 'Deletes the view for everyone who uses it. The rows of the grid remain.'),
	fields: [],
	async run({ client, grid, view }) {
		await client.views.remove(grid, view);
		return { deleted: true, id: view.id, name: view.name, gridId: grid.id };
	},
});
