import { chosenSpace } from '../../shared/inputs/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { sharedSpacePicker } from '../../shared/inputs/pickers/space';
import { email, role } from './person';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a share',
	description: 'Share a space with a person, without sending a mail',
	fields: [sharedSpacePicker, email, role],
	async run({ client, parameter }) {
		const share = { email: parameter(email), role: parameter(role) };
		const space = await chosenSpace(client, parameter);
		const made = await client.shares.create(space, share);
		return { ...(made ? idOrAddress(made) : {}), ...share, spaceId: space.id };
	},
};
