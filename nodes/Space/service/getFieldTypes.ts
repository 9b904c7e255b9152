import { limit, resultLimit, returnAll } from '../../shared/inputs/selection/paging';
import { account } from '../../shared/inputs/target';
import { operation } from '../../shared/runner/operation';

export const getFieldTypes = operation({
	value: 'getFieldTypes',
	name: 'Get Field Types',
	action: 'Get field types',
	description: 'List the types that columns (fields) can have, with the JSON schemas of their values',
	on: account,
	fields: [returnAll, limit],
	run: async ({ client, parameter }) => (await client.meta.fieldTypes()).slice(0, resultLimit(parameter)),
});
