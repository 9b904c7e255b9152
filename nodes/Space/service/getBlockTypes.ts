import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

export const getBlockTypes = operation({
	value: 'getBlockTypes',
	name: 'Get Block Types',
	action: 'Get block types',
	description: 'List the types of blocks and form inputs, each with a sample definition',
	on: account,
	fields: [returnAll, limit],
	run: async ({ client, parameter }) => (await client.meta.blockTypes()).slice(0, resultLimit(parameter)),
});
