import { choice } from '../../shared/inputs/choice';
import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { operation } from '../../shared/runner/operation';

const kind = choice(
	'kind',
	'Kind',
	{
		invitations: { name: 'Open Invitations', description: 'People who were invited and have no account yet' },
		shares: { name: 'Shares', description: 'Everyone with whom the space is shared' },
	},
	{ default: 'shares', description: 'Whether to list all shares or only open invitations' },
);

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many shares',
	description: 'List the people a space is shared with and their roles, or the open invitations',
	on: sharedSpace,
	fields: [kind, returnAll, limit, simplify],
	async run({ client, space, parameter, representAll }) {
		const most = resultLimit(parameter);
		const reading =
			parameter(kind) === 'shares' ? client.shares.many(space, most) : client.shares.invitations(space, most);
		return representAll(await reading);
	},
});
