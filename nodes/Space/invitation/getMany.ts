import { sharedSpace } from '../../shared/inputs/pickers/chosenSpace';
import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { operation } from '../../shared/runner/operation';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many invitations',
	description: 'List the open invitations to a space',
	on: sharedSpace,
	fields: [returnAll, limit, simplify],
	run: async ({ client, space, parameter, representAll }) =>
		representAll(await client.shares.invitations(space, resultLimit(parameter))),
});
