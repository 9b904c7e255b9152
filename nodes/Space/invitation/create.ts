import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { email, role } from '../share/person';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create invitation',
	description: 'Share a space with a person, who gets an invitation by email',
	whenRejected: 'Check the email address and the role.',
	on: sharedSpace,
	fields: [email, role],
	async run({ client, space, parameter }) {
		const invitation = { email: parameter(email), role: parameter(role) };
		const created = await client.shares.invite(space, invitation);
		return { ...(created ? idOrAddress(created) : {}), ...invitation, spaceId: space.id };
	},
});
