import type { Operation } from '../../shared/runner/operation';
import { chosenStatefulView, changeableStatefulViewFields } from './chosenStatefulView';
import { notice } from '../../shared/inputs/notice';

export const deleteStatefulView: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a stateful view',
	description: 'Delete a stateful view; the rows of the grid stay',
	fields: [
		notice('notice', 'This deletes the stateful view for everybody who uses it. The rows of the grid stay.'),
		...changeableStatefulViewFields,
	],
	async run({ client, parameter }) {
		const { grid, statefulView } = await chosenStatefulView(client, parameter);
		await client.statefulViews.remove(grid, statefulView);
		return { deleted: true, id: statefulView.id, gridId: grid.id };
	},
};
