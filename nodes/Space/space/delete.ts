import { chosenSpace } from '../../shared/inputs/chosenSpace';
import type { Operation } from '../../shared/runner/operation';
import { changeableSpacePicker } from '../../shared/inputs/pickers/space';
import { notice } from '../../shared/inputs/notice';

const warning = notice(
	'deletionNotice',
	'This deletes the space and everything in it: all grids with their entities, views, forms and pages. The service does not ask again, and it cannot be undone.',
);

export const deleteSpace: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a space',
	description: 'Delete a space and everything in it, for good: grids, entities, views, forms and pages',
	fields: [warning, changeableSpacePicker],
	async run({ client, parameter }) {
		const space = await chosenSpace(client, parameter);
		await client.spaces.remove(space);
		return { deleted: true, id: space.id, name: space.name };
	},
};
