import { notice } from '../../shared/inputs/notice';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { chosenLink, publicLinkPicker } from '../../shared/inputs/pickers/publicLink';
import { operation } from '../../shared/runner/operation';
import { changeableGridOrView } from '../view/chosenView';

export const deleteLink = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete public link',
	description: 'Delete a public link, so that it no longer opens',
	on: changeableGridOrView,
	notice: notice('notice', 'The link stops working at once for everyone who has it.'),
	fields: [publicLinkPicker],
	async run({ client, grid, parameter }) {
		const { items } = await client.publicLinks.many(grid);
		const link = chosenLink(client, items, parameter(publicLinkPicker));
		await pickedBy(publicLinkPicker, client.publicLinks.remove(link));
		return { deleted: true, id: link.id, kind: link.kind, gridId: grid.id };
	},
});
