import { chosenSpace } from '../../shared/inputs/chosenSpace';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { sharedSpacePicker } from '../../shared/inputs/pickers/space';
import { listItems, representationRow } from '../../shared/rows/output';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many invitations',
	description: 'List the open invitations to a space',
	fields: [sharedSpacePicker, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const space = await chosenSpace(client, parameter);
		const found = await client.shares.invitations(space, resultLimit(parameter));
		return listItems(found, hint).map((invitation) => representationRow(invitation, parameter(simplify)));
	},
};
