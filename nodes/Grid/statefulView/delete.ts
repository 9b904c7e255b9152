import { notice } from '../../shared/inputs/notice';
import { operation } from '../../shared/runner/operation';
import { changeableStatefulView } from './chosenStatefulView';

export const deleteStatefulView = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete stateful view',
	description: 'Delete a stateful view; the rows of the grid remain',
	on: changeableStatefulView,
	notice: notice(
		'notice',
		'Deletes the stateful view for everyone who uses it. The rows of the grid remain.',
	),
	fields: [],
	async run({ client, grid, statefulView }) {
		await client.statefulViews.remove(grid, statefulView);
		return { deleted: true, id: statefulView.id, gridId: grid.id };
	},
});
