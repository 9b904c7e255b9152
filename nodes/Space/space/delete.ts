import { changeableSpace } from '../../shared/inputs/pickers/chosenSpace';
import { notice } from '../../shared/inputs/parameter';
import { operation } from '../../shared/runner/operation';

export const deleteSpace = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete space',
	description: 'Delete a space permanently, with all its grids, rows, views, forms and pages',
	on: changeableSpace,
	notice: notice(
		'deletionNotice',
		'Deletes the space and everything in it at once: all grids with their rows, views, forms and pages. This cannot be undone.',
	),
	fields: [],
	async run({ client, space }) {
		await client.spaces.remove(space);
		return { deleted: true, id: space.id, name: space.name };
	},
});
