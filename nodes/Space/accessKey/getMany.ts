import { simplify } from '../../shared/inputs/output/outputOptions';
import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many access keys',
	description: 'List the access keys of the account, without their secrets',
	on: account,
	fields: [returnAll, limit, simplify],
	run: async ({ client, parameter, representAll }) =>
		representAll(await client.accessKeys.many(resultLimit(parameter))),
});
