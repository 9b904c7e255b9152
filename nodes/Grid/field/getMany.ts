import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/inputs/outputOptions';
import { limit, returnAll, resultLimit } from '../../shared/inputs/paging';
import { fieldRow } from './fieldRow';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many columns',
	description: 'List the columns (fields) of a grid from left to right',
	fields: [...gridFields, returnAll, limit, simplify],
	async run({ client, parameter }) {
		const { fields } = await chosenGrid(client, parameter);
		return fields.slice(0, resultLimit(parameter)).map((field) => fieldRow(field, parameter(simplify)));
	},
};
