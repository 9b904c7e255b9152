import { emailsOf } from '../../../client/resources/shares';
import { notice } from '../../shared/inputs/notice';
import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { chosenShare, sharePicker } from '../../shared/inputs/pickers/share';
import { operation } from '../../shared/runner/operation';

export const deleteShare = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete share',
	description: 'Remove the access of a person to a space',
	on: sharedSpace,
	notice: notice('notice', 'The person loses access to the space and its grids at once.'),
	fields: [sharePicker],
	async run({ client, space, parameter }) {
		const { items } = await client.shares.many(space);
		const share = chosenShare(items, parameter(sharePicker), sharePicker);
		await pickedBy(sharePicker, client.shares.remove(share));
		return { deleted: true, id: share.id, email: emailsOf(share)[0], role: share.role, spaceId: space.id };
	},
});
