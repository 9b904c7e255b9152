import { account } from '../../shared/inputs/target';
import { listOperation } from '../../shared/runner/listOperation';

export const getMany = listOperation({
	action: 'Get many access keys',
	description: 'List the access keys of the account, without their secrets',
	on: account,
	list: ({ client }) => client.accessKeys.list(),
});
