import type { Operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';

export const getFlowNodeTypes: Operation = {
	value: 'getFlowNodeTypes',
	name: 'Get Flow Node Types',
	action: 'Get the flow node types',
	description: 'List the types of nodes that the flows of the service are made of',
	fields: [returnAll, limit],
	async run({ client, parameter }) {
		const names = await client.meta.flowNodeTypes();
		return names.slice(0, resultLimit(parameter)).map((name) => ({ name }));
	},
};
