import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

export const getFlowNodeTypes = operation({
	value: 'getFlowNodeTypes',
	name: 'Get Flow Node Types',
	action: 'Get flow node types',
	description: 'List the types of nodes that flows of the service can contain',
	on: account,
	fields: [returnAll, limit],
	async run({ client, parameter }) {
		const names = await client.meta.flowNodeTypes();
		return names.slice(0, resultLimit(parameter)).map((name) => ({ name }));
	},
});
