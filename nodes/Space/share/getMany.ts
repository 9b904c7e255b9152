import { choice } from '../../shared/inputs/choice';
import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { listOperation } from '../../shared/runner/listOperation';

const kind = choice(
	'kind',
	'Kind',
	{
		invitations: { name: 'Open Invitations', description: 'People who were invited and have no account yet' },
		shares: { name: 'Shares', description: 'Everyone with whom the space is shared' },
	},
	{ default: 'shares', description: 'Whether to list all shares or only open invitations' },
);

export const getMany = listOperation({
	action: 'Get many shares',
	description: 'List the people a space is shared with and their roles, or the open invitations',
	on: sharedSpace,
	fields: [kind],
	list: ({ client, space, parameter }) =>
		parameter(kind) === 'shares' ? client.shares.list(space) : client.shares.invitationList(space),
});
