import type { Operation } from '../../shared/runner/operation';
import { limit, returnAll } from '../../shared/inputs/paging';
import { wanted } from '../../shared/rows/representation';

export const getFieldTypes: Operation = {
	value: 'getFieldTypes',
	name: 'Get Field Types',
	action: 'Get the field types',
	description: 'List the types that a field (column) can have, with the schema of their values',
	fields: [returnAll, limit],
	async run({ client, parameter }) {
		return (await client.meta.fieldTypes()).slice(0, wanted(parameter));
	},
};
