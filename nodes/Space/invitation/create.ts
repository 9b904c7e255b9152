import { chosenSpace } from '../../shared/inputs/chosenSpace';
import { idOrAddress } from '../../shared/rows/output';
import type { Operation } from '../../shared/runner/operation';
import { sharedSpacePicker } from '../../shared/inputs/pickers/space';
import { email, role } from '../share/person';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create an invitation',
	description: 'Share a space with a person, who gets an invitation mail from the service',
	fields: [sharedSpacePicker, email, role],
	async run({ client, parameter }) {
		const invitation = { email: parameter(email), role: parameter(role) };
		const space = await chosenSpace(client, parameter);
		const made = await client.shares.invite(space, invitation);
		return { ...(made ? idOrAddress(made) : {}), ...invitation, spaceId: space.id };
	},
};
