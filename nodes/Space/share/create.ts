import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import { operation } from '../../shared/runner/operation';
import { email, role } from './person';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create share',
	description: 'Share a space with a person, without sending an email',
	whenRejected: 'Check the email address and the role.',
	on: sharedSpace,
	fields: [email, role],
	async run({ client, space, parameter }) {
		const share = { email: parameter(email), role: parameter(role) };
		const created = await client.shares.create(space, share);
		return { ...(created ? idOrAddress(created) : {}), ...share, spaceId: space.id };
	},
});
