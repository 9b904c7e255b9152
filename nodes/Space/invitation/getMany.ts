import { chosenSpace } from '../../shared/inputs/chosenSpace';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { limit, returnAll } from '../../shared/inputs/paging';
import { sharedSpacePicker } from '../../shared/inputs/pickers/space';
import { readSoundly, recordOf, wanted } from '../../shared/rows/representation';

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
