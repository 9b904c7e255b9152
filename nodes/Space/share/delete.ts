import { emailsOf, readList, shareId } from '../../../client';
import { notice } from '../../shared/inputs/parameter';
import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { pickedBy } from '../../shared/inputs/pickers/locators';
import { chosenShare, isSamePerson, sharePicker } from '../../shared/inputs/pickers/share';
import { operation } from '../../shared/runner/operation';

export const deleteShare = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete share',
	description: 'Remove the access of a person to a space, or revoke an open invitation',
	on: sharedSpace,
	notice: notice(
		'notice',
		'The person loses access to the space and its grids at once, or can no longer accept the invitation.',
	),
	fields: [sharePicker],
	async run({ client, space, parameter }) {
		const { items: shares } = await readList(client.shares.list(space));
		const { items: invitations } = await readList(client.shares.invitationList(space));
		const withoutShare = invitations.filter((invitation) => !shares.some(isSamePerson(invitation)));
		const share = chosenShare([...shares, ...withoutShare], parameter(sharePicker), sharePicker);
		const isInvitation = withoutShare.includes(share);
		const removing = isInvitation ? client.shares.revoke(share) : client.shares.remove(share);
		await pickedBy(sharePicker, removing);
		const others = invitations.filter((one) => shareId(one) !== shareId(share)).filter(isSamePerson(share));
		// A service may keep the invitation of a person apart from the share.
		for (const other of isInvitation ? [] : others) await client.shares.revoke(other);
		const [email] = emailsOf(share);
		return { deleted: true, id: share.id, email, role: share.role, isInvitation, spaceId: space.id };
	},
});
