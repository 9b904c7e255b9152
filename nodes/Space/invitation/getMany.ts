import { chosenSpace } from '../../shared/chosenSpace';
import type { Operation } from '../../shared/operation';
import { simplify } from '../../shared/output';
import { limit, returnAll } from '../../shared/paging';
import { sharedSpacePicker } from '../../shared/pickers/space';
import { readSoundly, recordOf, wanted } from '../../shared/record';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many invitations',
	description: 'List the open invitations to a space',
	fields: [sharedSpacePicker, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const space = await chosenSpace(client, parameter);
		const found = await client.shares.invitations(space, wanted(parameter));
		return readSoundly(found, hint).map((invitation) => recordOf(invitation, parameter(simplify)));
	},
};
