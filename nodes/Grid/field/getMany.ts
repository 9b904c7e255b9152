import { chosenGrid, gridFields } from '../../shared/inputs/chosenGrid';
import type { Operation } from '../../shared/runner/operation';
import { simplify } from '../../shared/rows/output';
import { limit, returnAll } from '../../shared/inputs/paging';
import { wanted } from '../../shared/rows/representation';
import { fieldRow } from '../representation';

export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many columns',
	description: 'List the columns (fields) of a grid from left to right',
	fields: [...gridFields, returnAll, limit, simplify],
	async run({ client, parameter }) {
		const { fields } = await chosenGrid(client, parameter);
		return fields.slice(0, wanted(parameter)).map((field) => fieldRow(field, parameter(simplify)));
	},
};
