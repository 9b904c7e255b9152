import { chosenSpace } from '../../shared/inputs/chosenSpace';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { sharedSpacePicker } from '../../shared/inputs/pickers/space';
import { listItems, representationRow } from '../../shared/rows/output';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many shares',
	description: 'List with whom a space is shared, and in which role',
	fields: [sharedSpacePicker, returnAll, limit, simplify],
	async run({ client, parameter, hint }) {
		const space = await chosenSpace(client, parameter);
		const found = await client.shares.many(space, resultLimit(parameter));
		return listItems(found, hint).map((share) => representationRow(share, parameter(simplify)));
	},
};
