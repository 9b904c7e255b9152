import type { Operation } from '../../shared/runner/operation';
import { chosenView, changeableViewFields } from './chosenView';
import { notice } from '../../shared/inputs/notice';

export const deleteView: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a view',
	description: 'Delete a view (virtual grid); the rows of the grid stay',
	fields: [
		notice('notice', 'This deletes the view for everybody who uses it. The rows of the grid stay.'),
		...changeableViewFields,
	],
	async run({ client, parameter }) {
		const { grid, view } = await chosenView(client, parameter);
		await client.views.remove(grid, view);
		return { deleted: true, id: view.id, name: view.name, gridId: grid.id };
	},
};
