import { toggle } from '../../shared/inputs/parameter';
import { emailOf, roleOf } from '../../shared/inputs/person';
import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';

const email = emailOf('The email address of the person');
const role = roleOf('What the person may do in the space');

const sendEmail = toggle({
	displayName: 'Send an Email',
	name: 'sendEmail',
	description: 'Whether the service sends the person an invitation by email',
});

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Share space',
	description: 'Share a space with a person, with or without an email',
	whenRejected: 'Check the email address and the role.',
	on: sharedSpace,
	fields: [email, role, sendEmail],
	async run({ client, space, parameter }) {
		const share = { email: parameter(email), role: parameter(role) };
		const isInvited = parameter(sendEmail);
		const created = isInvited
			? await client.shares.invite(space, share)
			: await client.shares.create(space, share);
		return { ...(created ? idOrAddress(created) : {}), ...share, emailSent: isInvited, spaceId: space.id };
	},
});
