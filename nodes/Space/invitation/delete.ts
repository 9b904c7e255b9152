import { emailsOf } from '../../../client/resources/shares';
import { notice } from '../../shared/inputs/notice';
import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { chosenShare, invitationPicker } from '../../shared/inputs/pickers/share';
import { operation } from '../../shared/runner/operation';

export const deleteInvitation = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete invitation',
	description: 'Revoke an open invitation, so that the person gets no access to the space',
	on: sharedSpace,
	notice: notice('notice', 'The person can no longer accept the invitation.'),
	fields: [invitationPicker],
	async run({ client, space, parameter }) {
		const { items } = await client.shares.invitations(space);
		const invitation = chosenShare(items, parameter(invitationPicker), invitationPicker);
		await pickedBy(invitationPicker, client.shares.revoke(invitation));
		const [email] = emailsOf(invitation);
		return { deleted: true, id: invitation.id, email, role: invitation.role, spaceId: space.id };
	},
});
