import type { Operation } from '../../shared/runner/operation';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';

export const getFieldTypes: Operation = {
	value: 'getFieldTypes',
	name: 'Get Field Types',
	action: 'Get the field types',
	description: 'List the types that a field (column) can have, with the schema of their values',
	fields: [returnAll, limit],
	async run({ client, parameter }) {
		return (await client.meta.fieldTypes()).slice(0, resultLimit(parameter));
	},
};
