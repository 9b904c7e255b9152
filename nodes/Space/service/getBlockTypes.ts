import type { Operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';

export const getBlockTypes: Operation = {
	value: 'getBlockTypes',
	name: 'Get Block Types',
	action: 'Get the block types',
	description: 'List the types of blocks and form inputs, each with a sample definition',
	fields: [returnAll, limit],
	async run({ client, parameter }) {
		return (await client.meta.blockTypes()).slice(0, resultLimit(parameter));
	},
};
